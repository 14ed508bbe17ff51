"""What naming groups or a time changed is said, beside the same rung after rows drawn at random."""

from __future__ import annotations

import numpy as np
import pytest

import wordworth as ww

FEW = {"label": "label", "text": "text", "rungs": ["tfidf", "random"], "seeds": 2, "draws": 100}


def rows(authors=24, each=10):
    """Every author writes a name in all texts, and has one label: whoever has read an author knows the label."""
    rng = np.random.default_rng(0)
    labels = rng.permutation(np.arange(authors) % 2)
    return [
        {
            "author": f"a{author}",
            "text": f"name{author} film {rng.integers(1000)}",
            "label": ("no", "yes")[labels[author]],
            "day": f"2024-{1 + author:02}" if author < 12 else f"2025-{author - 11:02}",
        }
        for author in range(authors)
        for _ in range(each)
    ]


@pytest.fixture(scope="module")
def by_author():
    return ww.worth(rows(), group="author", **FEW)


def test_a_rung_that_has_read_the_authors_scores_higher_and_the_record_says_how_much(by_author):
    finding = by_author.finding("method.blocked_split")
    ladder = dict(zip(by_author.table("ladder")["rung"], by_author.table("ladder")["score"], strict=True))
    assert finding.numbers["rung"] == "tfidf"
    assert finding.numbers["random_score"] > 0.95
    assert ladder["tfidf"] < 0.75
    assert f"scores {100 * ladder['tfidf']:.1f} (95 %: " in finding.text
    assert "on groups that it did not learn from; after learning from as many rows drawn at random" in finding.text


def test_the_interval_over_groups_stands_beside_that_of_independent_rows(by_author):
    numbers = by_author.finding("method.blocked_split").numbers
    assert {numbers["first"], numbers["second"]} == {"tfidf", "random"}
    assert numbers["groups_high"] - numbers["groups_low"] > 1.5 * (numbers["rows_high"] - numbers["rows_low"])


def test_by_time_the_score_on_the_latest_rows_stands_beside_a_random_split():
    finding = ww.worth(rows(), time="day", **FEW).finding("method.blocked_split")
    assert "on the latest rows; after learning from as many rows drawn at random, whatever their time, " in finding.text
    assert "independent" not in finding.text
    assert finding.numbers["random_score"] > 0.95


def test_with_neither_nothing_is_said():
    record = ww.worth(rows(), **FEW)
    assert not any(finding.name == "method.blocked_split" for finding in record.findings)
