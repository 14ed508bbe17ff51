"""Records and predictions that an earlier version wrote are read, drawn, scored, and make way for the same study."""

import json
import re
from pathlib import Path

import pytest
from tests.compat import commands, outputs

import wordworth as ww
from wordworth.studies.report_folder import ReportFolder

TUNED = [f"tuned/{name}" for name in commands.TUNED]
STUDIES = [f"records/{name}" for name in commands.STUDIES]


@pytest.mark.parametrize("name", [*STUDIES, *TUNED])
def test_a_record_written_by_an_earlier_version_still_opens_and_makes_its_page(opened, expected, name):
    opened("tuned" if name in TUNED else "records")
    written = json.loads(Path(name, "record.json").read_text(encoding="utf-8"))
    record = ww.read_record(name)
    assert [one.text for one in record.findings] == [one["text"] for one in written["findings"]]
    lengths = [len(next(iter(table["columns"].values()))) for table in written["tables"].values()]
    assert sorted(len(record.table(table)) for table in record.tables) == sorted(lengths)
    assert outputs.charts(name) == expected["charts"][name]


@pytest.mark.parametrize("name", commands.TUNED)
def test_predictions_written_by_an_earlier_version_are_scored_as_they_were(opened, expected, name):
    opened("tuned")
    scored = outputs.command(commands.EVALUATE, f"tuned/{name}/predictions.jsonl")
    scored = scored.partition(" note: All ")[0]  # later versions add a note on perfect scores,
    scored = re.sub(r" Read as \w+(, \d+ classes)?: .*?\.(?= note: |$)", "", scored)  # and how the labels were read
    assert scored == expected["scored"][name]


@pytest.mark.parametrize("name", ["words", "senses", "context"])
def test_the_same_study_may_write_over_the_record_of_an_earlier_version(opened, name):
    opened("records")
    file = Path(f"records/{name}/record.json")
    before = file.stat().st_mtime_ns
    outputs.command(commands.STUDIES[name], file.parent)
    assert file.stat().st_mtime_ns > before
    assert ww.read_record(file).kind == name


@pytest.mark.parametrize(
    ("archive", "folder", "study"),
    [("records", "records/worth-quick", "worth"), ("finished-finetuning", "finished-finetuning/run", "finetune")],
)
def test_a_folder_of_an_earlier_version_belongs_to_its_study(opened, archive, folder, study):
    opened(archive)
    assert ReportFolder.of(folder, study).earlier == ww.read_record(folder).verdict.partition("\n")[0]
