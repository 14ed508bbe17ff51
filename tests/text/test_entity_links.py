"""Links inside a text are read as they were written, and what cannot be written is one clear error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.entity_links import (
    MARKERS,
    Mention,
    entities_key,
    links_as_letters,
    parse_links,
    unclosed_links,
    write_links,
)

PLAIN = st.text(st.sampled_from("ab é.😀"), min_size=1, max_size=20)


@st.composite
def linked_texts(draw):
    """A text and mentions in it that do not overlap."""
    text = draw(PLAIN)
    bounds = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
    entities = st.sampled_from(["Q1", "02345-n", ""])
    return text, [Mention(a, b, draw(entities), draw(st.sampled_from(["", *MARKERS]))) for a, b in pairs]


@given(linked_texts())
def test_reading_undoes_writing(made):
    text, mentions = made
    marked = write_links(text, mentions)
    read = parse_links(marked)
    assert read.text == text
    assert list(read.mentions) == mentions
    assert "".join(marked[index] for index in read.source[:-1]) == text
    assert read.source[-1] == len(marked)


def test_a_text_without_links_stays_as_it_is():
    for text in ("", "a [b] c", "[[unfinished|link", "[[|]]", "[[a]]", "x | y"):
        read = parse_links(text)
        assert (read.text, read.mentions) == (text, ())
        assert (read.source == np.arange(len(text) + 1)).all()


def test_a_marker_may_stand_without_an_entity():
    assert parse_links("[[ENT:|her]] hat").mentions == (Mention(0, 3, "", "ENT"),)


@pytest.mark.parametrize(
    ("mention", "message"),
    [
        (Mention(3, 99, "Q1"), "from character 3 to 99 of a text of 10"),
        (Mention(4, 4, "Q1"), "from character 4 to 4"),
        (Mention(0, 2, "a|b"), "has a character of links"),
        (Mention(0, 2, "Q1", "SUBJ"), "unknown marker 'SUBJ'"),
    ],
)
def test_a_mention_that_cannot_be_written_is_refused(mention, message):
    with pytest.raises(BadInput, match=message):
        write_links("0123456789", [mention])


def test_overlapping_mentions_and_texts_with_links_are_refused():
    with pytest.raises(BadInput, match="'0123' and '34' overlap"):
        write_links("0123456789", [Mention(3, 5, "Q2"), Mention(0, 4, "Q1")])
    with pytest.raises(BadInput, match="has links already"):
        write_links("in [[Q84|London]].", [Mention(0, 2, "Q1")])


def test_another_order_of_entities_is_another_table():
    assert entities_key(["a", "b"]) != entities_key(["b", "a"])


def test_links_that_a_plain_model_reads_as_letters_are_counted():
    assert links_as_letters(["a b", "a [b] | c"]) == ""
    warning = links_as_letters(["a [[Q1|b]]", "[[HD:Q2|a]] b", "c"])
    assert warning.startswith("2 of 3 texts have links to entities, such as [[Q1|b]]")


def test_a_text_that_is_linked_already_is_said_to_be():
    with pytest.raises(BadInput, match="this text has links already"):
        write_links("a [[Q1|b]]", [Mention(2, 6, "Q2")])


def test_a_link_that_does_not_end_is_told():
    assert unclosed_links(["a [[Q1|b]] c", "if [[ $a | $b ]]", "a[[0]] | b"]) == ""
    warning = unclosed_links(["[[HD:T47|Danbapri is [[TL:T3|here]].", "[[Q1|b]]"])
    assert warning.startswith("1 of 2 texts has a link that does not end, '[[HD:T47|Danbapri is ")
    assert links_as_letters(["[[HD:T47|Danbapri is"]).startswith("1 of 1 texts has links to entities")
