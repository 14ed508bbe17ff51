"""Rows of probes and differences have what is published beside them where something is."""

import numpy as np

from wordworth.studies.syntax.attention_probe import ANY, DISTANCE, OWN, PairScore
from wordworth.studies.syntax.structural_probe_scores import Estimate, ProbeGap, ScoredProbe
from wordworth.studies.syntax.structural_probes import CHAIN, MODEL, ProbeResult, SentenceScores
from wordworth.studies.syntax.tables import difference_table, pair_tables, probe_table
from wordworth.training.probes.train_probe import ProbeRun


def estimate(value):
    return Estimate(value, np.full(100, value))


def probe(source, layer, rank, run):
    scores = SentenceScores(*np.ones((3, 2), np.int64))
    measures = {"share": estimate(0.6), "correlation": estimate(0.7)}
    return ScoredProbe(ProbeResult(source, "distance", layer, rank, run, scores), measures)


def test_the_chosen_layer_and_the_chain_have_published_values():
    best, other = (probe(MODEL, layer, 64, ProbeRun((0.9, 0.7), 2)) for layer in (3, 4))
    rows = probe_table([best, other, probe(CHAIN, None, 0, None)], [best.result]).rows()
    assert [row["published_share"] for row in rows] == [0.798, None, 0.489]
    assert [row["chosen"] for row in rows] == [True, False, False]
    assert (rows[0]["loss"], rows[0]["passes"], rows[2]["loss"]) == (0.7, 2, None)


def test_differences_have_the_difference_of_what_is_published():
    rows = difference_table(
        [ProbeGap("distance", measure, CHAIN, estimate(0.2), is_ahead=True) for measure in ("share", "correlation")]
    ).rows()
    assert [row["published"] for row in rows] == [0.309, 0.27]
    assert (
        difference_table([ProbeGap("depth", "share", "control trees", estimate(0.1), is_ahead=False)]).rows()[0][
            "published"
        ]
        is None
    )


def test_attention_is_compared_with_what_is_read_beside_it():
    draws = np.random.default_rng(0).normal(0, 0.01, 200)
    scores = [PairScore(ANY, source, 90, 2, Estimate(value, value + draws)) for source, value in
              ((OWN, 0.8), (DISTANCE, 0.79))]  # fmt: skip
    tables = pair_tables(scores)
    assert [row["published"] for row in tables["pairs"].rows()] == [0.858, None]
    (row,) = tables["pair_differences"].rows()
    assert (row["other"], round(row["gap"], 6), row["ahead"]) == (DISTANCE, 0.01, True)
    assert pair_tables([])["pairs"].rows() == []
