"""Tables of a page out of the rows of a record."""

from wordworth.reports.number_format import exact, share
from wordworth.reports.tables import Column, between, row_table, value, with_interval

ROWS = [{"name": "glove", "score": 0.5, "low": 0.25, "high": 0.75}, {"name": "m", "score": None, "low": 0, "high": 1}]


def test_a_column_is_written_as_it_is_or_by_what_makes_its_cells():
    cells = {"table": "name", "score": value("score", exact, "not measured"), "95 %": between}
    grid = row_table("Scores", cells, ROWS)
    assert [[cell.text for cell in line] for line in grid.rows] == [
        ["glove", "0.500", "0.250 to 0.750"],
        ["m", "–", "0.000 to 1.000"],
    ]
    assert [line[1].why for line in grid.rows] == ["not measured", "not measured"]


def test_the_first_column_and_those_of_words_are_not_aligned_as_numbers():
    grid = row_table("Scores", {"table": "name", "score": "score", "said": "name"}, ROWS, words=("said",))
    assert [column.numeric for column in grid.columns] == [False, True, False]


def test_a_head_may_bring_its_own_note():
    head = Column("score", note="between 0 and 1")
    assert row_table("Scores", {"table": "name", head: "score"}, ROWS).columns[1] is head


def test_a_number_has_its_interval_under_it():
    row = {"f1": 0.5, "f1_low": 0.25, "f1_high": 0.75, "random": None, "low": None, "high": None}
    cell = with_interval(row, "f1", share, prefix="f1_")
    assert (cell.text, cell.detail, cell.order) == ("50 %", "25 % to 75 %", "0.5")
    absent = with_interval(row, "random", why="not measured")
    assert (absent.text, absent.detail, absent.why, absent.order) == ("–", "", "not measured", "")
