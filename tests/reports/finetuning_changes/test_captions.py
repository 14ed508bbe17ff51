"""What the charts of a `finetuning` record say of its tables."""

from pathlib import Path

import pytest
from caption_checks import CAPTION_CHECKS, captions, sentences
from changed import changed, with_table

from wordworth.records import Record, Table, read
from wordworth.reports.captions import with_captions

KEPT = Path(__file__).parents[3] / "docs" / "records" / "finetuning_minilm.json"


@pytest.fixture(scope="module")
def record() -> Record:
    return read(KEPT)


def rows_of(record: Record, table: str, rows: list[dict]) -> Record:
    return with_table(record, table, Table.of(rows, record.tables[table].describe))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_a_record_with_a_plane_and_a_way_holds_the_sentences_of_both(record, check):
    check(with_captions(record))


def test_every_title_names_what_its_chart_shows_most_of(record):
    assert "CKA 0.073 with those before" in sentences(record, "layers")
    assert "changed most in layer 6, head 10: cosine 0.602" in sentences(record, "heads")
    assert "heterogeneous maps 61 % before, 73 % after" in sentences(record, "patterns")
    assert "Reset, all costs most: −30.0 points" in sentences(record, "roll-back")
    assert "this run 0.021, second seed 0.029, from scratch 0.022" in sentences(record, "around")
    assert "the least loss is 0.043, at (0.7, 0.5)" in sentences(record, "plane")
    assert "by at most 53 degrees" in sentences(record, "way")


def test_a_reset_that_costs_nothing_is_not_called_the_costliest(record):
    harmless = changed(record, "roll_back", change=0.0)
    assert sentences(harmless, "roll-back").startswith("No part costs anything when it is reset")


def test_the_line_is_that_of_the_rows_that_the_run_learned_from_where_there_are_such(record):
    rows = record.tables["basins"].rows()
    ours = [row for row in rows if (row["line"], row["direction"]) == ("this run", "line")]
    of_rows = [{**ours[0], "rows": "unseen", "falling": 0.25}, {**ours[0], "rows": "learned", "falling": 0.75}]
    others = [row for row in rows if row not in ours]
    assert "falls in 75 % of the segments" in sentences(rows_of(record, "basins", [*of_rows, *others]), "lines")
    assert "falls in 25 % of the segments" in sentences(rows_of(record, "basins", [of_rows[0], *others]), "lines")


def test_stars_are_explained_where_a_second_seed_says_what_is_beyond_doubt(record):
    assert "*: beyond doubt, at a level corrected for 72 heads." in sentences(record, "heads")
    assert "beyond doubt" not in sentences(changed(record, "heads", sure=None), "heads")


def test_texts_that_are_too_short_for_patterns_are_why_none_are_drawn(record):
    assert "Every text is too short to tell patterns." in sentences(rows_of(record, "patterns", []), "patterns")


def test_a_record_without_a_plane_or_a_way_has_no_captions_of_them(record):
    bare = rows_of(rows_of(record, "plane", []), "way", [])
    assert not captions(with_captions(bare)).keys() & {"plane", "way"}
