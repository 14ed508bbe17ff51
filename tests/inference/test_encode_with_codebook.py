"""`encode_symbols`: codes as numbers and as words, and what is refused."""

import csv

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("codebook")
    np.save(folder / "f.npy", np.random.default_rng(0).normal(size=(40, 3)))
    ww.learn_symbols(folder / "f.npy", folder / "codes", k=2, depth=2)
    return folder


def test_codes_are_written_and_are_those_of_learning(folder, tmp_path):
    codes = ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / "c.npy")
    assert np.array_equal(codes, np.load(tmp_path / "c.npy"))
    assert np.array_equal(codes, np.load(folder / "codes" / "codes.npy"))
    assert np.array_equal(ww.encode_symbols(folder / "codes", folder / "f.npy", depth=1), codes // 2)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_with_sequences_codes_are_words_in_a_further_column(folder, tmp_path, suffix):
    sequences = [{"start": 0, "end": 2, "text": "a, b", "codes": "x"}, {"start": 2, "end": 3, "text": "c", "codes": ""}]
    codes = ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / f"c{suffix}", sequences=sequences)
    table = read_rows(tmp_path / f"c{suffix}")
    assert table.columns["codes_"] == [f"c{codes[0]} c{codes[1]}", f"c{codes[2]}"]
    assert table.columns["text"] == ["a, b", "c"]


def test_a_row_of_text_alone_has_no_codes(folder, tmp_path):
    sequences = [{"start": None, "end": None, "text": "a, b"}, {"start": 2, "end": 3, "text": None}]
    codes = ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / "c.csv", sequences=sequences)
    table = read_rows(tmp_path / "c.csv")
    assert table.columns["codes"] == ["", f"c{codes[2]}"]
    assert table.columns["text"] == ["a, b", ""]


@pytest.mark.parametrize(
    ("sequences", "message"),
    [
        ([{"start": 3, "end": 3}], "an empty sequence"),
        ([{"start": 39, "end": 41}], "there are 40 rows of features"),
        ([{"start": -1, "end": 2}], "before the first"),
        ([{"start": "a", "end": 2}], "'a' is no row of features"),
        ([{"start": 1, "end": None}], "'' is no row of features"),
        ([{"from": 0, "to": 2}], "start"),
    ],
)
def test_sequences_that_are_not_there_are_refused(folder, tmp_path, sequences, message):
    with pytest.raises(BadInput, match=message):
        ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / "c.csv", sequences=sequences)
    assert not list(tmp_path.iterdir())


def test_features_of_another_width_and_outputs_of_another_kind_are_refused(folder, tmp_path):
    np.save(tmp_path / "wide.npy", np.zeros((4, 5)))
    with pytest.raises(BadInput, match="features of 5 numbers"):
        ww.encode_symbols(folder / "codes", tmp_path / "wide.npy")
    with pytest.raises(BadInput, match=r"codes are not written as \.csv"):
        ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / "c.csv")
    with pytest.raises(BadInput, match="overwrite"):
        ww.encode_symbols(folder / "codes", folder / "f.npy", folder / "f.npy")
    with (tmp_path / "s.csv").open("w") as file:
        csv.writer(file).writerows([("start", "end"), (0, 1)])
    with pytest.raises(BadInput, match="overwrite"):
        ww.encode_symbols(folder / "codes", folder / "f.npy", tmp_path / "s.csv", sequences=tmp_path / "s.csv")
