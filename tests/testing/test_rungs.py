from dataclasses import dataclass, replace

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.representations.constant_baseline import Constant, Majority, MajorityLearner
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.heads.crf_head import LinearChainCrf
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import Cost, RunContext
from wordworth.representations.static_vectors import StaticRung, glove, wordllama
from wordworth.representations.tagging_features import TagFeatures
from wordworth.representations.tfidf import Tfidf
from wordworth.sources import resolve
from wordworth.testing.rungs import (
    check_has_metadata,
    check_it_learns_from_its_rows_alone,
    check_its_cost_is_stated,
    check_same_seed_same_bytes,
    rung_checks,
)
from wordworth.testing.sample_tasks import sample_task


def installed(name):
    try:
        return bool(resolve(name))
    except BadInput:
        return False


def run_context(tmp_path):
    return RunContext(ArrayCache(tmp_path))


@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "rung",
    [Majority(), RepresentationRung(Tfidf()), RepresentationRung(TagFeatures(), LinearChainCrf())],
    ids=lambda rung: rung.title,
)
def test_the_cheap_rungs_are_rungs(rung, check, tmp_path):
    check(rung, run_context(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "rung", [RandomRung(), glove(LinearHead()), wordllama(LinearHead())], ids=lambda rung: rung.name
)
def test_the_installed_tables_are_rungs(rung, check, tmp_path):
    if rung.name != "random" and not installed(rung.source):
        pytest.skip(f"{rung.source} is not installed")
    check(rung, run_context(tmp_path))


@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
def test_a_table_that_a_user_names_is_a_rung(check, tmp_path):
    rng = np.random.default_rng(0)
    words = sorted({word for text in sample_task("single").examples.first for word in text.split()})
    lines = [f"{word} {' '.join(map(str, rng.normal(size=8).round(3)))}" for word in words]
    (tmp_path / "mine.txt").write_text("\n".join(lines))
    check(StaticRung(str(tmp_path / "mine.txt"), "mine", "mine"), run_context(tmp_path))


@dataclass(frozen=True)
class Peeking(Majority):
    """Counts the labels of the whole task, not those it was given."""

    def prepare(self, task, _desk):
        return PeekingLearner(task)


class PeekingLearner(MajorityLearner):
    def fit(self, _rows, _rng):
        return super().fit(np.arange(0, len(self.task.examples), 2), None)


@dataclass(frozen=True)
class Restless(Majority):
    """Its answers come from a generator of its own."""

    kinds_done: frozenset = frozenset({"regression"})

    def kinds(self):
        return self.kinds_done

    def prepare(self, task, _desk):
        return RestlessLearner(task)


class RestlessLearner(MajorityLearner):
    def fit(self, _rows, _rng):
        return Constant(np.asarray(np.random.default_rng().normal()))


@dataclass(frozen=True)
class NoFamily(Majority):
    """It belongs to no family."""

    family = ""


@dataclass(frozen=True)
class Free(Majority):
    """Says that it earns disk space."""

    def prepare(self, task, _desk):
        return FreeLearner(task)


class FreeLearner(MajorityLearner):
    def cost(self):
        return Cost(disk_bytes=-1, parameters=0, num_features=0)


@pytest.mark.parametrize(
    ("check", "rung", "reason"),
    [
        (check_it_learns_from_its_rows_alone, Peeking(), "labels outside its training rows"),
        (check_same_seed_same_bytes, Restless(), "different bytes"),
        (check_its_cost_is_stated, Free(), "negative"),
        (check_has_metadata, replace(Majority(), name=""), "name is empty"),
        (check_has_metadata, NoFamily(), "family is empty"),
    ],
)
def test_a_rung_that_breaks_a_rule_is_told_which(check, rung, reason, tmp_path):
    with pytest.raises(AssertionError, match=reason):
        check(rung, run_context(tmp_path))
