"""Several probes answer the rows of a file together: each as it does alone, from one pass, behind its own name."""

import json

import pandas as pd
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.layers.small_files import labelled, two_probes

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.text_encoder import TextEncoder

TEXTS = ["saw the cat again", "saw the doctor again", "heard a bird"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return two_probes(tmp_path_factory.mktemp("probes"))


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.csv"
    pd.DataFrame({"id": range(len(TEXTS)), "text": TEXTS}).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_has_the_answers_of_each_probe_alone_behind_its_name_from_one_pass(
    folders, texts, tmp_path, monkeypatch, suffix
):  # fmt: skip
    alone = [ww.predict(folder, texts) for folder in folders]
    passes, pooled_layers = [], TextEncoder.pooled_layers
    monkeypatch.setattr(TextEncoder, "pooled_layers", lambda *a, **k: passes.append(1) or pooled_layers(*a, **k))
    report = ww.predict(folders, texts, tmp_path / f"out{suffix}")
    assert (report.rows, report.empty, report.dtype, len(passes)) == (len(TEXTS), 0, "float32", 1)
    table = pd.read_csv(report.out) if suffix == ".csv" else pd.read_parquet(report.out)
    assert list(table.columns) == [
        *("id", "text", "row", "kind_prediction", "kind_probability_people", "kind_probability_pets"),
        *("swapped_prediction", "swapped_probability_a", "swapped_probability_b"),
    ]
    for folder, each in zip(folders, alone, strict=True):
        own = each.drop(columns=["id", "text", "row"]).add_prefix(f"{folder.name}_")
        pd.testing.assert_frame_equal(table[list(own.columns)], own, check_dtype=False)


def test_rows_of_json_lines_hold_every_answer_and_one_without_a_text_has_none(folders, tmp_path):
    report = ww.predict(folders, ["saw the cat", " "], tmp_path / "out.jsonl")
    whole = [json.loads(line) for line in report.out.read_text().splitlines()]
    first, second = (line["answers"] for line in whole)
    assert whole[0]["kind_prediction"] == first["kind"]["label"]
    assert [line["row"] for line in whole] == [0, 1]
    assert report.empty == 1
    assert first["kind"]["label"] in first["kind"]["probabilities"]
    assert list(first) == ["kind", "swapped"]
    assert second == {name: {"label": None, "probabilities": None} for name in first}


def test_probes_may_be_named_and_columns_of_the_input_keep_their_names(folders):
    data = pd.DataFrame({"text": TEXTS[:2], "x_prediction": ["mine", "too"]}, index=[7, 9])
    answers = ww.predict({"x": folders[0], "y": folders[1]}, data)
    assert list(answers.x_prediction) == ["mine", "too"]
    assert list(answers.x_prediction_) == list(ww.predict(folders[0], TEXTS[:2]).prediction)
    assert list(answers.index) == [7, 9]


def test_what_cannot_share_a_pass_is_refused_and_nothing_is_written(folders, texts, tmp_path):
    other, out = tmp_path / "other", tmp_path / "out.csv"
    write_tiny_encoder(tmp_path / "tiny")
    ww.probe(labelled(tmp_path), other, model=str(tmp_path / "tiny"), label="kind", limit=100, draws=100)
    with pytest.raises(BadInput, match=r"another encoder than 'mini'; predict with it alone") as error:
        ww.predict([folders[0], other], texts, out)
    assert "other" in error.value.where
    with pytest.raises(BadInput, match="read in float32"):
        ww.predict(folders, texts, out, dtype="int8")
    with pytest.raises(BadInput, match="rename one"):
        ww.predict([folders[0], folders[0]], texts, out)
    with pytest.raises(BadInput, match=r"CoNLL|\.conll"):
        ww.predict(folders, texts, tmp_path / "out.conll")
    assert not out.exists()
