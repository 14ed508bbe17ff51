"""The study from files to a record: files and tables alike, parts, and one clear error for bad input."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from tests.studies.crossmodal.made_up import FAST, write_inputs

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.progress import NoProgress


def test_the_record_names_its_files_and_has_every_table(crossmodal_study):
    (features, captions), record = crossmodal_study
    assert record.kind == "crossmodal"
    assert [each["path"] for each in record.data["sources"]] == [features.name, captions.name]
    assert (record.data["sequences"], record.data["groups"]) == (60, 6)
    assert set(record.tables) == {"scores", "differences", "groups", "validation", "folds", "examples"}


@pytest.mark.slow
def test_a_table_in_memory_gives_the_same_numbers(crossmodal_study):
    (features, captions), record = crossmodal_study
    table = pd.read_csv(captions).drop(columns="audio")
    assert ww.study_crossmodal(features, table, **FAST).tables["scores"] == record.tables["scores"]


@pytest.mark.slow
def test_a_study_anew_gives_the_same_numbers(crossmodal_study, tmp_path, monkeypatch):
    (features, captions), record = crossmodal_study
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path))
    anew = ww.study_crossmodal(features, captions, **FAST)
    assert anew.tables == record.tables


@pytest.mark.slow
def test_a_column_of_parts_decides_who_is_tested(crossmodal_study):
    (features, captions), _ = crossmodal_study
    table = pd.read_csv(captions).drop(columns="audio")
    part = {"speaker0": "valid", "speaker1": "test"}
    table["part"] = [part.get(group, "train") for group in table["group"]]
    folds = ww.study_crossmodal(features, table, **FAST).table("folds")
    assert folds[["valid", "test"]].to_numpy().tolist() == [["speaker0", "speaker1"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"group": "one"}, "1 group: with 3 or more"),
        ({"text": ""}, "no sequence has both words and rows of features"),
        ({"end": 0}, "an empty sequence|before the first"),
        ({"end": 10_000}, "rows of features"),
        ({"part": "train"}, "0 sequences in the part 'valid'"),
        ({"audio": "none.wav"}, "there is no such file"),
    ],
)
def test_sequences_that_cannot_be_studied_are_one_clear_error(crossmodal_study, tmp_path, change, message):
    (features, captions), _ = crossmodal_study
    table = pd.read_csv(captions).drop(columns="audio").assign(**change)
    with pytest.raises(BadInput, match=message):
        ww.study_crossmodal(features, table, **FAST, out=tmp_path / "run")
    assert not (tmp_path / "run" / "record.json").exists()


@pytest.mark.parametrize(
    ("bad", "chosen", "message"),
    [(np.nan, {}, "NaN or infinity"), (0.0, {"k": 1_000}, "to learn .* 1000 clusters")],
)
def test_features_that_cannot_be_studied_are_one_clear_error(crossmodal_study, tmp_path, bad, chosen, message):
    (features, captions), _ = crossmodal_study
    rows = np.load(features)
    rows[5] = bad
    np.save(tmp_path / "features.npy", rows)
    with pytest.raises(BadInput, match=message):
        ww.study_crossmodal(tmp_path / "features.npy", captions, **FAST | chosen)


def test_sequences_of_words_alone_and_of_codes_alone_train_and_are_counted(crossmodal_study):
    """Three regimes as in VideoBERT: text, codes, and both; half of each speaker's sequences have one side."""
    (features, captions), _ = crossmodal_study
    table = pd.read_csv(captions).drop(columns="audio").astype({"start": "Int64", "end": "Int64"})
    turn = np.arange(len(table)) // 6 % 4
    table.loc[turn == 2, "text"] = None
    table.loc[turn == 3, ["start", "end"]] = pd.NA
    words, codes = int((turn == 3).sum()), int((turn == 2).sum())
    more = pd.DataFrame([{"start": 0, "end": 4, "group": "film"}, {"text": "red blue", "group": "book"}])
    record = ww.study_crossmodal(features, pd.concat([table, more], ignore_index=True), **FAST)
    assert (record.data["words_alone"], record.data["codes_alone"]) == (words + 1, codes + 1)
    assert record.finding("method.alone").numbers == {"words_alone": words + 1, "codes_alone": codes + 1}
    folds = record.table("folds")
    assert folds["test_sequences"].sum() == len(table) - words - codes
    assert all({"film", "book"} <= set(groups.split(", ")) for groups in folds["train"])
    assert (folds["words_alone"] > 0).all()
    assert (folds["codes_alone"] > 0).all()
    alone = folds["words_alone"] + folds["codes_alone"]
    both = folds["train_sequences"] - alone
    assert (both + folds["valid_sequences"] + folds["test_sequences"] == len(table) - words - codes).all()


def test_fewer_folds_than_were_asked_for_are_said_before_anything_is_trained(tmp_path, monkeypatch):
    class Notes(NoProgress):
        def note(self, message):
            notes.append(message)

    def stopped(*_):
        raise KeyboardInterrupt

    notes = list[str]()
    monkeypatch.setattr(import_module("wordworth.studies.crossmodal.study"), "outcomes", stopped)
    with pytest.raises(KeyboardInterrupt):
        ww.study_crossmodal(*write_inputs(tmp_path, sounds=False), **FAST | {"group_folds": 50}, progress=Notes())
    assert notes == ["There are 6 folds, not the 50 asked for: a fold tests one group at least."]
