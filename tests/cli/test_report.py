import pytest
from tests.cli.terminal import wordworth
from tests.reports.example_record import example

from wordworth.reports import render


@pytest.fixture
def run(tmp_path):
    """A folder with a record and no page."""
    record = example()
    record.save(tmp_path / "run" / "record.json")
    return tmp_path / "run", render(record)


@pytest.mark.parametrize("named", ["", "record.json"])
def test_the_page_is_written_beside_the_record_by_its_name_or_that_of_its_folder(run, named):
    folder, page = run
    done = wordworth("report", folder / named)
    assert (done.code, done.out) == (0, f"{folder / 'report.html'}\n")
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_the_page_is_written_where_it_is_told_to_be(run, tmp_path):
    folder, page = run
    assert wordworth("report", folder, "--out", tmp_path / "here.html").code == 0
    assert (tmp_path / "here.html").read_text(encoding="utf-8") == page
    assert not (folder / "report.html").exists()


def test_what_is_no_record_is_one_line(tmp_path):
    (tmp_path / "notes.json").write_text("{}")
    for record in ("notes.json", "nowhere"):
        done = wordworth("report", tmp_path / record)
        assert done.code == 2
        assert len(done.err.strip().splitlines()) == 1
        assert record in done.err
