"""Transfer of labels, from a file to its record."""

import pytest
from tests.studies.languages.conftest import rows

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.text_encoder import TextEncoder


def study(files, **choices):
    return ww.study_languages(files / "texts.csv", **{"model": str(files / "tiny"), "draws": 100, **choices})


@pytest.mark.slow
def test_the_same_seed_gives_the_same_record_and_a_table_in_memory_the_same_numbers(files):
    record, again = study(files), study(files)
    for part in ("settings", "data", "tables", "findings"):
        assert getattr(record, part) == getattr(again, part)
    table = ww.study_languages(rows(), model=str(files / "tiny"), draws=100)
    assert {name: each.columns for name, each in table.tables.items()} == {
        name: each.columns for name, each in record.tables.items()
    }


def test_a_stopped_study_goes_on_where_it_was(files, monkeypatch):
    texts = []
    encode = TextEncoder.encode

    def counted(self, several, **choices):
        texts.append(len(several))
        if len(texts) == 3:
            raise KeyboardInterrupt
        return encode(self, several, **choices)

    monkeypatch.setattr(TextEncoder, "encode", counted)
    with pytest.raises(KeyboardInterrupt):
        study(files, seed=7)
    record = study(files, seed=7)
    assert len(texts) == 3 + 4, "two of six languages were finished"
    monkeypatch.undo()
    assert study(files, seed=7).tables == record.tables


def test_a_number_of_fine_tuning_runs_without_fine_tuning_is_refused(files):
    with pytest.raises(BadInput, match="`restarts` is the number of fine-tuning runs; add `freeze`, or leave it out"):
        study(files, restarts=2)


def test_a_folder_has_record_and_page(files, tmp_path):
    record = study(files, out=tmp_path / "run")
    assert ww.read_record(tmp_path / "run") == record
    assert "<html" in (tmp_path / "run" / "report.html").read_text()
    with pytest.raises(BadInput, match="holds a model"):
        study(files, out=files / "tiny")


def test_hostile_texts_and_names_are_read_like_others(files):
    table = [{**row, "text": f"<script>{row['text']}\u202e", "language": f"<b>{row['language']}"} for row in rows()]
    record = ww.study_languages(table, model=str(files / "tiny"), draws=100)
    assert record.data["languages"] == ["<b>aa", "<b>bb", "<b>cc"]
    assert "<b>aa" not in ww.report(record)


@pytest.mark.slow
def test_with_freeze_the_encoder_is_fine_tuned_on_the_source(files):
    record = study(files, freeze=True, restarts=2, limit=40)
    rows = record.tables["frozen"].rows()
    assert {(row["system"], row["frozen"]) for row in rows} == {
        *(("model", level) for level in (-1, 0, 1, 2)),
        ("random weights", -1),
    }
    assert record.finding("frozen").text in record.finding("verdict").text
    assert "Fine-tuned with frozen layers" in ww.report(record)
