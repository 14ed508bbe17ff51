"""Phrases of a list are masked whole, the longest first; all else is masked word by word."""

import numpy as np
import pytest
import tokenizers
from tests.text.toys import SMALL, write_vocabulary
from tests.training.objectives.instances import CONTINUATIONS, SPECIALS, instances

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import LoadedTokenizer
from wordworth.training.objectives.masking.mask_sampling import Text
from wordworth.training.objectives.masking.phrases import Phrases


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    return Tokenizer.wordpiece(write_vocabulary(tmp_path_factory.mktemp("letters"), SMALL))


def groups(phrases, *texts):
    """The groups in these texts, each as a list of ids."""
    made = instances(list(texts))
    text = Text.read(made.ids, made.starts, SPECIALS, ~CONTINUATIONS[made.ids])
    of_text = Phrases(frozenset(phrases)).groups(text, np.random.default_rng(0))
    return [
        made.ids[first : first + length].tolist() for first, length in zip(of_text.firsts, of_text.lengths, strict=True)
    ]


@pytest.mark.parametrize(
    ("phrases", "text", "masked"),
    [
        ([(7, 8)], [6, 7, 8, 9], [[6], [7, 8], [9]]),
        ([(7, 8), (7, 8, 9)], [7, 8, 9, 7, 8], [[7, 8, 9], [7, 8]]),
        ([(7, 8), (8, 9)], [7, 8, 9], [[7, 8], [9]]),
        ([(7, 7)], [7, 7, 7], [[7, 7], [7]]),
        ([(7, 8)], [7, 8, 130], [[7], [8, 130]]),
        ([(7, 130)], [7, 130], [[7, 130]]),
        ([(130, 8)], [7, 130, 8], [[7, 130], [8]]),
    ],
    ids=["alone", "longest first", "no overlap", "from the left", "to a word's end", "one word", "from a word's start"],
)
def test_which_phrases_match(phrases, text, masked):
    assert groups(phrases, text) == masked


def test_no_phrase_goes_from_one_text_to_the_next():
    assert groups([(7, 8)], [7], [8]) == [[7], [8]]


def test_phrases_are_spelt_by_the_vocabulary_and_those_it_cannot_spell_are_left_out(letters):
    phrases = Phrases.of(["the the", " the the ", "", "a b", "\U0001f984 the"], letters)
    assert {" ".join(letters.token(id_) for id_ in ids) for ids in phrases.phrases} == {"the the", "a b"}
    assert not phrases.together  # each token has a draw of its own, as in ERNIE's code


def test_a_list_without_a_phrase_that_can_be_spelt_is_refused(letters):
    with pytest.raises(BadInput, match="holds no phrase that the vocabulary can spell"):
        Phrases.of(["\U0001f984", ""], letters)


def test_a_byte_level_phrase_matches_behind_a_space_and_at_the_beginning_of_a_text():
    words = {"Ġthe": 0, "the": 1, "Ġfox": 2, "[UNK]": 3}
    library = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, "[UNK]"))
    library.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    phrases = Phrases.of(["the fox"], Tokenizer(LoadedTokenizer(library, {"unk": "[UNK]"}, "made up")))
    assert phrases.phrases == {(1, 2), (0, 2)}
