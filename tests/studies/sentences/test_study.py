"""The study from a file of pairs to its record."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput


def study(files, **choices):
    usual = {"model": str(files / "tiny"), "data": files / "pairs.csv", "other_models": (), "draws": 100}
    return ww.study_sentences(**{**usual, **choices})


def test_the_same_seed_gives_the_same_record_and_a_table_in_memory_the_same_numbers(files):
    record = study(files)
    again = study(files)
    for part in ("settings", "data", "tables", "findings"):
        assert getattr(record, part) == getattr(again, part)
    rows = [
        dict(zip(("text_a", "text_b", "score"), (f"film {row}", "a book", row % 5), strict=True)) for row in range(30)
    ]
    assert study(files, data=rows).data["pairs"] == {"the table": 30}


def test_a_folder_has_record_and_page(files, tmp_path):
    record = study(files, out=tmp_path / "run")
    assert ww.read_record(tmp_path / "run") == record
    assert "<html" in (tmp_path / "run" / "report.html").read_text()
    with pytest.raises(BadInput, match="holds a model"):
        study(files, out=files / "tiny")


@pytest.mark.slow
def test_training_raises_the_score_of_what_was_trained_for(files, tmp_path):
    """Not a claim about other texts: the pairs are those that it learned from."""
    options = {"loss": "cosine", "dev": 0, "epochs": 20, "max_length": 64, "learning_rate": 1e-3}
    ww.train_sentences(files / "pairs.csv", tmp_path / "sbert", model=str(files / "tiny"), **options)
    record = study(files, model=str(tmp_path / "sbert"), other_models=(str(files / "tiny"),))
    row = next(row for row in record.tables["comparisons"].rows() if (row["first"], row["second"]) == ("own", "tiny"))
    assert row["difference"] > 0.05
    assert np.isfinite(row["low"])


def test_hostile_texts_are_scored_like_others(files):
    rows = [{"text_a": f"<script>{row}\u202e\x00", "text_b": "𝔘\n\t'\"", "score": row % 7} for row in range(30)]
    record = study(files, data=rows)
    assert record.data["pairs"] == {"the table": 30}
