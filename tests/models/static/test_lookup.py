"""Words of a text are found in a table as a person would look them up: as written, in lower case, then in pieces."""

import pytest

from wordworth.models.static.lookup import Words

WORDS = ["the", "paris", "Paris", "well", "known", "do", "n't", "'s", "it", ",", "日", "本", "well-read", "o'clock"]
TABLE = Words({word: row for row, word in enumerate(WORDS)})


def looked_up(text):
    """The words found in one text, and how many tokens were not."""
    rows = TABLE.find([text])
    return [WORDS[row] for row in rows.rows], rows.unknown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't, it's the", ["Do", "n't", ",", "it", "'s", "the"]),
        ("o’clock", ["o'clock"]),
        ("The U.S", ["The", "U.S"]),
        ("well-known!", ["well-known", "!"]),
        ("", []),
    ],
)
def test_clitics_come_off_and_abbreviations_stay_whole(text, words):
    assert Words.tokens(text) == words


def test_a_word_as_written_goes_before_its_lower_case():
    assert looked_up("Paris PARIS paris") == (["Paris", "paris", "paris"], 0)


def test_a_word_that_is_missing_is_read_by_its_parts():
    assert looked_up("well-known") == (["well", "known"], 0)
    assert looked_up("well-read") == (["well-read"], 0)
    assert looked_up("well-hidden") == (["well"], 0)


def test_a_word_without_any_known_part_counts_as_unknown_each_time():
    assert looked_up("xyzzy the xyzzy") == (["the"], 2)


def test_scripts_without_spaces_are_read_by_their_characters():
    assert looked_up("日本語") == (["日", "本"], 0)


def test_texts_keep_their_bounds():
    rows = TABLE.find(["the the", "", "it"])
    assert rows.starts.tolist() == [0, 2, 2, 3]


def test_words_looked_up_as_words_are_not_taken_apart():
    rows = TABLE.find_words(["The", "well-known", "it"])
    assert (rows.starts.tolist(), rows.unknown) == ([0, 1, 1, 2], 1)
