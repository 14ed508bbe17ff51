"""The charts of costs: what is not timed, not told apart or meaningless is not drawn as if it were."""

from __future__ import annotations

import dataclasses

import pytest
from elements import named
from example_record import Shape, example
from worth_pages import drawn

from wordworth.reports import render


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


def test_what_was_not_timed_is_said_not_to_be(page: str) -> None:
    untimed = render(example(Shape(timed=False)))
    assert "not timed" in untimed
    assert "not timed" not in named(page, "dl")[0].text
    assert "size on disk (log scale)" in untimed
    assert "The decision map needs the timings" in untimed


def test_speeds_that_a_clock_cannot_tell_apart_are_not_told_apart() -> None:
    record = example(Shape(answer="contextual is worth it"))
    columns = dict(record.timings["costs"].columns)
    columns["texts_per_second"] = [70.0 + place for place in range(len(columns["rung"]))]
    costs = dataclasses.replace(record.timings["costs"], columns=columns)
    html = render(dataclasses.replace(record, timings={**record.timings, "costs": costs}))
    assert "at about the same speed" in html
    assert "times its" not in html


def test_what_a_constant_costs_is_not_written_with_digits_that_mean_nothing() -> None:
    record = example()
    count = len(record.timings["costs"].columns["rung"])
    meaningless = {"texts_per_second": [1.3e8] * count, "price_per_million": [2.1e-7] * count}
    costs = dataclasses.replace(record.timings["costs"], columns={**record.timings["costs"].columns, **meaningless})
    html = render(dataclasses.replace(record, timings={**record.timings, "costs": costs}))
    assert "over 1,000,000" in html
    assert "under $0.001" in html
    assert "130,000,000" not in html


def test_the_map_speaks_with_the_verdicts_voice_where_context_is_worth_it() -> None:
    record = example(Shape(answer="contextual is worth it"))
    found = record.timings["decision"]
    rungs = [["minilm-finetuned"] * len(row) for row in found["rung"]]
    sure = {**found, "rung": rungs, "uncertain": [[False] * len(row) for row in rungs]}
    html = render(dataclasses.replace(record, timings={**record.timings, "decision": sure}))
    assert "With 3,893 labels, context is worth it at any volume: MiniLM (fine-tuned)" in html
