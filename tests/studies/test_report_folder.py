"""A folder of a study is written again by the same study, and says so where the settings are others."""

import pytest

from wordworth.errors import BadInput
from wordworth.records import Record, read
from wordworth.reports.captions import CAPTIONS, Caption
from wordworth.studies.report_folder import ReportFolder
from wordworth.text.read_compressed_file import file_sha256

KIND = "counted"
SETTINGS = {"margin": 1.0, "models": ("minilm",), "seed": 0}


@pytest.fixture
def folder(tmp_path):
    record = Record(kind="worth", settings=SETTINGS, data={}, tables={}, findings=[])
    tmp_path.mkdir(exist_ok=True)
    record.save(tmp_path / "record.json")
    return ReportFolder.of(tmp_path, "worth")


def test_other_settings_are_named_with_their_former_values(folder, heard):
    folder.note_replaced(SETTINGS | {"margin": 3.0, "models": ("minilm", "mini"), "new": 1}, heard)
    (note,) = heard.notes
    assert note.startswith(
        f"{folder.path} holds a study with margin=1.0, models=['minilm']: this one is measured on its"
    )
    assert note.endswith("its record replaces that one")


def test_the_same_settings_and_an_empty_folder_are_silent(folder, heard, tmp_path):
    folder.note_replaced(SETTINGS, heard)
    ReportFolder(None).note_replaced(SETTINGS, heard)
    ReportFolder.of(tmp_path / "new", "worth").note_replaced(SETTINGS, heard)
    assert heard.notes == []


def test_a_record_of_other_data_is_named_with_their_file(folder, heard, tmp_path):
    same, other = tmp_path / "reviews.csv", tmp_path / "tickets.csv"
    same.write_text("text,label\n")
    other.write_text("text,label\na,b\n")
    sources = [{"path": "/somewhere/reviews.csv", "sha256": file_sha256(same), "rows": 1_200}]
    Record("worth", SETTINGS, {"sources": sources}, {}, []).save(folder.path / "record.json")
    folder.note_replaced(SETTINGS, heard, [same])
    assert heard.notes == []
    folder.note_replaced(SETTINGS, heard, [other])
    folder.note_replaced(SETTINGS | {"margin": 3.0}, heard, [same, other])
    assert f"{folder.path} holds a study of other data (reviews.csv, 1,200 rows): this one" in heard.notes[0]
    assert "of other data (reviews.csv, 1,200 rows) with margin=1.0: this one" in heard.notes[1]


def test_the_record_of_another_kind_of_study_is_not_written_over(folder):
    with pytest.raises(BadInput, match="the record of another study, of kind 'worth'"):
        ReportFolder.of(folder.path, "plan")


@pytest.fixture
def captioned(monkeypatch):
    """A function that registers a function of captions for records of `KIND`, until the test ends."""

    def register(write):
        monkeypatch.setitem(CAPTIONS.builtin, KIND, "of this test")
        monkeypatch.setattr(CAPTIONS, "get", lambda _: write)

    return register


def test_a_record_is_written_and_returned_with_the_sentences_of_its_charts_even_timed_ones(captioned, tmp_path):
    captioned(lambda record: {"cost": Caption(f"{record.timings['speed']} ms", timed=True), "curve": Caption("Up")})
    record = Record(KIND, {}, {}, {}, [], timings={"speed": 7})
    for folder in (ReportFolder(None), ReportFolder.of(tmp_path, KIND)):
        written = folder.write(record)
        assert written.finding("caption.curve").text == "Up"
        assert written.timings["captions"]["cost"]["title"] == "7 ms"
    assert read(tmp_path).finding("caption.curve").text == "Up"


def test_results_are_on_the_disk_before_their_sentences_are_written(captioned, tmp_path):
    def fails(_):
        raise ZeroDivisionError

    captioned(fails)
    with pytest.raises(ZeroDivisionError):
        ReportFolder.of(tmp_path, KIND).write(Record(KIND, {"took": "hours"}, {}, {}, []))
    assert read(tmp_path).settings == {"took": "hours"}
