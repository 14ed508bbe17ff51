"""Ids, offsets and words of texts, for every family of tokenizer."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from tests.text.toys import SMALL, drawn, library, write_vocabulary

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokens import Tokens
from wordworth.text.word_boundaries import align, first_pieces, words

# Text, pieces and, where published, ids, with Google's uncased vocabulary.
WORKED = [
    ("UNwanted,running", "unwanted , running", [18162, 1010, 2770]),
    ("unaffable", "una ##ffa ##ble", [14477, 20961, 3468]),
    ("John Johanson's,", "john johan ##son ' s ,", [2198, 13093, 3385, 1005, 1055, 1010]),
    ("don't can\u2019t", "don ' t can \u2019 t", [2123, 1005, 1056, 2064, 1521, 1056]),
    ("3.14% of $9,999.99", "3 . 14 % of $ 9 , 999 . 99", None),
    ("x^2 + y_1 ~ z", "x ^ 2 + y _ 1 ~ z", None),
    ("naïve café Ångström façade", "naive cafe ang ##strom facade", [15743, 7668, 17076, 15687, 8508]),
    ("ah博推zz", "ah 博 [UNK] z ##z", [6289, 1786, 100, 1062, 2480]),
    ("日本語 カタカナ", "日 本 語 カ ##タ ##カ ##ナ", None),
    ("한국어", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ ##ᄋ ##ᅥ", None),
    ("Straße ﬁne Ⅷ", "st ##raße ﬁ ##ne [UNK]", None),
    ("İstanbul", "istanbul", [9960]),
    ("a\u200bb\u00adc\ufeffd", "abc ##d", None),
    ("tab\there\0null\abell", "tab here ##nu ##ll ##bell", None),
    ("flightless birds puppeteer", "flight ##less birds puppet ##eer", [3462, 3238, 5055, 13997, 11510]),
    ("C++ & C# @user #tag", "c + + & c # @ user # tag", None),
    ("☃ snowman 😀 emoji", "[UNK] snow ##man [UNK] em ##oj ##i", None),
    ("שָׁלוֹם", "ש ##ל ##ו ##ם", None),
    ("Jim [MASK] was", "jim [MASK] was", None),
]


@pytest.mark.parametrize(("text", "expected", "numbers"), WORKED, ids=[text[:12] for text, _, _ in WORKED])
def test_worked_examples_read_as_published(minilm: Tokenizer, text: str, expected: str, numbers: list[int]) -> None:
    (tokens,) = minilm.encode([text])
    assert pieces_of(minilm, tokens) == ["[CLS]", *expected.split(), "[SEP]"]
    assert numbers is None or tokens.ids.tolist() == [101, *numbers, 102]


def test_the_vocabulary_holds_the_published_ids(minilm: Tokenizer) -> None:
    assert minilm.special_ids == {"pad": 0, "unk": 100, "cls": 101, "sep": 102, "mask": 103}
    published = {
        999: "!",
        1010: ",",
        1012: ".",
        1037: "a",
        1996: "the",
        2015: "##s",
        1: "[unused0]",
        998: "[unused993]",
    }
    assert {index: minilm.token(index) for index in published} == published
    assert (minilm.vocab_size, minilm.prefix, minilm.suffix, minilm.lowercase) == (30_522, 1, 1, True)


def test_a_checkpoint_without_tokenizer_json_reads_the_same(minilm: Tokenizer, minilm_folder: Path) -> None:
    bare = Tokenizer.wordpiece(minilm_folder / "vocab.txt")
    texts = [text for text, _, _ in WORKED] + list(drawn(300))
    for left, right in zip(minilm.encode(texts), bare.encode(texts), strict=True):
        assert_same(left, right)


def test_pairs_carry_segments_and_count_each_text_from_its_own_start(small: Tokenizer) -> None:
    (pair,) = small.encode(["ab c"], ["d é"])
    assert pieces_of(small, pair) == ["[CLS]", "a", "##b", "c", "[SEP]", "d", "e", "[SEP]"]
    assert pair.segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert pair.offsets.tolist() == [[0, 0], [0, 1], [1, 2], [3, 4], [0, 0], [0, 1], [2, 3], [0, 0]]
    assert pair.words.tolist() == [-1, 0, 0, 1, -1, 2, 3, -1]


# Offsets
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nai\u0308ve", [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6)]),  # a combining mark belongs to no piece
        ("한a", [(0, 1), (0, 1), (0, 1), (1, 2)]),  # three jamo of one syllable
        ("中a🦊 b", [(0, 1), (1, 3), (4, 5)]),  # a symbol is glued to its word: one unknown word
        ("a\x00\u200bb", [(0, 1), (3, 4)]),  # what vanishes has no offset
        ("İx", [(0, 1), (1, 2)]),  # two characters in lower case
    ],
)
def test_offsets_count_characters_of_the_text_as_given(small: Tokenizer, text: str, expected: list) -> None:
    (tokens,) = small.encode([text])
    assert [tuple(span) for span in tokens.offsets[1:-1].tolist()] == expected


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=40), st.sampled_from(list(drawn(200)))))
@example("e\u0301\u0323 한국어 \u1112\u1161\u11ab")
@example("\U0001f469\u200d\U0001f4bb [MASK] x")
def test_every_piece_is_what_its_characters_normalise_to(small: Tokenizer, text: str) -> None:
    assume(not any(is_spacing_and_movable(character) for character in text))
    (tokens,) = small.encode([text])
    for piece, (start, end) in zip(pieces_of(small, tokens), tokens.offsets.tolist(), strict=True):
        assert 0 <= start <= end <= len(text)
        if piece in SMALL[:5]:
            continue
        normalised = library(small).normalizer.normalize_str(text[start:end]).strip()
        several = len(normalised) > len(piece.removeprefix("##"))  # a syllable of hangul holds up to three pieces
        assert piece.removeprefix("##") in normalised if several else piece.removeprefix("##") == normalised


def test_offsets_of_marks_that_unicode_reorders_stay_within_their_cluster(small: Tokenizer) -> None:
    """The library's one inexactness: a spacing mark before which NFD puts another trades places with it."""
    (tokens,) = small.encode(["a\u302e\u0f71 b"])
    assert pieces_of(small, tokens)[1:-1] == ["a", "##\u302e", "b"]
    assert tokens.offsets[1:-1].tolist() == [[0, 1], [2, 3], [4, 5]]  # U+302E stands at 1


@pytest.mark.parametrize("family", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_offsets_rise_and_lie_in_the_text_for_every_family(family: str, request: pytest.FixtureRequest) -> None:
    tokenizer: Tokenizer = request.getfixturevalue(family)
    texts = list(drawn(300))
    for text, tokens in zip(texts, tokenizer.encode(texts), strict=True):
        inner = tokens.offsets[tokenizer.prefix : len(tokens) - tokenizer.suffix]
        assert (inner[:, 0] <= inner[:, 1]).all()
        assert (np.diff(inner[:, 0]) >= 0).all()
        assert inner.max(initial=0) <= len(text)
        assert tokens.words.tolist() == align(tokens, words(text)).tolist()


@pytest.mark.parametrize("family", ["gpt2", "roberta"])
def test_byte_pairs_cover_every_visible_character(family: str, request: pytest.FixtureRequest) -> None:
    tokenizer: Tokenizer = request.getfixturevalue(family)
    for text in ("a 😀é 日本", "don't  stop", "\u1112\u1161\u11ab x"):
        (tokens,) = tokenizer.encode([text])
        covered = {place for start, end in tokens.offsets.tolist() for place in range(start, end)}
        assert covered >= {place for place, character in enumerate(text) if not character.isspace()}


# Families
def test_gpt2_has_no_special_tokens_and_no_segments(gpt2: Tokenizer) -> None:
    (pair,) = gpt2.encode(["a cat"], ["a mat"])
    assert (gpt2.prefix, gpt2.suffix, gpt2.lowercase) == (0, 0, False)
    assert not pair.segments.any()
    assert (pair.words >= 0).all()
    assert set(gpt2.special_ids) == {"unk", "bos", "eos"}


def test_roberta_puts_two_marks_between_texts_and_has_no_segments(roberta: Tokenizer) -> None:
    (pair,) = roberta.encode(["a"], ["b"])
    assert pieces_of(roberta, pair) == ["<s>", "a", "</s>", "</s>", "b", "</s>"]
    assert not pair.segments.any()
    assert (roberta.prefix, roberta.suffix) == (1, 1)
    assert {roberta.token(index) for index in roberta.special_ids.values()} == {
        "<s>",
        "</s>",
        "<pad>",
        "<unk>",
        "<mask>",
    }


def test_bare_byte_pair_files_read_as_the_whole_tokenizer_does(roberta: Tokenizer, tmp_path: Path) -> None:
    library(roberta).model.save(str(tmp_path))
    bare = Tokenizer.read(tmp_path)
    texts = ["a cat sat <mask> here", "don't  naïve 😀", ""]
    for left, right in zip(roberta.encode(texts, texts), bare.encode(texts, texts), strict=True):
        assert_same(left, right)


def test_unigram_tokens_know_their_words_in_any_script(xlm_roberta: Tokenizer) -> None:
    text = "the cat 日本 ﬁne e\u0301"
    (tokens,) = xlm_roberta.encode([text])
    named = {text[slice(*words(text)[word])] for word in tokens.words.tolist() if word >= 0}
    assert named == {"the", "cat", "日", "本", "ﬁne", "e\u0301"}


# Given words
# The alignment of the published example.
def test_given_words_keep_the_place_of_their_first_piece(minilm: Tokenizer) -> None:
    (tokens,) = minilm.encode_words([["John", "Johanson", "'s", "house"]])
    assert first_pieces(tokens, 4).tolist() == [1, 2, 4, 6]
    assert tokens.words.tolist() == [-1, 0, 1, 1, 2, 2, 3, -1]


@pytest.mark.parametrize("family", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_given_words_are_never_merged_and_empty_ones_have_no_token(family: str, request: pytest.FixtureRequest) -> None:
    tokenizer: Tokenizer = request.getfixturevalue(family)
    sentence = ["don't", "", "new york", "3.14", "\x07" if family == "small" else "", "é"]
    tokens, nothing = tokenizer.encode_words([sentence, []])
    assert (first_pieces(tokens, 6) >= 0).tolist() == [True, False, True, True, False, True]
    assert len(nothing) == tokenizer.prefix + tokenizer.suffix
    joined = " ".join(sentence)
    for word, (start, end) in zip(tokens.words.tolist(), tokens.offsets.tolist(), strict=True):
        assert word < 0 or joined[start:end].strip() in sentence[word]


def test_given_words_give_the_ids_of_each_word_alone(small: Tokenizer) -> None:
    sentences = [text.split() for text in drawn(200)]
    for sentence, tokens in zip(sentences, small.encode_words(sentences), strict=True):
        alone = [index for ids in small.ids(sentence, special=False) for index in ids.tolist()]
        assert tokens.ids[1:-1].tolist() == alone


# The fast path
@pytest.mark.parametrize("family", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_the_fast_path_gives_the_same_ids(family: str, request: pytest.FixtureRequest) -> None:
    tokenizer: Tokenizer = request.getfixturevalue(family)
    texts = ["", " ", *drawn(400)]
    whole = tokenizer.encode(texts)
    for tokens, ids, bare in zip(whole, tokenizer.ids(texts), tokenizer.ids(texts, special=False), strict=True):
        assert np.array_equal(tokens.ids, ids)
        assert np.array_equal(ids[tokenizer.prefix : len(ids) - tokenizer.suffix], bare)
    for tokens, ids in zip(tokenizer.encode(texts, texts[::-1]), tokenizer.ids(texts, texts[::-1]), strict=True):
        assert np.array_equal(tokens.ids, ids)


def test_many_texts_come_back_in_order_across_chunks(small: Tokenizer) -> None:
    texts = [f"{number:b}" for number in range(10_001)]
    alone = small.ids([texts[4096], texts[-1]])
    found = small.ids(texts)
    assert len(found) == len(small.encode(texts)) == len(texts)
    assert np.array_equal(found[4096], alone[0])
    assert np.array_equal(found[-1], alone[1])


def test_no_length_is_cut_whatever_the_checkpoint_asks(minilm: Tokenizer) -> None:
    text = "word, " * 170_000
    (ids,) = minilm.ids([text])
    assert len(ids) == 340_002
    assert len(minilm.encode(["short"])[0]) == 3  # nor padded


def test_lone_surrogates_are_read_as_the_replacement_character(small: Tokenizer, gpt2: Tokenizer) -> None:
    (broken,), (mended,) = small.encode(["a\ud800 b"]), small.encode(["a\ufffd b"])
    assert np.array_equal(broken.ids, mended.ids)
    assert np.array_equal(broken.offsets, mended.offsets)
    assert np.array_equal(gpt2.ids(["a\ud800 b"])[0], gpt2.ids(["a\ufffd b"])[0])


def test_no_texts_give_no_tokens(small: Tokenizer) -> None:
    assert small.encode([]) == small.ids([]) == small.encode_words([]) == []


def test_a_fingerprint_names_the_reading(tmp_path: Path) -> None:
    path = write_vocabulary(tmp_path, SMALL)
    uncased, again, cased = (Tokenizer.wordpiece(path, lowercase=lower) for lower in (True, True, False))
    assert uncased.fingerprint == again.fingerprint != cased.fingerprint
    write_vocabulary(tmp_path, [*SMALL, "new"])
    assert Tokenizer.wordpiece(path).fingerprint != uncased.fingerprint


@pytest.mark.parametrize("family", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_what_is_written_reads_back_the_same(family: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    tokenizer: Tokenizer = request.getfixturevalue(family)
    (tmp_path / "tokenizer.json").write_text(tokenizer.to_json(), encoding="utf-8")
    again = Tokenizer.read(tmp_path)
    assert again.fingerprint == tokenizer.fingerprint
    assert again.special_tokens == tokenizer.special_tokens
    texts = list(drawn(100))
    for left, right in zip(tokenizer.encode(texts, texts), again.encode(texts, texts), strict=True):
        assert_same(left, right)


@pytest.mark.parametrize(("pieces", "capitals"), [(["[UNK]", "[CLS]", "[SEP]", "a"], False), (["Ab"], True)])
def test_a_vocabulary_shows_whether_its_text_was_cased(tmp_path: Path, pieces: list[str], *, capitals: bool) -> None:
    marks = [mark for mark in ("[UNK]", "[CLS]", "[SEP]") if mark not in pieces]
    tokenizer = Tokenizer.wordpiece(write_vocabulary(tmp_path, [*marks, *pieces]), lowercase=True)
    assert tokenizer.has_capitals is capitals


def test_a_forked_child_reads_on_without_a_warning(tmp_path: Path) -> None:
    write_vocabulary(tmp_path, SMALL)
    program = """
import os, sys
from wordworth.text.tokenizer import Tokenizer
tokenizer = Tokenizer.read(sys.argv[1])
texts = ["a b"] * 100
expected = [ids.tolist() for ids in tokenizer.ids(texts)]
child = os.fork()
if child == 0:
    os._exit(0 if [ids.tolist() for ids in tokenizer.ids(texts)] == expected else 1)
assert os.waitpid(child, 0)[1] == 0
assert os.environ["TOKENIZERS_PARALLELISM"] == "true"
"""
    environment = {name: value for name, value in os.environ.items() if name != "TOKENIZERS_PARALLELISM"}
    arguments = [sys.executable, "-W", "ignore", "-c", program, str(tmp_path)]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("texts", "second", "says"),
    [
        ("one text", None, "list of texts"),
        (["a", None], None, r"text 1 \(the first is 0\) is None"),
        (["a", float("nan")], None, r"text 1 \(the first is 0\) is nan"),
        (["a"], ["b", "c"], "1 first texts but 2 second texts"),
        (["a"], [3], r"text 0 \(the first is 0\) is 3"),
    ],
)
def test_what_is_not_text_is_refused_by_place(small: Tokenizer, texts: list, second: list, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        small.encode(texts, second)
    with pytest.raises(BadInput, match=says):
        small.ids(texts, second)


@pytest.mark.parametrize("index", [-1, len(SMALL)])
def test_an_id_outside_the_vocabulary_is_refused(small: Tokenizer, index: int) -> None:
    with pytest.raises(BadInput, match=f"ids run from 0 to {len(SMALL) - 1}"):
        small.token(index)


def test_pieces_are_listed_with_their_ids_in_order(small: Tokenizer) -> None:
    assert list(small.vocabulary) == SMALL
    assert list(small.vocabulary.values()) == list(range(len(SMALL)))


def test_a_literal_tokenizer_reads_special_tokens_as_characters_and_all_else_alike(small: Tokenizer) -> None:
    plain, mask = small.literal(), small.special_ids["mask"]
    assert mask in small.ids(["a [MASK] b"])[0]
    assert mask not in plain.ids(["a [MASK] b"])[0]
    for text in drawn(200):
        assert_same(plain.encode([text])[0], small.encode([text])[0])


def test_only_tokenizers_like_berts_read_words_alone(small: Tokenizer, gpt2: Tokenizer, xlm_roberta: Tokenizer) -> None:
    assert small.literal().is_word_local
    assert not small.is_word_local  # it sees special tokens of any shape
    assert not gpt2.literal().is_word_local
    assert not xlm_roberta.literal().is_word_local


def is_spacing_and_movable(character: str) -> bool:
    return unicodedata.combining(character) > 0 and unicodedata.category(character) != "Mn"


def pieces_of(tokenizer: Tokenizer, tokens: Tokens) -> list[str]:
    return [tokenizer.token(int(index)) for index in tokens.ids]


def assert_same(left: Tokens, right: Tokens) -> None:
    for name in ("ids", "segments", "offsets", "words"):
        assert np.array_equal(getattr(left, name), getattr(right, name)), name


def test_without_its_end_mark_a_text_is_open_and_a_pair_as_before(tmp_path):
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n")
    closed = Tokenizer.wordpiece(vocabulary)
    opened = closed.without_suffix()
    assert [ids.tolist() for ids in (*closed.ids(["a b"]), *opened.ids(["a b"]))] == [[2, 4, 5, 3], [2, 4, 5]]
    assert (opened.prefix, opened.suffix) == (1, 0)
    assert opened.ids(["a"], ["b"])[0].tolist() == closed.ids(["a"], ["b"])[0].tolist() == [2, 4, 3, 5, 3]
    assert opened.special_ids == closed.special_ids
    assert opened.without_suffix() is opened
    (tokens,) = opened.encode(["a b"])
    assert tokens.ids.tolist() == [2, 4, 5]
