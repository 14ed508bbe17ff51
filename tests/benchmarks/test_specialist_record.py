"""The specialist's side of an earlier record stands beside new scores of the rungs, on the same draws or not at all."""

import pytest

from specialist_record import former_cells, record


def cell(side, draw, score, **more):
    about = {"set": "mr", "metric": "accuracy", "labels": 500, "draw": draw, "rung": "tfidf", "side": side}
    view = {"view": "words", "model": "svc 1 None"} if side != "rungs" else {"chosen": {"view": "words"}}
    return about | {"score": score} | view | more


FORMER = record(
    [cell("specialist", draw, 60.0 + draw, with_offsets=61.0 + draw) for draw in range(3)]
    + [cell("rungs", draw, 50.0) for draw in range(3)]
    + [cell("offsets", draw, 60.0, with_offsets=62.0, with_half=61.0) for draw in range(2)]
)


def test_an_earlier_record_stands_in_for_the_cells_of_the_specialist():
    new = record([*former_cells(FORMER), *(cell("rungs", draw, 60.0 + draw) for draw in range(3))])
    (row,) = new["beside"]
    assert (row["plain"], row["specialist"], row["score"]) == (61.0, 62.0, 61.0)
    assert (row["to_plain"], row["difference"], row["draws"]) == (0.0, -1.0, 3)
    assert row["models"] == FORMER["beside"][0]["models"]
    assert new["offsets"] == FORMER["offsets"]


@pytest.mark.parametrize("draws", [1, 2])
def test_a_mean_over_other_draws_than_the_rung_s_is_compared_with_nothing(draws):
    assert not record([*former_cells(FORMER), *(cell("rungs", draw, 60.0) for draw in range(draws))])["beside"]
