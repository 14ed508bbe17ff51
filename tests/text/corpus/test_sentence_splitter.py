from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.text.corpus.sentence_splitter import LONGEST, sentences


def parts(text):
    return [text[begin:end] for begin, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["He met Dr. Hale at 5 p.m. in Rome.", "They left."],
        ["J. R. Smith of the U.S. Army left.", "He moved to the U.S.", "The end came."],
        ['"Why?" she asked.', '"I know."', "She left..."],
        ["It cost $3.5 million.", "Then what?", "Yes!", "(See Fig. 3 and No. 7.)", "Good."],
        ["He lived on St. James St.", "It was cold, i.e. wet.", "Mr. and Mrs. Low came, etc."],
        ["Was I wrong?", "It was I.", "Am I?"],
        ["One sentence without an end"],
        ["Really?!", '"No!" he cried, "never!"', "'Go.'", "They went."],
        ["Das kostet z.B. 3.000 Euro.", "Er kam, u.a. im Mai.", "Gut."],
        ["Elle est partie…", "Où ?", "¿Dónde está?", "¡Aquí!"],
        ["Это дом.", "А это?", "Он ушёл."],
        ["यह है।", "वह था।"],
        ["هل ذهب؟", "نعم."],
        ["Սա տուն է։", "Լավ։"],
    ],
)
def test_sentences_of_many_kinds_are_found(expected):
    assert parts(" ".join(expected)) == expected


def test_scripts_without_blanks_end_their_sentences_with_a_mark_alone():
    assert parts("他来了。我走了！「好。」他说。") == ["他来了。", "我走了！", "「好。」", "他说。"]
    assert parts("そうです。行きます？はい。") == ["そうです。", "行きます？", "はい。"]


def test_what_is_too_long_for_a_sentence_is_cut_at_blanks():
    text = " ".join(["word"] * 3000)
    found = parts(text)
    assert max(map(len, found)) <= LONGEST
    assert " ".join(found) == text
    assert max(map(len, parts("x" * 5000))) == LONGEST


@given(st.text(alphabet="ab A.!?…\"'()。। \n\t—-1" + "é中", max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_character_but_blanks_is_lost_and_none_is_in_two_sentences(text):
    spans = sentences(text)
    assert all(begin < end for begin, end in spans)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))
    assert "".join("".join(parts(text)).split()) == "".join(text.split())


def test_a_paragraph_of_blanks_has_none():
    assert sentences(" \t ") == []
