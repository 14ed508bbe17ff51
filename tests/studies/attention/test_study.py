"""The study from texts to a record, a page and a file of maps, and what it refuses."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.reports.attention.viewer_data import AttentionRecord

TEXT = ["The cat sat because it was tired."]


def test_a_text_has_a_row_for_every_head_and_a_page_with_maps(tmp_path):
    record = ww.study_attention(TEXT, model="mini", out=tmp_path / "run")
    assert isinstance(record, AttentionRecord)
    assert len(record.tables["heads"].rows()) == 16
    assert record.data["models"] == ["mini"]
    assert {row["figure"] for row in record.tables["control"].rows()} >= {"entropy", "special", "previous", "next"}
    assert ", with random weights" in record.verdict
    assert 'id="attention-data"' in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert ww.read_record(tmp_path / "run") == record
    assert 'id="attention-data"' in ww.report(record)


def test_a_page_with_maps_is_not_replaced_by_one_without(tmp_path):
    ww.study_attention(TEXT, model="mini", out=tmp_path / "run")
    with pytest.raises(BadInput, match="attention maps"):
        ww.report(tmp_path / "run", out=tmp_path / "run" / "report.html")
    ww.report(tmp_path / "run", out=tmp_path / "tables.html")
    ww.study_attention(TEXT, model="mini", out=tmp_path / "run")


def test_the_same_text_gives_the_same_bytes():
    one, two = (ww.study_attention(TEXT, model="mini").to_json().partition('"timings"')[0] for _ in "ab")
    assert one == two


def test_half_of_a_surrogate_pair_is_read_as_an_unknown_character(tmp_path):
    record = ww.study_attention(["the \ud800 cat"], model="mini", out=tmp_path / "run")
    assert record.data["texts"] == ["the \ufffd cat"]


def test_by_pieces_a_split_word_has_several_rows():
    text = ["Unbelievably uncharacteristic antidisestablishmentarianism."]
    words, pieces = (
        ww.study_attention(text, model="mini", units=units).tables["tokens"] for units in ("words", "pieces")
    )
    assert len(pieces.rows()) > len(words.rows())


def test_two_texts_and_random_weights_beside(tmp_path):
    record = ww.study_attention(["Where is it?", "In Rome."], model="mini", beside="random", out=tmp_path / "run")
    rows = record.tables["heads"].rows()
    assert len(rows) == 32
    assert all(0 <= row["across"] <= 1 and row["difference"] > 0 for row in rows)
    assert record.data["models"] == ["mini", "random weights"]
    drawn = [row["special"] for row in rows if row["model"] == "random weights"]
    control = {row["figure"]: row for row in record.tables["control"].rows()}
    assert control["special"]["random_highest"] == max(drawn)
    assert 0 <= control["across"]["random_mean"] <= 1
    assert "random weights" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_a_second_model_of_the_same_name_and_of_another_family(tmp_path):
    bert = write_tiny(tmp_path / "a" / "tiny")
    again, gpt2 = write_tiny(tmp_path / "b" / "tiny"), write_tiny(tmp_path / "gpt2", "gpt2")
    same = ww.study_attention(["the cat."], model=str(bert), beside=str(again))
    assert same.data["models"] == ["tiny", "tiny (second)"]
    assert max(row["difference"] for row in same.tables["heads"].rows()) < 1e-6
    other = ww.study_attention(["the cat."], model="mini", beside=str(gpt2))
    assert all(row["difference"] is None for row in other.tables["heads"].rows())


def test_the_folder_of_a_fine_tuning_is_a_model_too(tmp_path):
    before = write_tiny(tmp_path / "tiny")
    (write_tiny(tmp_path / "run" / "model") / "wordworth.json").write_text("{}")
    record = ww.study_attention(["the cat."], model=str(before), beside=str(tmp_path / "run"))
    assert record.data["models"] == ["tiny", "run"]


def test_maps_that_were_saved_give_the_same_figures(tmp_path):
    first = ww.study_attention(TEXT, model="mini", save_maps=tmp_path / "maps.npz")
    second = ww.study_attention(arrays=tmp_path / "maps.npz")
    assert "control" not in second.tables
    assert "random weights" not in second.verdict
    for one, two in zip(first.tables["heads"].rows(), second.tables["heads"].rows(), strict=True):
        assert one == pytest.approx(two)
    loaded = np.load(tmp_path / "maps.npz", allow_pickle=False)
    assert loaded["attention"].sum(-1) == pytest.approx(np.ones(loaded["attention"].shape[:3]), abs=1e-5)


@pytest.mark.slow
def test_what_cannot_be_studied_is_refused(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    np.savez(tmp_path / "maps.npz", attention=np.ones((1, 1, 1, 1)), tokens=np.array(["a"]))
    for texts, choices, what in (
        ([], {}, "got 0 texts"),
        ([" "], {}, "a text is empty"),
        (["word " * 600], {}, "tokens are more than the"),
        (TEXT, {"model": "glove"}, "no attention"),
        (TEXT, {"beside": "glove"}, "no attention"),
        (TEXT, {"arrays": tmp_path / "maps.npz", "model": "minilm"}, "both texts and arrays"),
        ([], {"arrays": tmp_path / "maps.npz"}, "both arrays and a model"),
        ([], {"arrays": tmp_path / "maps.npz", "model": "minilm", "beside": "mini"}, "both arrays and a model"),
        ([], {"arrays": tmp_path / "none.npz", "model": "minilm"}, "none.npz"),
        (TEXT, {"save_maps": tmp_path / "file" / "maps.npz"}, "not a folder"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_attention(texts, out=tmp_path / "run", **{"model": "mini", **choices})
        assert not (tmp_path / "run").exists()


def test_a_file_of_maps_that_cannot_be_written_is_refused_before_the_model_is_read(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(BadInput, match="not a folder") as refused:
        ww.study_attention(TEXT, model=str(tmp_path / "no-model"), save_maps=tmp_path / "file" / "maps.npz")
    assert refused.value.mend == "choose another --save-maps"


def test_a_model_without_attention_is_refused_with_what_can_be_asked_of_it():
    with pytest.raises(BadInput) as refused:
        ww.study_attention(TEXT, model="glove")
    assert "study" in refused.value.mend


def test_maps_go_into_an_npz_alone(tmp_path):
    (tmp_path / "mine.csv").write_text("a,b")
    with pytest.raises(BadInput, match=r"the file for maps is an \.npz"):
        ww.study_attention(TEXT, model="mini", save_maps=tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text() == "a,b"
