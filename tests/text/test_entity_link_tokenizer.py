"""Each token has the entity whose mention begins at it, markers stand around their mentions, offsets stay true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture

from wordworth.errors import BadInput
from wordworth.text.entity_link_tokenizer import LinkedTokenizer, open_tokenizer
from wordworth.text.entity_links import Mention, write_links
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def tokenizer(fused_folder):  # noqa: F811
    return LinkedTokenizer.read(fused_folder)


def read(tokenizer, *texts):
    (tokens,) = tokenizer.encode(*([text] for text in texts))
    return tokens, tokenizer.tokens(tokens.ids)


def test_an_entity_is_aligned_to_the_first_piece_of_its_mention_alone(tokenizer):
    tokens, pieces = read(tokenizer, "the [[Q3|the a]] s [[Q1|as]].")
    assert pieces == ["[CLS]", "the", "the", "a", "s", "a", "##s", ".", "[SEP]"]
    assert tokens.features["entity"].tolist() == [-1, -1, 2, -1, -1, 0, -1, -1, -1]


def test_markers_stand_on_both_sides_of_their_mentions(tokenizer):
    tokens, pieces = read(tokenizer, "[[HD:Q2|as]] [[TL:|b]]")
    assert pieces == ["[CLS]", "[HD]", "a", "##s", "[HD]", "[TL]", "b", "[TL]", "[SEP]"]
    assert tokens.features["entity"].tolist() == [-1, -1, 1, -1, -1, -1, -1, -1, -1]


def test_links_of_both_texts_of_a_pair_are_read(tokenizer):
    tokens, pieces = read(tokenizer, "a [[Q1|b]]", "[[ENT:Q5|c]] d")
    assert pieces == ["[CLS]", "a", "b", "[SEP]", "[ENT]", "c", "[ENT]", "d", "[SEP]"]
    assert tokens.features["entity"].tolist() == [-1, -1, 0, -1, -1, 4, -1, -1, -1]
    assert tokens.segments.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_without_links_it_reads_as_the_plain_tokenizer_does(tokenizer, fused_folder):  # noqa: F811
    plain, text = Tokenizer.read(fused_folder), "the a, b [c] [MASK]."
    ours, theirs = tokenizer.encode([text])[0], plain.encode([text])[0]
    for name in ("ids", "segments", "offsets", "words"):
        assert (getattr(ours, name) == getattr(theirs, name)).all()
    assert (ours.features["entity"] == -1).all()
    assert (tokenizer.ids([text])[0] == plain.ids([text])[0]).all()
    assert (tokenizer.ids([text], special=False)[0] == plain.ids([text], special=False)[0]).all()


@given(text=st.text(st.sampled_from("abs ."), min_size=1, max_size=20), bounds=st.tuples(*[st.integers(0, 20)] * 2))
def test_a_link_changes_no_piece_and_offsets_are_those_of_the_text_with_marks(tokenizer, text, bounds):
    start, end = sorted(min(bound, len(text)) for bound in bounds)
    marked = write_links(text, [Mention(start, end, "Q4")] if start < end else [])
    ours, theirs = tokenizer.encode([marked])[0], tokenizer.encode([text])[0]
    assert (ours.ids == theirs.ids).all()
    inner = ours.offsets[:, 1] > 0
    written = [marked[a:b] for a, b in ours.offsets[inner]]
    assert written == [text[a:b] for a, b in theirs.offsets[inner]] or start < end
    inside = (theirs.offsets[:, 0] < end) & (theirs.offsets[:, 1] > start) & inner
    expected = np.full(len(ours.ids), -1)
    if start < end and inside.any():
        expected[np.flatnonzero(inside)[0]] = 3
    assert ours.features["entity"].tolist() == expected.tolist()


def test_an_entity_that_the_model_lacks_is_one_clear_error(tokenizer):
    with pytest.raises(BadInput, match=r"the text 'a \[\[Q99\|b\]\]' links to 'Q99', an entity without a vector"):
        tokenizer.encode(["a [[Q99|b]]"])


def test_words_that_are_given_apart_have_no_links(tokenizer):
    (tokens,) = tokenizer.encode_words([["a", "bs"]])
    assert tokens.words.tolist() == [-1, 0, 1, 1, -1]
    assert (tokens.features["entity"] == -1).all()


def test_a_folder_is_opened_as_what_it_is(fused_folder):  # noqa: F811
    assert isinstance(open_tokenizer(fused_folder), LinkedTokenizer)
    assert not isinstance(open_tokenizer(fused_folder.parent / "encoder"), LinkedTokenizer)
    with pytest.raises(BadInput, match="this model has no entities"):
        LinkedTokenizer.read(fused_folder.parent / "encoder")


def test_another_table_is_another_tokenizer(tokenizer, fused_folder):  # noqa: F811
    assert tokenizer.fingerprint != Tokenizer.read(fused_folder).fingerprint
    assert tokenizer.literal().entities_key == tokenizer.entities_key
