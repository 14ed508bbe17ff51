"""The stage decides which cells are made, and whether the report is written."""

from argparse import Namespace

import pytest

from parts.cells import Cell
from parts.stages import make_cells, write_report
from wordworth.records import Finding, Record, Table, read


def cells(folder):
    paths = {name: folder / f"{name.replace('/', '-')}.txt" for name in ("learn/a", "tune/a", "tune/b")}
    return [Cell(name, path, lambda path=path: path.write_text("")) for name, path in paths.items()]


@pytest.mark.parametrize(
    ("stage", "only", "made"),
    [
        ("all", [], ["learn-a.txt", "tune-a.txt", "tune-b.txt"]),
        ("work", ["*/a"], ["learn-a.txt", "tune-a.txt"]),
        ("tune", [], ["tune-a.txt", "tune-b.txt"]),
        ("report", [], []),
    ],
)
def test_the_cells_of_the_stage_are_made(tmp_path, stage, only, made):
    make_cells(Namespace(stage=stage, only=only), lambda: cells(tmp_path))
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == made


def test_the_report_has_the_tables_in_their_order_under_the_verdict(tmp_path, capsys):
    tables = {name: Table.of([{"row": name}], {"row": "its name"}) for name in ("first", "second", "third")}
    record = Record("stages", {}, {}, tables=tables, findings=[Finding("verdict", "It helps.", {"headline": "Yes."})])
    write_report(Namespace(stage="report", only=[], out=tmp_path), "answer", lambda: record, ("second", "first"))
    answer = (tmp_path / "answer.md").read_text()
    assert answer.startswith("Yes.\nIt helps.\n\n| row |")
    assert answer.index("second") < answer.index("first")
    assert "third" not in answer
    assert read(tmp_path / "answer.json").tables["third"].rows() == [{"row": "third"}]
    assert capsys.readouterr().out == "Yes.\nIt helps.\n"


@pytest.mark.parametrize(("stage", "only"), [("work", []), ("tune", []), ("all", ["tune/*"])])
def test_there_is_no_report_of_some_cells(tmp_path, stage, only):
    write_report(Namespace(stage=stage, only=only, out=tmp_path), "answer", pytest.fail, ())
    assert list(tmp_path.iterdir()) == []
