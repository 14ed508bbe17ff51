"""The word explorer as far as studies share it."""

import numpy as np
import pytest

from wordworth.studies.word_explorer_tables import (
    UNKNOWN,
    ExplorerWord,
    Pool,
    candidates,
    excerpt,
    explorer_tables,
    neighbours,
    project,
)


def unit(*degrees):
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def shown(units, senses, **changes):
    number = len(units)
    fields = {
        "contexts": tuple((f"before {place}", "bank", f"after {place}") for place in range(number)),
        "sentences": tuple(range(number)),
        "forms": frozenset({"bank"}),
        **changes,
    }
    return ExplorerWord(3, units, np.array(senses), **fields)


POOL = Pool.of(unit(0, 90, 180, 270), ("east", "north", "west", "bank"), ("a", "b", "c", "d"))


def test_of_a_word_whose_senses_nobody_knows_the_two_occurrences_least_alike_are_shown():
    word = shown(unit(10, 20, 60, 170), [UNKNOWN] * 4)
    rows = list(neighbours(word, POOL))
    assert [row["before"] for row in rows] == ["before 0", "before 3"]
    assert [row["words"][0] for row in rows] == ["east", "west"]
    assert [row["sense"] for row in rows] == [None, None]


def test_of_a_word_with_senses_the_middle_of_each_of_the_two_commonest_is_shown():
    word = shown(unit(0, 10, 20, 100, 90, 80, 180), [0, 0, 0, 1, 1, 1, UNKNOWN])
    rows = list(neighbours(word, POOL))
    assert [(row["sense"], row["before"]) for row in rows] == [(0, "before 1"), (1, "before 4")]


def test_one_sense_alone_does_not_hide_the_occurrences_least_alike():
    word = shown(unit(0, 10, 170), [0, 0, UNKNOWN])
    assert [row["before"] for row in neighbours(word, POOL)] == ["before 0", "before 2"]


def test_of_occurrences_that_are_all_the_same_two_are_shown():
    word = shown(np.zeros((3, 2), np.float32), [UNKNOWN] * 3)
    assert [row["before"] for row in neighbours(word, POOL)] == ["before 0", "before 1"]


def test_neighbours_are_other_words_in_other_sentences():
    word = shown(unit(270, 0), [UNKNOWN] * 2, sentences=("a", "a"))
    for row in neighbours(word, POOL):
        assert set(row["words"]) == {"north", "west"}


def test_the_picture_says_what_is_known_of_each_occurrence_and_how_much_it_shows():
    rows, share = project(shown(unit(0, 120, 240), [1, UNKNOWN, 0]))
    assert [row["sense"] for row in rows] == [1, None, 0]
    assert {row["entry"] for row in rows} == {3}
    assert share == pytest.approx(1)


def test_context_is_cut_between_words_and_says_so():
    assert excerpt("a b", "word", "c") == ("a b", "word", "c")
    assert excerpt("", "word", "") == ("", "word", "")
    many = " ".join("abcdefghij")
    assert excerpt(many, "New  York", many) == ("…c d e f g h i j", "New York", "a b c d e f g h…")
    long = ["the", "chauffeur", "drives", "extraordinarily", "conscientiously", "towards", "it"]
    before, _, after = excerpt(" ".join(long), "word", " ".join(long))
    assert before == "…extraordinarily conscientiously towards it"  # with `drives` it were 49 characters
    assert after == "the chauffeur drives extraordinarily…"


def test_a_word_too_long_by_itself_is_cut_inside():
    before, _, after = excerpt("a " + "x" * 100, "word", "y" * 100)
    assert before == "…" + "x" * 48
    assert after == "y" * 48 + "…"


def test_of_a_form_two_occurrences_at_most_are_candidates_for_neighbours():
    forms = ["cat", "the", "cat", "dog", "cat", "the"]
    assert list(candidates(forms, lambda form: form != "the")) == [0, 2, 3]


def test_the_tables_hold_each_word_with_its_number_and_the_share_of_its_plane():
    word = shown(unit(0, 10, 170), [0, 0, UNKNOWN])
    words, occurrences, near = explorer_tables([(word, POOL, {"word": "bank"})])
    rows, share = project(word)
    assert words == [{"word": "bank", "entry": 3, "shown": round(share, 4)}]
    assert occurrences == rows
    assert near == list(neighbours(word, POOL))
