"""The study from a file of pairs to its record."""

import pytest
from tests.studies.counted_steps import CountedSteps
from tests.studies.languages.conftest import write
from tests.studies.languages.translation_retrieval.pair_tables import pairs

import wordworth as ww
from wordworth.models.text_encoder import TextEncoder


def study(files, **choices):
    return ww.study_languages(
        write(files / "pairs.csv", pairs(30)), **{"model": str(files / "tiny"), "draws": 100, **choices}
    )


def test_a_stopped_study_goes_on_and_gives_the_same_record(files, monkeypatch):
    calls = []
    pooled = TextEncoder.pooled_layers

    def counted(self, texts, **choices):
        calls.append(len(texts))
        if len(calls) == 6:  # the second language's second side
            raise KeyboardInterrupt
        return pooled(self, texts, **choices)

    monkeypatch.setattr(TextEncoder, "pooled_layers", counted)
    with pytest.raises(KeyboardInterrupt):
        study(files, seed=3)
    record = study(files, seed=3)
    assert len(calls) == 6 + 4, "the first language was finished"
    monkeypatch.undo()
    again = study(files, seed=3)
    for part in ("settings", "data", "tables", "findings"):
        assert getattr(again, part) == getattr(record, part)
    assert record.data["task"] == "translations"
    assert {row["language"] for row in record.tables["retrieval"].rows()} == {"aa", "bb"}
    assert record.finding("warning.few_pairs").numbers["languages"] == ["aa", "bb"]


def test_languages_of_an_earlier_call_do_not_count_as_work_of_this_one(files):
    first, second = CountedSteps(), CountedSteps()
    for progress in (first, second):
        study(files, seed=5, progress=progress)
    total = first.steps["finding translations"][0]
    assert first.steps["finding translations"] == [total, total, 0]
    assert second.steps["finding translations"] == [total, 0, total]
