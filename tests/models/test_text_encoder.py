"""What a user holds: texts in, vectors out, whatever the texts are."""

import contextlib
import warnings
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.tiny import SETTINGS, write_tiny

from wordworth.errors import BadInput, LongTextWarning, NotFound
from wordworth.models.batch import pack
from wordworth.models.load import load
from wordworth.models.pooling import SentenceHead, pool
from wordworth.models.read_encoder import read_encoder
from wordworth.testing.encoders import encoder_checks
from wordworth.text.truncation import truncate_pair

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.LongTextWarning")
LONG = "the cab a bab " * 40


@pytest.mark.parametrize("check", encoder_checks(), ids=lambda check: check.__name__)
def test_our_encoder_conforms(tiny, check):
    check(tiny)


@pytest.mark.slow
@pytest.mark.parametrize("check", encoder_checks(), ids=lambda check: check.__name__)
def test_minilm_conforms(minilm, check):
    check(minilm)


@pytest.mark.parametrize("model_type", SETTINGS)
def test_every_family_conforms(tmp_path, model_type):
    encoder = read_encoder(write_tiny(tmp_path, model_type))
    for check in encoder_checks():
        check(encoder)


class Notes:
    """A progress that remembers what it was told."""

    def __init__(self):
        self.notes, self.done = [], 0

    def step(self, *_):
        return contextlib.nullcontext(self)

    def advance(self, amount=1):
        self.done += amount

    def note(self, message):
        self.notes.append(message)


def test_long_texts_are_windowed_by_default_and_counted(tiny):
    told = Notes()
    found = tiny.embed(["a", LONG, "the cab"], progress=told)
    assert (found.lengths.texts, found.lengths.windowed, found.lengths.cut) == (3, 1, 0)
    assert told.notes == ["of 3 texts, 1 read in overlapping windows: longer than 24 tokens"]
    assert told.done == 3


def test_encode_warns_of_long_texts_where_the_caller_has_not_chosen(tiny):
    with pytest.warns(LongTextWarning, match="24 tokens at once.*long_texts='cut'"):
        windowed = tiny.encode(["a", LONG])
    assert np.array_equal(tiny.encode(["a", LONG], long_texts="window"), windowed)
    assert not np.allclose(tiny.encode(["a", LONG], long_texts="cut"), windowed)
    tiny.encode(["a", LONG], progress=Notes())


def test_python_shows_the_warning_of_long_texts_once_for_a_line(tiny):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for repeats in range(2, 5):
            tiny.encode([LONG] * repeats)
    assert [warning.filename for warning in caught] == [__file__]


def test_cutting_is_a_choice_and_counts_what_is_lost(tiny):
    found = tiny.embed(["a", LONG], long_texts="cut")
    assert (found.lengths.cut, found.lengths.windowed) == (1, 0)
    assert found.lengths.dropped == len(tiny.tokenizer.encode([LONG])[0]) - 24
    kept = LONG[: tiny.tokenizer.encode([LONG])[0].offsets[22][1]]
    assert np.allclose(found.vectors[1], tiny.encode([kept])[0], atol=1e-5)


def test_a_long_text_can_be_an_error_that_names_it(tiny):
    with pytest.raises(BadInput, match=r"text 1 .*24"):
        tiny.encode(["a", LONG], long_texts="error")


def test_a_windowed_text_is_the_mean_over_its_tokens_each_counted_once(tiny):
    """A model whose states do not depend on context gives the same vector, windowed or read at once."""
    blind = read_encoder_without_context(tiny)
    tokens = tiny.tokenizer.encode([LONG])[0]
    table = torch.from_numpy(tokens.ids)
    expected = blind.model.embedding.word(table).mean(0).detach().numpy()
    assert np.allclose(blind.encode([LONG])[0], expected, atol=1e-5)


def read_encoder_without_context(encoder):
    return replace(encoder, state_reader=lambda batch: encoder.model.embedding.word(batch.ids), head=SentenceHead())


def test_pooled_layers_end_with_the_sentence_vector(tiny):
    texts = ["the cab", LONG, "a"]
    layers = tiny.pooled_layers(texts)
    assert layers.shape == (3, 3, 32)
    assert np.allclose(layers[:, -1], tiny.encode(texts), atol=1e-5)


def test_layer_zero_is_the_input_layer(tiny):
    tokens = tiny.tokenizer.encode(["the cab"])
    with torch.no_grad():
        expected = tiny.model.embedding(pack(tokens)).mean(0)
    assert np.allclose(tiny.pooled_layers(["the cab"])[0, 0], expected, atol=1e-5)


def test_states_are_aligned_to_the_words_of_the_text(tiny):
    texts = ["The cab's!", "", "a qb", LONG]
    states = tiny.states(texts)
    assert states.words[:5] == ("The", "cab's", "!", "a", "qb")
    assert [texts[s][a:b] for s, (a, b) in zip(states.sentences, states.spans, strict=True)] == list(states.words)
    assert states.values.shape == (3, len(states.words), 32)
    assert states.pieces.tolist()[:5] == [1, 5, 1, 1, 2]
    assert len(states) == 3 + 2 + 160


def test_a_words_state_is_pooled_as_named(tiny):
    tokens = tiny.tokenizer.encode(["qb a"])
    with torch.no_grad():
        whole = tiny.model(pack(tokens)).numpy()
    found = {how: tiny.states(["qb a"], [-1], how).values[0, 0] for how in ("first", "mean", "last")}
    assert np.allclose(found["first"], whole[1], atol=1e-5)
    assert np.allclose(found["last"], whole[2], atol=1e-5)
    assert np.allclose(found["mean"], whole[1:3].mean(0), atol=1e-5)


def test_given_words_each_have_a_row_even_those_without_pieces(tiny):
    sentences = [["the", "\x00", "cab"], [], ["a"] * 60]
    states = tiny.word_states(sentences, layers=[0, -1])
    assert states.values.shape == (2, 63, 32)
    assert states.layers == (0, 2)
    assert states.pieces[1] == 0
    assert not states.values[:, 1].any()
    assert states.values[:, [0, 2, 62]].any(axis=2).all()
    assert states.sentences.tolist() == [0] * 3 + [2] * 60
    assert states.layer(2).shape == (63, 32)
    with pytest.raises(LookupError, match="layer 1"):
        states.layer(1)


def test_layers_above_the_highest_chosen_one_are_not_computed(tiny):
    class Stopping:
        def states(self, batch):
            for number, state in enumerate(tiny.state_reader.states(batch)):
                assert number < 2, "the layer above was computed"
                yield state

    below = replace(tiny, state_reader=Stopping()).states([LONG, "a"], layers=[1, 0]).values
    np.testing.assert_array_equal(below, tiny.states([LONG, "a"]).values[[1, 0]])


def test_a_layer_that_is_not_there_is_refused(tiny):
    with pytest.raises(LookupError, match="layers 0 to 2"):
        tiny.states(["a"], layers=[3])


def test_a_string_where_texts_belong_is_refused(tiny):
    for call in (tiny.embed, tiny.pooled_layers, tiny.states, tiny.word_states, lambda t: tiny.encode_pairs(t, t)):
        with pytest.raises(BadInput, match="list"):
            call("a text")
    with pytest.raises(BadInput, match="list"):
        tiny.word_states(["a sentence"])


def test_pairs_are_read_together_and_their_order_matters(tiny):
    found = tiny.encode_pairs(["the", "a"], ["a cab", "the"])
    tokens = tiny.tokenizer.encode(["the"], ["a cab"])
    with torch.no_grad():
        expected = pool(tiny.model(pack(tokens)), torch.tensor([0, len(tokens[0])]), "mean")[0]
    assert np.allclose(found.vectors[0], expected, atol=1e-5)
    assert not np.allclose(tiny.encode_pairs(["the"], ["a"]).vectors, tiny.encode_pairs(["a"], ["the"]).vectors)


def test_a_pair_that_is_too_long_loses_the_end_of_its_longer_text_and_is_counted(tiny):
    found = tiny.encode_pairs(["the cab", "a"], ["a " * 100, "b"])
    assert (found.lengths.cut, found.lengths.dropped) == (1, 4 + 100 + 3 - 24)
    assert tiny.encode_pairs([], []).vectors.shape == (0, 32)
    with pytest.raises(BadInput, match="1 first texts"):
        tiny.encode_pairs(["a"], [])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(5, 24))
def test_pairs_are_cut_as_googles_code_cuts_them(tiny, first, second, limit):
    """`_truncate_seq_pair` of google-research/bert, run_classifier.py."""
    whole = tiny.tokenizer.encode(["a " * first], ["b " * second])[0]
    kept = truncate_pair(whole, limit)
    a, b = first, second
    while a + b > limit - 3:
        a, b = (a - 1, b) if a > b else (a, b - 1)
    assert kept.ids.tolist() == tiny.tokenizer.encode(["a " * a], ["b " * b])[0].ids.tolist()


def test_a_prompt_stands_before_every_text(tiny):
    assert np.allclose(replace(tiny, prompt="the ").encode(["cab"]), tiny.encode(["the cab"]), atol=1e-6)


def test_a_hundred_thousand_tokens_are_read(tiny):
    told = Notes()
    assert np.isfinite(tiny.encode(["cab a " * 25_000], progress=told)).all()
    assert len(told.notes) == 1


def test_an_encoder_shows_itself_in_a_line(tiny):
    assert len(repr(tiny)) < 120
    assert "layers" in repr(tiny)


def test_a_missing_text_and_a_missing_layer_are_told_with_advice(tiny):
    with pytest.raises(
        BadInput, match=r"text 1 \(the first is 0\) is None \(NoneType\), not text; fill or drop missing values"
    ):
        tiny.encode(["a", None])
    with pytest.raises(BadInput, match=r"text 1 \(the first is 0\) is 5 \(int\), not text; give a list of strings"):
        tiny.encode(["a", 5])
    with pytest.raises(BadInput, match="no layer 99; this model has layers 0 to"):
        tiny.states(["a text"], layers=99)
    np.testing.assert_array_equal(tiny.states(["a text"], layers=1).values, tiny.states(["a text"], [1]).values)


def test_an_encoder_that_only_reads_says_the_same_of_every_layer(tmp_path):
    folder = write_tiny(tmp_path / "tiny")
    whole, only = read_encoder(folder), read_encoder(folder).for_inference()
    assert np.array_equal(only.states([LONG, "a cab"]).values, whole.states([LONG, "a cab"]).values)
    assert np.array_equal(only.encode(["a cab", "the"]), whole.encode(["a cab", "the"]))


def test_layers_come_in_the_order_asked_for_however_often(tiny):
    every = tiny.states(["a cab"]).values
    assert np.array_equal(tiny.states(["a cab"], layers=(2, 0, -1)).values, every[[2, 0, 2]])


@pytest.mark.parametrize("ask", ["encode", "states"])
def test_weights_that_are_no_numbers_are_told_and_give_no_vectors(tmp_path, ask):
    encoder = read_encoder(write_tiny(tmp_path, "bert"))
    with torch.no_grad():
        encoder.model.body.layers[0].attention_norm.bias[0] = torch.nan
    with pytest.raises(BadInput, match=r"gives vectors with NaN or infinity; wordworth doctor, given the same model"):
        getattr(encoder, ask)(["the cab"])


def test_layers_are_all_or_numbers(tiny):
    with pytest.raises(NotFound, match=r"no layers 'last'; give \"all\", or numbers of 0 to"):
        tiny.states(["a"], layers="last")


def test_one_text_has_one_vector_and_many_have_a_row_each(tiny):
    assert tiny.encode("the cab").shape == (tiny.width,)
    assert np.array_equal(tiny.encode("the cab"), tiny.encode(["the cab"])[0])


@given(st.lists(st.text("abc the", max_size=30), max_size=9), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_the_size_of_batches_changes_no_vector(tiny, texts, batch_size):
    assert np.allclose(tiny.encode(texts, batch_size=batch_size), tiny.encode(texts), atol=1e-6)


def test_normalised_vectors_have_length_one(tiny):
    vectors = tiny.encode(["the cab", LONG], normalize=True)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_batch_of_no_texts_is_refused(tiny):
    with pytest.raises(BadInput, match=r"`batch_size` 0 is out of range; give 1 or more"):
        tiny.encode(["a"], batch_size=0)


def test_a_saved_encoder_is_loaded_again_with_the_same_vectors(tiny, tmp_path):
    tiny.save(tmp_path / "saved")
    texts = ["the cab", "a bab the"]
    assert np.array_equal(load(tmp_path / "saved").encode(texts), tiny.encode(texts))


def test_an_encoder_without_its_weights_is_not_saved(tiny, tmp_path):
    bare = replace(tiny, checkpoint=replace(tiny.checkpoint, model=deepcopy(tiny.model).to("meta")))
    with pytest.raises(BadInput, match="has only what inference needs; load it again"):
        bare.save(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()
