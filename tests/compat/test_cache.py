"""The cache of an earlier version: its arrays are read under their keys, and change no result."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.compat import commands, outputs

import wordworth as ww
from wordworth.array_cache import ArrayCache

CACHE = Path("cache")


def plain(folder: str) -> str:
    return replace(ww.read_record(folder), timings={}, environment={}).to_json()


def test_an_array_kept_by_an_earlier_version_is_read_and_not_computed(opened):
    opened("cache")
    (file,) = CACHE.rglob("*.npy")
    cache = ArrayCache(CACHE)
    kept = cache.array(file.stem, lambda: pytest.fail("it was computed"))
    assert np.isfinite(kept).all()
    assert cache.spared > 0


@pytest.mark.slow
def test_a_study_says_the_same_with_the_cache_of_an_earlier_version_and_with_none(opened, monkeypatch):
    opened("cache", "records")
    kept = {path: path.read_bytes() for path in CACHE.rglob("*.npy")}
    for cache, out in (("cache", "records/worth-quick"), ("empty", "anew")):
        monkeypatch.setenv("WORDWORTH_CACHE", cache)
        outputs.command(commands.STUDIES["worth-quick"], out)
    assert plain("records/worth-quick") == plain("anew")
    assert {path: path.read_bytes() for path in kept} == kept
