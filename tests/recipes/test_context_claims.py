"""The paper's findings as rules: its own curves satisfy them, and a rule says no, or cannot tell, where it must."""

import csv

import numpy as np
import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from tests.studies.contextuality.data import shared

from parts.context_claims import CLAIMS, Claim, largest, rise, together, upper
from parts.context_published import FILES, explained_adjusted
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Interval
from wordworth.studies.contextuality.published_curves import CURVES

PAPERS = {"bert": "BERT", "gpt": "GPT-2", "bilm": "ELMo"}
CURVE = {
    "self_similarity_adjusted": "self_similarity",
    "intra_sentence": "intra_sentence",
}
MEASURES = {*CURVE, "explained_published_over_null"}
BY_NAME = {claim.name: claim for claim in CLAIMS}


def exactly(value):
    return Interval(float(value), float(value))


def published(architecture, measure):
    paper = PAPERS[architecture]
    if measure in CURVE:
        curve = getattr(CURVES[paper], CURVE[measure])
    else:
        curve = explained_adjusted(shared("contextual_stats"), paper)
    return np.array([np.nan if value is None else value for value in curve])


@pytest.mark.parametrize(
    "claim", [claim for claim in CLAIMS if claim.measure in MEASURES], ids=lambda claim: claim.name
)
def test_the_papers_own_curves_give_yes_to_every_finding(claim):
    for architecture in claim.of:
        value = claim.statistic(published(architecture, claim.measure))
        assert claim.answer(exactly(value)) == "yes"


@pytest.mark.parametrize("architecture", PAPERS)
def test_the_papers_own_words_give_yes_to_stop_words(architecture):
    path = shared("contextual_stats") / f"{FILES[PAPERS[architecture]]}_self_similarity.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    (key, *_) = rows[0]
    layers = [name for name in rows[0] if name.startswith("layer_")]
    values = np.array([[float(row[layer]) for layer in layers] for row in rows])
    stop = np.array([row[key].lower() in ENGLISH_STOP_WORDS for row in rows])
    claim = BY_NAME["stop_words"]
    value = claim.statistic(values[stop].mean(axis=0) - values[~stop].mean(axis=0))
    assert claim.answer(exactly(value)) == "yes"


def test_a_finding_is_denied_where_the_curve_goes_the_other_way_or_hardly_anywhere():
    claim = BY_NAME["upper_layers"]
    falling = np.array([1.0, 0.8, 0.7, 0.5, 0.4])
    assert claim.answer(exactly(rise(falling))) == "yes"
    assert claim.answer(exactly(rise(falling[::-1]))) == "no"
    assert claim.answer(exactly(rise(np.full(5, 0.6)))) == "no"


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-0.05, 0.05, "yes"),
        (-0.2, -0.15, "no"),
        (0.1, 0.3, "no"),
        (0.05, 0.3, "cannot tell"),
        (-0.3, 0.3, "cannot tell"),
        (np.nan, np.nan, "cannot tell"),
    ],
)
def test_an_answer_needs_the_whole_interval(low, high, answer):
    within = Claim(name="x", text="x", of=("gpt",), measure="x", statistic=upper, low=-0.1, high=0.1)
    assert within.answer(Interval(low, high)) == answer


def test_statistics_leave_out_the_input_layer_and_an_odd_middle():
    assert rise(np.array([9.0, 1.0, 2.0])) == 1
    assert rise(np.array([9.0, 1.0, 7.0, 3.0])) == 2
    assert rise(np.array([9.0, 1.0, 2.0, 3.0, 6.0])) == 3
    assert upper(np.array([9.0, 1.0, 2.0, 3.0, 6.0])) == 4.5
    assert largest(np.array([9.0, 1.0, 2.0])) == 2
    assert rise(np.array([[9.0, 1.0, 2.0], [9.0, 2.0, 1.0]])).tolist() == [1, -1]


def test_one_layer_has_no_upper_half():
    with pytest.raises(BadInput, match="a model of 1 layer has no upper and lower ones; train models of two layers"):
        rise(np.array([1.0, 0.5]))


def test_a_finding_about_several_models_holds_if_it_holds_of_all():
    assert together(["yes", "yes"]) == "yes"
    assert together(["yes", "no", "cannot tell"]) == "no"
    assert together(["yes", "cannot tell"]) == "cannot tell"
    assert together([]) == "cannot tell"
