"""A study that was stopped goes on where it was: dear runs are kept, and recalled only for the very same question."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT, NoProgress, ignore
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.run_cache import Fitted, RunCache, task_key, unpacked
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.settings import WorthSettings

SETTINGS = WorthSettings(seeds=3, draws=100)


@dataclass
class Tally:
    """Fits made so far; after `most` of them the person presses Ctrl-C."""

    most: int = 1_000
    fits: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class DearLearner(FakeLearner):
    tally: Tally
    weights: str

    def fingerprint(self):
        return self.weights

    def fit(self, rows, rng):
        if len(self.tally.fits) >= self.tally.most:
            raise KeyboardInterrupt
        self.tally.fits.append((len(rows), int(rows[0])))
        return super().fit(rows, rng)


@dataclass(frozen=True)
class DearRung(FakeRung):
    tally: Tally = field(default_factory=Tally)
    weights: str | None = "weights"

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return DearLearner(self, task, self.tally, self.weights)


def dear(tally, **changes):
    return replace(DearRung("bert", "finetuned", constant(0.8), tally=tally), **changes)


@dataclass
class Watching(NoProgress):
    """Hears what is made now and what was found made."""

    advanced: list[int] = field(default_factory=list)
    found: list[int] = field(default_factory=list)

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        yield SimpleNamespace(advance=self.advanced.append, skip=self.found.append)
        assert sum(self.advanced) + sum(self.found) == total
        assert {type(amount) for amount in (total, *self.advanced, *self.found)} == {int}


def rung_results(rung, cache, made=None, progress=SILENT):
    """The runs of a rung on every subset of its plan, one after the other."""
    made = task() if made is None else made
    run_context, layout = RunContext(cache=ArrayCache(cache), threads=1, progress=progress), label_grid(made, SETTINGS)
    (entry,) = open_rungs([rung], made, run_context, ())
    fit_all([entry], {rung.name: layout.runs(rung)}, made, layout, run_context)
    return entry


def same(one, other):
    assert [(run.labels, run.seed, dict(run.chosen)) for run in one.runs] == [
        (run.labels, run.seed, dict(run.chosen)) for run in other.runs
    ]
    for run, twin in zip(one.runs, other.runs, strict=True):
        np.testing.assert_array_equal(run.predictions, twin.predictions)


def test_after_an_interrupt_the_runs_that_were_made_are_not_made_again(tmp_path):
    first, second, whole = Tally(most=3), Tally(), Tally()
    with pytest.raises(KeyboardInterrupt):
        rung_results(dear(first), tmp_path / "a")
    resumed = rung_results(dear(second), tmp_path / "a")
    uninterrupted = rung_results(dear(whole), tmp_path / "b")
    assert len(first.fits) + len(second.fits) == len(whole.fits) + 1  # the first run on all labels, for its predictor
    same(resumed, uninterrupted)


def test_a_second_study_fits_only_the_run_whose_predictor_is_timed(tmp_path):
    one, two = Tally(), Tally()
    before, after = rung_results(dear(one), tmp_path), rung_results(dear(two), tmp_path)
    assert len(one.fits) == len(before.runs) > 1
    assert two.fits == one.fits[:1]
    assert after.predictor is not None
    assert [run.seconds for run in after.runs[:-3]] == [run.seconds for run in before.runs[:-3]]
    same(before, after)


@pytest.mark.parametrize(
    "changed",
    [{"weights": "others"}, {"name": "another"}, {"weights": None}],
    ids=["weights", "rung", "no fingerprint"],
)
def test_another_rung_is_fitted_anew(tmp_path, changed):
    one, two = Tally(), Tally()
    rung_results(dear(one), tmp_path)
    rung_results(dear(two, **changed), tmp_path)
    assert len(two.fits) == len(one.fits)


def test_a_cheap_rung_is_not_kept(tmp_path):
    one, two = Tally(), Tally()
    rung_results(dear(one, family="frozen"), tmp_path)
    rung_results(dear(two, family="frozen"), tmp_path)
    assert len(two.fits) == len(one.fits)
    assert not list(tmp_path.rglob("*.npy"))


def test_one_changed_label_is_another_task(tmp_path):
    made = task()
    labels = made.labels.copy()
    labels[made.train[0]] = 1 - labels[made.train[0]]
    one, two = Tally(), Tally()
    rung_results(dear(one), tmp_path, made)
    rung_results(dear(two), tmp_path, replace(made, labels=labels))
    assert len(two.fits) == len(one.fits)


def test_the_key_of_a_task_is_of_its_content():
    made = task()
    assert task_key(made) == task_key(replace(made, name="elsewhere"))
    assert task_key(made) != task_key(replace(made, metric="macro_f1"))
    assert task_key(made) != task_key(replace(made, test=made.test[::-1]))


def test_the_key_of_a_task_is_also_of_its_groups():
    made = task()
    halves, thirds = (
        replace(made, examples=replace(made.examples, groups=tuple(row % count for row in range(len(made.labels)))))
        for count in (2, 3)
    )
    assert len({task_key(each) for each in (made, halves, thirds)}) == 3


def test_a_failed_run_is_tried_again(tmp_path):
    def fail():
        raise ArithmeticError("diverged")

    kept = RunCache(ArrayCache(tmp_path), 0, "task", {"bert": "weights"})
    with pytest.raises(ArithmeticError):
        kept.get_or_fit("bert", np.arange(3), 0, fail)
    ragged = (np.array([1, 2]), np.zeros(0, np.int64), np.array([3]))
    calibration = Calibration(1.7, 40, (0.25, -0.5))
    fitted = Fitted(ragged, {"epochs": np.float64(2)}, 1.5, calibration)
    made = kept.get_or_fit("bert", np.arange(3), 0, lambda: fitted)
    again = kept.get_or_fit("bert", np.arange(3), 0, fail)
    assert [part.tolist() for part in again.predictions] == [[1, 2], [], [3]] == [p.tolist() for p in made.predictions]
    assert (again.chosen, again.seconds, again.calibration) == ({"epochs": 2.0}, 1.5, calibration)


def test_a_run_that_an_earlier_version_kept_has_no_calibration():
    file, about = io.BytesIO(), {"ragged": False, "seconds": 2.0, "chosen": {"steps": 3}}
    np.savez(file, values=np.eye(2), lengths=[1, 1], about=np.array(json.dumps(about)))
    run = unpacked(np.frombuffer(file.getvalue(), dtype=np.uint8))
    assert (run.chosen, run.calibration) == ({"steps": 3}, NOT_CALIBRATED)
    assert np.array_equal(run.predictions, np.eye(2))


def test_a_damaged_kept_run_is_made_again(tmp_path):
    one, two = Tally(), Tally()
    rung_results(dear(one), tmp_path)
    for path in tmp_path.rglob("*.npy"):
        path.write_bytes(path.read_bytes()[:-10])
    rung_results(dear(two), tmp_path)
    assert len(two.fits) == len(one.fits)


def test_every_rung_without_a_fingerprint_is_fitted(tmp_path):
    entry = rung_results(MAJORITY, tmp_path)
    assert entry.predictor is not None


@dataclass(frozen=True)
class Slow(FakeLearner):
    """Tells its half, then begins anew and tells it all."""

    report: Callable[[float], None] = ignore

    def with_progress(self, report):
        return replace(self, report=report)

    def fit(self, rows, rng):
        for share in (0.5, 0.5, 0.5, 0.25):
            self.report(share)
        return super().fit(rows, rng)


def test_a_long_fit_tells_how_far_it_is_and_never_more_than_the_whole(tmp_path):
    made, heard = task(), Watching()
    rung = FakeRung("tuned", "finetuned", constant(0.9))
    run_context, layout = RunContext(cache=ArrayCache(tmp_path), threads=1, progress=heard), label_grid(made, SETTINGS)
    (entry,) = open_rungs([rung], made, run_context, ())
    entry.learner = Slow(rung, made)
    fit_all([entry], {"tuned": [(layout.top, 0)]}, made, layout, run_context)
    assert [share / max(heard.advanced) for share in heard.advanced] == pytest.approx([1, 1, 0, 0, 0])


def test_runs_that_were_found_made_are_no_speed(tmp_path):
    first, second = Watching(), Watching()
    entry = rung_results(dear(Tally()), tmp_path, progress=first)
    rung_results(dear(Tally()), tmp_path, progress=second)
    assert (len(first.advanced), first.found) == (len(entry.runs), [])
    assert (len(second.advanced), len(second.found)) == (1, len(entry.runs) - 1)
