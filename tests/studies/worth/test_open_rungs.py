"""What a rung costs does not depend on what an earlier study left in the cache."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.array_cache import ArrayCache
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.run_ladder import open_rungs

SECONDS = 100.0


class Clock:
    """Stands still but for what is said to take time."""

    now = 0.0


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setattr(Clock, "now", 0.0)
    monkeypatch.setattr(time, "perf_counter", lambda: Clock.now)


@dataclass(frozen=True)
class ReadingRung(FakeRung):
    """Its texts take a while to read; two of one key share their vectors."""

    key: str = "vectors"

    def prepare(self, task, run_context):
        run_context.cache.array(self.key, self.read)
        return super().prepare(task, run_context)

    @staticmethod
    def read():
        Clock.now += SECONDS
        return np.zeros((4, 2))


def opened(*rungs, cache):
    return [entry.open_seconds for entry in open_rungs(rungs, task(), RunContext(ArrayCache(cache)), ())]


def reading(name, key="vectors"):
    return ReadingRung(name, "frozen", constant(0.8), key=key)


def test_a_rung_that_shares_vectors_counts_what_they_took(tmp_path):
    rungs = [reading("minilm"), reading("tfidf+minilm"), FakeRung("tfidf", "counts", constant(0.7))]
    assert opened(*rungs, cache=tmp_path) == [SECONDS, SECONDS, 0]


@pytest.mark.parametrize("earlier", [1, 2])
def test_a_later_study_counts_what_the_first_one_took(tmp_path, earlier):
    for _ in range(earlier):
        opened(reading("minilm"), cache=tmp_path)
    assert opened(reading("minilm"), cache=tmp_path) == [SECONDS]
