"""A model that was fine-tuned on pairs orders texts by how relevant it finds them to a query."""

import subprocess
import sys

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples

QUERY, TEXTS = "the cat sat", ["a", "the cat sat on it", "the s, a s!", "the cat sat on it and sat"]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return ww.load_run(write_tuned(tmp_path_factory.mktemp("pairs"), kind="pair", steps=20), dtype="float32")


def test_texts_come_in_the_order_of_the_probability_that_predict_gives(pairs):
    relevant = pairs.classes[1]
    ranked = pairs.rerank(QUERY, TEXTS, relevant=relevant)
    answers = pairs.predictor.answers(_examples(TEXTS))
    predicted = [answer["probabilities"][relevant] for answer in answers]
    assert sorted(ranked.index) == [0, 1, 2, 3]
    assert [TEXTS[number] for number in ranked.index] == list(ranked["text"])
    assert (np.diff(ranked["score"]) <= 0).all()
    assert [predicted[number] for number in ranked.index] == pytest.approx(list(ranked["score"]), abs=1e-4)


def _examples(texts):
    return Examples((QUERY,) * len(texts), tuple(texts))


def test_a_text_has_the_same_score_among_others_and_alone(pairs):
    every = pairs.rerank(QUERY, TEXTS, relevant=pairs.classes[0])
    alone = pairs.rerank(QUERY, TEXTS[1:2], relevant=pairs.classes[0])
    assert alone["score"].iloc[0] == pytest.approx(every["score"].loc[1], abs=1e-5)
    assert len(pairs.rerank(QUERY, [], relevant=pairs.classes[0])) == 0


def test_what_cannot_order_is_refused(pairs, tmp_path):
    with pytest.raises(BadInput, match="there is no class 'perhaps'"):
        pairs.rerank(QUERY, TEXTS, relevant="perhaps")
    with pytest.raises(BadInput, match=r"one text|list"):
        pairs.rerank(QUERY, "a text", relevant=pairs.classes[0])
    with pytest.raises(BadInput, match=r"text 1 \(the first is 0\) is None"):
        pairs.rerank(QUERY, ["a text", None], relevant=pairs.classes[0])
    with pytest.raises(BadInput, match="is None"):
        pairs.rerank(None, TEXTS, relevant=pairs.classes[0])
    single = ww.load_run(write_tuned(tmp_path, steps=2))
    with pytest.raises(BadInput, match="does not read two texts"):
        single.rerank(QUERY, TEXTS)


def test_a_model_without_a_network_is_refused_without_torch():
    """Importing torch takes seconds, in which a server of such a model would answer nobody."""
    code = "import sys, wordworth.inference.rerank; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
