"""What a rung costs does not depend on what an earlier study left in the cache."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.files import ArrayCache
from wordworth.representations.rung import Desk
from wordworth.studies.worth.climb import open_rungs

SECONDS = 0.1


@dataclass(frozen=True)
class ReadingRung(FakeRung):
    """Its texts take a while to read; two of one key share their vectors."""

    key: str = "vectors"

    def open(self, task, desk):
        desk.cache.array(self.key, self.read)
        return super().open(task, desk)

    @staticmethod
    def read():
        time.sleep(SECONDS)
        return np.zeros((4, 2))


def opened(*rungs, cache):
    return [entry.open_seconds for entry in open_rungs(rungs, task(), Desk(ArrayCache(cache)), ())]


def reading(name, key="vectors"):
    return ReadingRung(name, "frozen", constant(0.8), key=key)


def test_a_rung_that_shares_vectors_counts_what_they_took(tmp_path):
    rungs = [reading("minilm"), reading("tfidf+minilm"), FakeRung("tfidf", "counts", constant(0.7))]
    first, second, cheap = opened(*rungs, cache=tmp_path)
    assert min(first, second) >= SECONDS
    assert cheap < SECONDS / 2


@pytest.mark.parametrize("earlier", [1, 2])
def test_a_later_study_counts_what_the_first_one_took(tmp_path, earlier):
    for _ in range(earlier):
        opened(reading("minilm"), cache=tmp_path)
    (found,) = opened(reading("minilm"), cache=tmp_path)
    assert SECONDS <= found < 2 * SECONDS
