"""What the charts of a `layers` record say of its tables."""

from dataclasses import replace
from pathlib import Path

import pytest
from caption_checks import captions, sentences
from changed import changed, with_table

from wordworth.records import Record, Table, read
from wordworth.reports.captions import with_captions

KEPT = Path(__file__).parents[3] / "docs" / "records" / "layers_minilm.json"


@pytest.fixture(scope="module")
def record() -> Record:
    return read(KEPT)


def first_rows(record: Record, table: str, number: int) -> Record:
    whole = record.tables[table]
    return with_table(record, table, Table.of(whole.rows()[:number], whole.describe))


def test_the_labels_that_a_lower_layer_is_enough_for_are_counted(record):
    labels, layers = len(record.tables["choices"].rows()), record.data["layers"]
    assert f"for {labels} of {labels} labels" in sentences(changed(record, "choices", layer=layers - 1), "choices")
    assert f"for 0 of {labels} labels" in sentences(changed(record, "choices", layer=layers), "choices")


def test_the_tasks_that_are_found_first_and_last_are_named(record):
    rows = sorted(record.tables["expected"].rows(), key=lambda row: row["expected"])
    title = sentences(record, "expected").partition(" The expected layer")[0]
    assert title.startswith(f"“{rows[0]['task']}” is found first, at ")
    assert f", “{rows[-1]['task']}” last, at " in title
    alone = sentences(first_rows(record, "expected", 1), "expected").partition(" The expected layer")[0]
    assert " is found at " in alone
    assert "last" not in alone


@pytest.mark.parametrize(
    ("later", "earlier", "words"),
    [(True, False, "surely later"), (False, True, "surely earlier"), (False, False, "not told apart")],
)
def test_neighbours_of_the_published_order_are_compared_in_words(record, later, earlier, words):
    assert f"layers, {words}." in sentences(changed(record, "steps", later=later, earlier=earlier), "expected")


def test_what_took_time_stands_with_the_timings_and_nothing_else_does(record):
    captioned = with_captions(record)
    assert list(captioned.timings["captions"]) == ["choices"]
    assert "ms a text up to layer" in sentences(record, "choices")
    numbers = range(len(record.tables["tasks"].rows()))
    by_task = {f"{chart}-{number}" for chart in ("depths", "layers", "codes") for number in numbers}
    assert captions(captioned).keys() == {"choices", "expected"} | by_task


def test_where_nothing_was_timed_the_caption_of_choices_is_a_finding(record):
    untimed = {name: value for name, value in record.timings.items() if name not in {"speed", "captions"}}
    captioned = with_captions(replace(record, timings=untimed))
    assert "captions" not in captioned.timings
    assert "caption.choices" in [finding.name for finding in captioned.findings]
