"""The sentences of the charts stand in every record of the study, whichever charts it has."""

from dataclasses import replace

import pytest
import torch
from caption_checks import CAPTION_CHECKS, captions

import wordworth as ww
from wordworth.models.pooling import Dense, SentenceHead

TWO = ["The film was great.", "A wonderful movie."]
PAIRS = [{"text_a": f"the {n} cat sat", "text_b": f"a cat {n} was on the mat"} for n in range(12)]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    mini, folder = ww.load("mini"), tmp_path_factory.mktemp("tanh")
    dense = Dense(torch.eye(mini.model.width), None, "torch.nn.modules.activation.Tanh")
    replace(mini, head=SentenceHead(("mean",), (dense,))).save(folder / "model")
    few, query = {"data": PAIRS, "draws": 100, "examples": 2}, {"text": "text_a", "query": "a tired cat", "top": 2}
    return {
        "two texts": ww.study_similarity(TWO),
        "long texts": ww.study_similarity(["the cat sat on the mat " * 8, "the dog"]),
        "pairs": ww.study_similarity(**few),
        "a query": ww.study_similarity(data=PAIRS, draws=100, **query),
        "no sums": ww.study_similarity(**few, model=str(folder / "model")),
    }


CHARTS = {
    "two texts": ["pair-1"],
    "long texts": ["pair-1"],
    "pairs": ["kinds", "random-weights", "pair-1", "pair-2"],
    "a query": ["query-words", "pair-1", "pair-2"],
    "no sums": ["kinds", "random-weights", "pair-1", "pair-2"],
}


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("of", CHARTS)
def test_the_record_holds_the_sentences_of_its_charts(records, of, check):
    check(records[of])


@pytest.mark.parametrize("of", CHARTS)
def test_each_chart_has_a_caption(records, of):
    assert list(captions(records[of])) == CHARTS[of]


def test_where_vectors_are_no_sums_that_is_why_nothing_is_drawn(records):
    written = captions(records["no sums"])
    assert written["kinds"].title == "Pairs beside random pairs"
    assert "no sum over words" in written["pair-1"].absent
    assert not written["pair-1"].notes
