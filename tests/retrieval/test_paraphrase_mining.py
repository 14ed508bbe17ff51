"""Paraphrases are the pairs of the largest cosines, each once, whatever the blocks in which texts are compared."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from tests.retrieval.small_index import build, made_up_rows

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval import paraphrase_mining


def slowly(folder, least, k, rows=None):
    """All pairs in which one is among the k nearest of the other, by their cosines."""
    texts = [str(row["text"]) for row in made_up_rows(200)]
    vectors = ww.load(folder / "table.txt").encode(texts, normalize=True).astype(np.float64)
    cosines = vectors @ vectors.T
    rows = list(range(200)) if rows is None else rows
    pairs = set()
    for row in rows:
        others = sorted((other for other in rows if other != row), key=lambda other: -cosines[row, other])[:k]
        pairs |= {(min(row, other), max(row, other)) for other in others if cosines[row, other] >= least}
    return {pair: cosines[pair] for pair in pairs}


@pytest.mark.parametrize(("least", "k"), [(0.5, 200), (0.9, 199), (-1, 200)])
@pytest.mark.parametrize("blocks", [(256, 32_768), (7, 13)])
def test_pairs_are_all_that_are_alike_enough_the_most_alike_first(tmp_path, monkeypatch, least, k, blocks):
    monkeypatch.setattr(paraphrase_mining, "_QUERIES", blocks[0])
    monkeypatch.setattr(paraphrase_mining, "_ROWS", blocks[1])
    pairs = ww.mine_paraphrases(build(tmp_path), threshold=least, k=k)
    expected = slowly(tmp_path, least, k)
    scores = dict(
        zip(zip(pairs["id_a"].astype(int), pairs["id_b"].astype(int), strict=True), pairs["score"], strict=True)
    )
    apart = scores.keys() ^ expected.keys()
    assert all(abs(expected.get(pair, scores.get(pair)) - least) < 1e-5 for pair in apart)
    assert all(scores[pair] == pytest.approx(expected[pair], abs=1e-5) for pair in scores.keys() & expected.keys())
    assert pairs["score"].is_monotonic_decreasing
    assert (pairs["id_a"].astype(int) < pairs["id_b"].astype(int)).all()


def test_each_text_makes_pairs_with_its_nearest(tmp_path):
    pairs = ww.mine_paraphrases(build(tmp_path), threshold=-1, k=1)
    expected = slowly(tmp_path, -1, 1)
    assert abs(len(pairs) - len(expected)) <= 3  # equal cosines
    assert 100 <= len(pairs) <= 200


def test_the_best_pairs_are_kept_in_bounded_memory(tmp_path, monkeypatch):
    index = build(tmp_path)
    every = ww.mine_paraphrases(index, threshold=-1, k=50)
    monkeypatch.setattr(paraphrase_mining, "_QUERIES", 3)
    few = ww.mine_paraphrases(index, threshold=-1, k=50, max_pairs=20)
    pd.testing.assert_frame_equal(few, every.head(20))


def test_deleted_texts_and_those_that_do_not_pass_make_no_pairs(tmp_path):
    index = build(tmp_path, id="name")
    ww.delete_from_index(index, where="year < 2000")
    pairs = ww.mine_paraphrases(index, threshold=0.5, where="lang = 'en'")
    allowed = {row["name"] for row in made_up_rows(200) if row["year"] >= 2000 and row["lang"] == "en"}
    assert len(pairs)
    assert {*pairs["id_a"], *pairs["id_b"]} <= allowed


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_pairs_are_written_as_they_are_returned(tmp_path, suffix):
    out = tmp_path / f"pairs{suffix}"
    pairs = ww.mine_paraphrases(build(tmp_path), out, threshold=0.9)
    read = {".csv": pd.read_csv, ".parquet": pd.read_parquet}.get(suffix, lambda path: pd.read_json(path, lines=True))
    written = read(out)
    assert written["text_a"].tolist() == pairs["text_a"].tolist()
    assert written["id_b"].astype(str).tolist() == pairs["id_b"].tolist()
    if suffix == ".jsonl":
        assert json.loads(out.read_text().splitlines()[0])["score"] == pairs["score"][0]


def test_one_text_alone_makes_no_pair(tmp_path):
    assert not len(ww.mine_paraphrases(build(tmp_path, 1), threshold=-1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 2}, "out of range; give a number from -1 to 1"),
        ({"k": 0}, "`k` 0 is out of range"),
        ({"max_pairs": 0}, "`max_pairs` 0 is out of range"),
        ({"out": "pairs.xlsx"}, "unknown kind of file"),
        ({"where": "lang"}, "cannot read this condition"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, options, message):
    with pytest.raises(BadInput, match=message):
        ww.mine_paraphrases(build(tmp_path, 5), **options)
