"""The decision map asks the rule of the verdict at every number of labels."""

from __future__ import annotations

import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import (
    judged,
    rung_results,
    scores,
    verdict,
)

from wordworth.records import Table
from wordworth.studies.worth.cheapest_rung_map import candidates, decision_map
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study_result import StudyResult


def the_map(entries, scores, layout, rates):
    """The decision map of a study whose rungs answer at `rates` texts a second."""
    costs = [
        {"rung": name, "fit_seconds": 1.0, "price_per_million": 1e6 / rate * 0.10 / 3_600}
        for name, rate in rates.items()
    ]
    table = Table.of(costs, {name: name for name in costs[0]})
    return decision_map(StudyResult(task(), layout, entries, scores, 0.01, table), WorthSettings(draws=400))


def test_the_decision_map_chooses_among_rungs_that_are_surely_ahead_as_the_verdict_does():
    """MiniLM is within the margin of all, but not surely ahead of TF-IDF."""
    found = judged(scores(tfidf=(80, 0.3), minilm=(80.6, 0.6), both=(80.9, 0.05)))
    assert (found.answer, found.rung) == ("contextual is ahead", "both")
    assert found.of("minilm").adequate
    assert candidates(found) == ["both"]


@pytest.mark.parametrize(("cheap", "contextual"), [(0.95, 0.90), (0.7, 0.9), (0.80, 0.81)])
def test_the_decision_map_says_at_the_readers_labels_what_the_verdict_says(cheap, contextual):
    entries, scores, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(cheap)),
        FakeRung("minilm", "frozen", constant(contextual)),
        rows=400 if contextual - cheap == pytest.approx(0.01) else 1_600,
    )
    found = the_map(entries, scores, layout, {"majority": 1e9, "tfidf": 2e4, "minilm": 70})
    judgement = verdict(entries, scores, layout)
    doubt = [row[-1] for row in found["uncertain"]]
    assert all(doubt) == any(doubt) == (judgement.answer == "cannot tell yet")
    assert all(doubt) or {row[-1] for row in found["rung"]} == {judgement.rung}


def test_among_rungs_that_are_good_enough_the_map_names_the_cheaper_to_serve_where_that_matters():
    entries, scores, layout = rung_results(
        MAJORITY, FakeRung("slow", "counts", constant(0.99)), FakeRung("fast", "static", constant(0.99)), rows=4_000
    )
    found = the_map(entries, scores, layout, {"majority": 1e9, "slow": 10, "fast": 1e6})
    assert [row[-1] for row in found["rung"]][:: len(found["rung"]) - 1] == ["slow", "fast"]
