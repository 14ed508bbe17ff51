"""The sentences say what the tables hold, and warn where the two views of a word disagree."""

import pytest

from wordworth.records import Table
from wordworth.studies.similarity.findings import verdict, warnings
from wordworth.studies.similarity.query_words import QUERY_WORDS
from wordworth.studies.similarity.tables import KIND_MEANS, PAIRS, WORD_SHARES, WORDS
from wordworth.studies.similarity.text_pairs import TextPairs

PAIR = {"pair": 1, "first": "a", "second": "b", "cosine": 0.5, "same_words": 0.1, "different_words": 0.35}
WORD = {"pair": 1, "position": 2, "special": False, "drop": 0.1, "pooled_drop": 0.05}


def tables(agreement):
    pair = {**PAIR, "special_tokens": 0.05, "agreement": agreement, "pooled_agreement": None}
    words = [{**WORD, "text": text, "word": f"word{text}", "contribution": 0.2} for text in (1, 2)]
    return {"pairs": Table.of([pair], PAIRS), "words": Table.of(words, WORDS)}


def test_a_pair_is_told_by_its_kinds_of_cells_and_its_largest_words():
    found = verdict(TextPairs("pair", ("a",), ("b",)), tables(0.9))
    assert found.numbers["headline"] == "The cosine is 0.50."
    assert "0.10 is from pairs of the same word, 0.35 from pairs of different words and 0.05" in found.text
    assert "“word1” (0.20) in the first text, and “word2” (0.20) in the second" in found.text


def test_of_a_query_the_words_are_named_that_the_others_confirm():
    word = {**dict.fromkeys(QUERY_WORDS, 0.2), "special": False}
    words = [{**word, "word": "sure", "p": 0.01}, {**word, "word": "chosen", "p": 0.4, "mean": 0.3}]
    query = {**tables(0.9), "query_words": Table.of(words, QUERY_WORDS)}
    facts = {"texts": 40, "median_cosine": 0.1}
    text = verdict(TextPairs("query", ("a",), ("b",), facts), query).text
    assert "the largest parts have “chosen” (0.30, 0.20 to 0.20; in random texts 0.20) and “sure”" in text
    assert "choose have more of “sure” than random texts, at a level corrected for 2 words" in text


@pytest.mark.parametrize(("agreement", "warned"), [(0.9, False), (0.2, True), (None, False)])
def test_ranks_that_leaving_out_does_not_confirm_are_warned_of(agreement, warned):
    names = [finding.name for finding in warnings(TextPairs("query", ("a",), ("b",)), tables(agreement))]
    assert ("warning.agreement" in names) == warned


def test_rows_that_were_left_out_are_counted():
    found = list(warnings(TextPairs("pairs", ("a", "c"), ("b", "d"), {"blank": 3, "repeated": 2}), tables(None)))
    assert [each.text for each in found] == [
        "2 rows repeat another pair, so that intervals are narrower than they should be.",
        "3 rows without two texts left out.",
    ]


def test_of_many_words_those_that_pass_the_corrected_level_are_named_and_how_many_luck_would_name_is_said():
    share = dict.fromkeys(WORD_SHARES, 1.2)
    shares = [{**share, "word": word, "above": word == "cat"} for word in ("cat", "sat", "mat", "hat")]
    kind = {**dict.fromkeys(KIND_MEANS, 0.2), "kind": "cosine"}
    over_pairs = {"kinds": Table.of([kind], KIND_MEANS), "word_shares": Table.of(shares, WORD_SHARES)}
    finding = verdict(TextPairs("pairs", ("a",), ("b",)), {**tables(None), **over_pairs})
    assert "corrected for their number: “cat” (1.2 times) (if none did, 0.1 would pass by luck" in finding.text
    assert "sat" not in finding.text
