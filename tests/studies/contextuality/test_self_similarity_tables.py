"""Words by self-similarity: most contexts first, and stop words against the rest where there are enough of both."""

import numpy as np
import pytest
from tests.studies.contextuality.made_up import layer_data

from wordworth.studies.contextuality import self_similarity_tables
from wordworth.studies.contextuality.self_similarity_tables import (
    enough_of_both,
    group_means,
    stop_word_mask,
    stop_words,
    words,
)


@pytest.fixture(scope="module")
def data():
    return layer_data()


def test_every_word_studied_has_a_row_and_those_of_most_contexts_come_first(data):
    rows = words(data)
    assert len(rows) == len(data.plan.words)
    contexts = [row["contexts"] for row in rows]
    assert contexts == sorted(contexts, reverse=True)
    assert all(row["occurrences"] >= row["contexts"] for row in rows)
    assert {len(row["self_similarity"]) for row in rows} == {data.collected.words.shape[1]}


@pytest.mark.parametrize(("stop", "rest", "enough"), [(5, 5, True), (4, 20, False), (20, 4, False)])
def test_five_of_each_are_needed(stop, rest, enough):
    assert enough_of_both(np.array([True] * stop + [False] * rest)) is enough


def test_the_rows_are_the_columns_that_are_described(data):
    assert set(words(data)[0]) == set(self_similarity_tables.WORDS)


def with_stop_words(data, monkeypatch):
    names = {data.stream.forms[form] for form in data.plan.words[: len(data.plan.words) // 2]}
    monkeypatch.setattr(self_similarity_tables, "ENGLISH_STOP_WORDS", names)
    return data


def test_the_difference_is_that_of_the_groups_means_inside_its_interval(data, monkeypatch):
    data = with_stop_words(data, monkeypatch)
    stop = stop_word_mask(data)
    means, _ = group_means(data, stop)
    rows = stop_words(data)
    assert [row["layer"] for row in rows] == list(range(data.collected.words.shape[1]))
    for row, of_stop, of_rest in zip(rows, *means, strict=True):
        assert set(row) == set(self_similarity_tables.STOP_WORDS)
        assert (row["stop"], row["rest"]) == (pytest.approx(of_stop), pytest.approx(of_rest))
        assert row["difference"] == pytest.approx(of_stop - of_rest)
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["stop_words"], row["other_words"]) == (stop.sum(), (~stop).sum())


def test_a_text_without_stop_words_has_no_such_rows(data, monkeypatch):
    monkeypatch.setattr(self_similarity_tables, "ENGLISH_STOP_WORDS", set())
    assert stop_words(data) == []


def test_markers_of_tokenizers_and_capitals_do_not_hide_a_stop_word():
    class Named:
        """Data of five words alone."""

        class plan:  # noqa: N801 - as the data's field
            words = np.arange(5)

        class stream:  # noqa: N801 - as the data's field
            forms = ("Ġthe", "▁The", "THE", "theory", "bank")

    assert stop_word_mask(Named).tolist() == [True, True, True, False, False]


def with_shared_spellings(share):
    """Sentences of made-up words of which a share, drawn evenly, are six spellings of English stop words."""
    rng = np.random.default_rng(0)
    other, shared = [f"w{place}" for place in range(40)], ["in", "was", "so", "an", "am", "also"]
    drawn = [[rng.choice(shared if rng.random() < share else other) for _ in range(10)] for _ in range(300)]
    return layer_data([" ".join(words) for words in drawn])


def test_a_language_that_shares_some_spellings_with_english_stop_words_has_no_such_rows():
    of_other = with_shared_spellings(0.1)
    assert enough_of_both(stop_word_mask(of_other))
    assert stop_words(of_other) == []
    assert stop_words(with_shared_spellings(0.4))
