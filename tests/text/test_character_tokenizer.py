"""Words become the characters that ELMo reads, exactly, and each is tied to its place in the text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.character_tokenizer import CharacterTokenizer, boundary, character_ids
from wordworth.text.word_boundaries import words

READER = CharacterTokenizer()


def test_a_word_is_its_bytes_between_marks():
    assert character_ids("A").tolist() == [259, 66, 260, *[261] * 47]
    assert character_ids("The")[:6].tolist() == [259, 85, 105, 102, 260, 261]
    assert character_ids("é")[:4].tolist() == [259, 0xC3 + 1, 0xA9 + 1, 260]
    assert character_ids("")[:3].tolist() == [259, 260, 261]


def test_a_word_of_sixty_bytes_keeps_forty_eight():
    found = character_ids("x" * 60)
    assert found.tolist() == [259, *[ord("x") + 1] * 48, 260]


def test_a_sentence_stands_between_its_boundaries():
    (tokens,) = READER.encode(["Hello, you!"])
    assert tokens.ids.shape == (6, 50)
    assert tokens.ids[0].tolist() == [259, 257, 260, *[261] * 47]
    assert tokens.ids[-1].tolist() == [259, 258, 260, *[261] * 47]
    assert tokens.words.tolist() == [-1, 0, 1, 2, 3, -1]
    assert tokens.offsets.tolist() == [[0, 0], [0, 5], [5, 6], [7, 10], [10, 11], [0, 0]]


@given(st.lists(st.text(max_size=70), max_size=4))
@settings(max_examples=60)
def test_any_text_is_read_word_by_word(texts):
    for text, tokens, ids in zip(texts, READER.encode(texts), READER.ids(texts), strict=True):
        spans = words(text)
        assert tokens.offsets[1:-1].tolist() == [list(span) for span in spans]
        assert np.array_equal(tokens.ids[1:-1], [character_ids(text[a:b]) for a, b in spans] or np.zeros((0, 50)))
        assert np.array_equal(ids, tokens.ids)
        assert ids.min() >= 1
        assert ids.max() < READER.vocab_size
        assert ((ids == 259).sum(1) == 1).all()
        assert ((ids == 260).sum(1) == 1).all()


def test_given_words_stay_as_they_are_given():
    (tokens,) = READER.encode_words([["don't", "New York", ""]])
    assert np.array_equal(tokens.ids[1:-1], [character_ids("don't"), character_ids("New York"), character_ids("")])
    assert tokens.offsets[1:-1].tolist() == [[0, 5], [6, 14], [15, 15]]


def test_a_pair_is_two_sentences_whose_words_are_counted_on():
    (tokens,) = READER.encode(["a b"], ["c"])
    assert tokens.words.tolist() == [-1, 0, 1, -1, -1, 2, -1]
    assert np.array_equal(tokens.ids[4], boundary(257))
    (tokens,) = READER.encode([""], ["c"])
    assert tokens.words.tolist() == [-1, -1, -1, 0, -1]


def test_ids_come_without_boundaries_where_asked():
    assert READER.ids(["a b"], special=False)[0].tolist() == [character_ids("a").tolist(), character_ids("b").tolist()]


def test_what_has_no_bytes_is_left_out_and_what_is_no_text_refused():
    assert np.array_equal(character_ids("a\ud800b"), character_ids("ab"))
    with pytest.raises(BadInput, match="list"):
        READER.encode("a text")
    with pytest.raises(BadInput, match="1 first texts but 2"):
        READER.encode(["a"], ["b", "c"])


def test_what_was_read_can_be_written_again():
    (tokens,) = READER.encode(["Naïve 日本, ok?"])
    assert READER.tokens(tokens.ids) == ["<S>", "Naïve", "日", "本", ",", "ok", "?", "</S>"]
    assert READER.tokens(character_ids("x" * 60)[None]) == ["x" * 48]
    assert READER.tokens(character_ids("")[None]) == [""]


def test_every_character_has_a_name_of_its_own():
    assert READER.token(66) == "A"
    assert READER.token(257) == "<S>"
    assert len(READER.vocabulary) == READER.vocab_size == 262
    with pytest.raises(BadInput, match="0 to 261"):
        READER.token(262)
