from __future__ import annotations

import gc
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import numpy as np
import pytest

from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.lazy_feature_sets import SingleFlight, take_rows
from wordworth.representations.rung import RunContext
from wordworth.representations.static_vectors import Static
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task

WORDS = (("Rome", "fell"), ("Paris", "rose", "late")) * 1000
TABLE = StaticTable(
    "t", np.random.default_rng(0).normal(size=(3, 64)).astype(np.float32), Words({"rome": 0, "fell": 1, "rose": 2})
)


def test_a_word_to_tag_is_kept_once_however_often_it_comes():
    tracemalloc.start()
    views = Static(TABLE, "t", "t").views(Examples(("",) * len(WORDS), words=WORDS), RunContext())
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < views["words"].nbytes / 10


def test_the_rows_of_words_to_tag_are_those_of_each_word_by_itself():
    views = Static(TABLE, "t", "t").views(Examples(("",) * len(WORDS), words=WORDS), RunContext())
    each = [TABLE.word_vectors([word]) for sentence in WORDS for word in sentence]
    whole = np.stack([np.append(vectors[0], known[0]) for vectors, known in each])
    assert np.array_equal(views["words"], whole)
    rows = np.array([4, 0, 4, 4999, 7])
    some, plain = take_rows(views, rows), {"words": views["words"][rows]}
    assert list(some) == list(plain) == ["words"]
    assert np.array_equal(some["words"], plain["words"])


def test_views_go_with_the_last_who_asks_for_them_and_do_not_wait_for_the_garbage_collector():
    learner = RepresentationRung(Static(TABLE, "t", "t")).prepare(sample_task("single"), RunContext())
    assert learner.views is not None
    views = weakref.ref(learner.views["mean"])
    predictor = learner.fit(learner.task.train, np.random.default_rng(0))
    gc.collect()
    gc.disable()
    try:
        del learner
        assert views() is not None
        del predictor
        assert views() is None
    finally:
        gc.enable()


def test_who_asks_while_it_is_made_waits_and_gets_the_same():
    once, begun, made = SingleFlight(), Event(), []

    def slow():
        begun.set()
        made.append(object())
        return made[-1]

    ready = Barrier(4)

    def ask(_):
        ready.wait()
        return once.get("key", slow)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert len(made) == 1
    assert all(value is made[0] for value in found)


def test_a_failure_is_told_and_not_kept():
    once = SingleFlight()
    with pytest.raises(ZeroDivisionError):
        once.get("key", lambda: 1 / 0)
    assert once.get("key", lambda: 5) == 5


def test_only_the_last_few_are_kept():
    once, made = SingleFlight(2), []
    for key in "abca":
        once.get(key, lambda key=key: made.append(key))
    once.get("c", lambda: made.append("again"))
    assert made == ["a", "b", "c", "a"]
