"""Minimal pairs: read from folders and archives, answered by likelihood, told with intervals."""

import json
import os
import tarfile
from pathlib import Path

import numpy as np
import pytest
from tests.models.language_models import a_language_model, write_language_model

from parts.minimal_pairs import MinimalPair, minimal_pairs, read_minimal_pairs
from wordworth.errors import BadInput
from wordworth.inference.pseudo_likelihood import log_likelihoods

PAIRS = [
    MinimalPair(good, bad, paradigm, phenomenon)
    for paradigm, phenomenon, sentences in (
        ("order", "syntax", [("the a b.", "the b a."), ("a the.", "the a."), ("abs!", "bas!"), ("b b a", "b a a")]),
        ("number", "syntax", [("as", "a"), ("zoo", "zoos")]),
        ("sound", "form", [("yes?", "yse?")]),
    )
    for good, bad in sentences
]


def row(pair):
    return json.dumps(
        {
            "sentence_good": pair.good,
            "sentence_bad": pair.bad,
            "UID": pair.paradigm,
            "linguistics_term": pair.phenomenon,
            "field": "any",
        }
    )


def write(folder: Path) -> Path:
    folder.mkdir()
    for paradigm in {pair.paradigm for pair in PAIRS}:
        lines = [row(pair) for pair in PAIRS if pair.paradigm == paradigm]
        (folder / f"{paradigm}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def test_pairs_are_read_from_a_folder_an_archive_or_a_file(tmp_path):
    folder = write(tmp_path / "data")
    with tarfile.open(tmp_path / "data.tar.xz", "w:xz") as archive:
        archive.add(folder, "data")
    assert set(read_minimal_pairs(folder)) == set(PAIRS)
    assert read_minimal_pairs(tmp_path / "data.tar.xz") == read_minimal_pairs(folder)
    assert read_minimal_pairs(folder / "sound.jsonl") == [PAIRS[-1]]


def test_what_is_no_pair_is_said_with_its_place(tmp_path):
    folder = write(tmp_path / "data")
    (folder / "sound.jsonl").write_text(row(PAIRS[-1]) + '\n{"sentence_good": "a"}\n')
    with pytest.raises(BadInput, match=r"sound\.jsonl, line 2.*sentence_bad"):
        read_minimal_pairs(folder)
    with pytest.raises(BadInput, match="cannot read"):
        read_minimal_pairs(tmp_path / "none.tar.xz")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no minimal pairs"):
        read_minimal_pairs(tmp_path / "empty")


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bilm"])
def test_a_pair_is_right_when_its_good_sentence_is_likelier(kind, tmp_path):
    model = a_language_model(tmp_path, kind)
    record = minimal_pairs(model, PAIRS)
    good, bad = (log_likelihoods(model, [getattr(pair, side) for pair in PAIRS]).logs for side in ("good", "bad"))
    right = good > bad
    found = {each["name"]: each for each in record.tables["paradigms"].rows()}
    expected = {"order": right[:4].mean(), "number": right[4:6].mean(), "sound": right[6:].mean()}
    assert {name: each["accuracy"] for name, each in found.items()} == expected
    assert all(each["low"] <= each["accuracy"] <= each["high"] for each in found.values())
    phenomena = {each["name"]: each["accuracy"] for each in record.tables["phenomena"].rows()}
    assert phenomena["syntax"] == pytest.approx((expected["order"] + expected["number"]) / 2)
    assert record.findings[0].numbers["accuracy"] == pytest.approx(np.mean(list(expected.values())))


def test_fewer_pairs_may_be_asked_the_same_ones_every_time(tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    first, second = (minimal_pairs(folder, PAIRS, each=2, seed=3) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.data == {"pairs": 5, "paradigms": 3}


def test_blimp_itself_is_67_paradigms_of_12_phenomena():
    place = Path(os.environ.get("WORDWORTH_DATA", "../shared/data")) / "blimp" / "blimp_data.tar.xz"
    if not place.exists():
        pytest.skip("BLiMP is not on this machine: set WORDWORTH_DATA to the folder of data sets")
    pairs = read_minimal_pairs(place)
    assert len(pairs) == 67_000
    assert len({pair.paradigm for pair in pairs}) == 67
    assert len({pair.phenomenon for pair in pairs}) == 12
