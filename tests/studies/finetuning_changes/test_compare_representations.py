"""Reading several models at once: words, layouts, cosines of maps as a short version has them, and no padding."""

import numpy as np
import pytest

from wordworth.models.load import load
from wordworth.progress import STILL
from wordworth.studies.finetuning_changes.attention_pattern_classifier import PatternNetwork
from wordworth.studies.finetuning_changes.compare_representations import (
    RUN,
    START,
    compare,
    layout_of,
    map_cosines,
    shares,
    word_groups,
)


@pytest.fixture(scope="module")
def model(encoder):
    return load(str(encoder))


def read(model, texts, **choices):
    models = {START: model.model, RUN: model.model}
    settings = {"words_a_text": 3, "seed": 0, **choices}
    return compare(models, model.tokenizer.encode(texts), model.tokenizer, PatternNetwork(), STILL, **settings)


def test_a_model_is_equal_to_itself(model):
    compared = read(model, ["we saw the film and it was good .", "a bad song"])
    assert np.allclose(compared.cosines[START, RUN], 1)
    assert np.array_equal(compared.states[START], compared.states[RUN])
    assert compared.states[START].shape[0] == model.model.depth + 1
    assert compared.text.tolist() == [0] * (len(compared.words) - 3) + [1] * 3
    assert (compared.patterns[START][1] == -1).all()  # five tokens are too few


def test_what_is_read_of_a_text_does_not_depend_on_its_neighbours(model):
    texts = ["the film was really good and we were there", "it was bad", "a lovely dinner and a dreadful hotel"]
    together, alone = read(model, texts, words_a_text=99), read(model, texts[:1], words_a_text=99)
    number = int((together.text == 0).sum())
    assert np.allclose(together.last[RUN][:number], alone.last[RUN], atol=1e-5)


def test_the_cosine_is_that_of_flattened_maps():
    rng = np.random.default_rng(0)
    x, y = (rng.dirichlet(np.ones(7), size=(4, 7)).astype(np.float32) for _ in range(2))
    short = [float(a.ravel() @ b.ravel() / np.linalg.norm(a) / np.linalg.norm(b)) for a, b in zip(x, y, strict=True)]
    assert map_cosines(x, y) == pytest.approx(short, abs=1e-6)


def test_words_are_joined_from_their_pieces(model):
    (tokens,) = model.tokenizer.encode(["the cab a"])
    groups, forms = word_groups(tokens, model.tokenizer)
    assert forms == ["the", "cab", "a"]
    assert groups.tolist() == [-1, 0, 1, 1, 1, 2, -1]


def test_the_second_text_of_a_pair_begins_after_the_separator(model):
    (tokens,) = model.tokenizer.encode(["the film"], ["it was good"])
    layout = layout_of(tokens, causal=False)
    first = int(np.flatnonzero(tokens.segments == 1)[0])
    assert layout.second == first
    (alone,) = model.tokenizer.encode(["the film was good"])
    assert layout_of(alone, causal=True).second is None


def test_shares_of_patterns_sum_to_one_and_short_texts_have_none():
    found = shares(np.array([[0, 0, 1, 4], [-1, -1, -1, -1]]))
    assert found[0].tolist() == [0.5, 0.25, 0, 0, 0.25]
    assert np.isnan(found[1]).all()
