"""The disk cache of expensive runs (fits of a rung on some of the labels), by which a stopped study resumes.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The key of a run is a hash of everything that its predictions depend on. The cache contains predictions for the test
part, not fitted models, which would fill the disk. The first run on all labelled examples is therefore fitted again:
its predictor is needed to measure the costs.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.files import content_key
from wordworth.json_file import parse_json
from wordworth.package_versions import code_key
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.rung import Predictions

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Rows, Task


@dataclass(frozen=True, slots=True)
class Fitted:
    """The cached part of a run (a rung fitted on a subset of the labelled examples): predictions, not the fitted model.

    Attributes:
        predictions: the predictions of the run for the test part.
        chosen: name of each setting that was tuned -> the value that was chosen.
        seconds: the seconds that the fit and the predictions took.
        calibration: the temperature and shift by which predicted scores become probabilities; `NOT_CALIBRATED` in runs
            that earlier versions cached.
    """

    predictions: Predictions
    chosen: Mapping[str, object]
    seconds: float
    calibration: Calibration = NOT_CALIBRATED


@dataclass(frozen=True, slots=True)
class RunCache:
    """The cached runs of a study's expensive rungs on one task.

    Attributes:
        cache: the disk cache.
        seed: the seed of the study.
        task: the key of the task, as `task_key` returns it.
        fingerprints: name of each rung whose runs are cached -> its fingerprint.
    """

    cache: ArrayCache
    seed: int
    task: str
    fingerprints: Mapping[str, str]

    @classmethod
    def of(cls, results: Sequence[RungResult], task: Task, run_context: RunContext) -> RunCache:
        """Return a cache for the runs of the prepared rungs that are expensive to fit.

        Args:
            results: the prepared rungs.
            task: the task.
            run_context: cache, seed, number of threads, and receiver of progress.
        """
        fingerprints = {
            result.rung.name: fingerprint
            for result in results
            if result.learner is not None and result.rung.is_expensive(task.kind)
            if (fingerprint := result.learner.fingerprint())
        }
        return cls(run_context.cache, run_context.seed, task_key(task) if fingerprints else "", fingerprints)

    def get_or_fit(
        self, rung: str, rows: Rows, seed: int, fit: Callable[[], Fitted], items: Rows | None = None
    ) -> Fitted:
        """Return a run from the cache; a run that is not cached is fitted, and its result is cached.

        Args:
            rung: the rung's name; a rung that is not among `fingerprints` is always fitted.
            rows: int64 [n], the training rows that the run learns from.
            seed: the seed with which these rows were drawn.
            fit: function that fits the rung on the rows; if it raises an error, nothing is cached.
            items: int64 [items], indices of the test items that the run predicts; None stands for all test items.
        """
        if rung not in self.fingerprints:
            return fit()
        identity = (code_key(), self.task, self.fingerprints[rung], rung, rows.tobytes(), seed, self.seed)
        tested = () if items is None else (items.tobytes(),)
        return unpacked(self.cache.array(content_key("run", *identity, *tested), lambda: packed(fit())))


def task_key(task: Task) -> str:
    """Return a key of everything in a task that a fit and its predictions for the test part can depend on."""
    examples = task.examples
    texts = json.dumps([examples.first, examples.second, examples.words])
    labels = task.labels if isinstance(task.labels, tuple) else (task.labels,)
    groups = () if examples.groups is None else (np.array(examples.groups),)
    arrays = (part.tobytes() for part in (*labels, task.train, task.test, *task.folds, *groups))
    return content_key(task.type.legacy_name, task.metric, json.dumps(task.classes), texts, *arrays)


def packed(fitted: Fitted) -> NDArray[np.uint8]:
    """Return a run as bytes in the format of `np.savez`, uint8 [bytes].

    The bytes contain the predictions end to end, the length of each prediction (if predictions are sequences), and the
    other fields as JSON.
    """
    ragged = isinstance(fitted.predictions, tuple)
    parts = fitted.predictions if ragged else (fitted.predictions,)
    rest = {"seconds": fitted.seconds, "chosen": dict(fitted.chosen), "calibration": asdict(fitted.calibration)}
    about = json.dumps({"ragged": ragged, **rest}, default=str)
    file = io.BytesIO()
    np.savez(file, values=np.concatenate(parts), lengths=[len(part) for part in parts], about=np.array(about))
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


def unpacked(run: NDArray[np.uint8]) -> Fitted:
    """Return the run that `packed` turned into an array of bytes.

    Args:
        run: uint8 [bytes].
    """
    with np.load(io.BytesIO(run.tobytes()), allow_pickle=False) as file:
        values, lengths = file["values"], file["lengths"]
        about: dict[str, Any] = parse_json(str(file["about"]))
    parts = tuple(np.split(values, np.cumsum(lengths)[:-1]))
    stored = about.get("calibration", {})
    calibration = Calibration(**stored | {"shift": tuple(stored.get("shift", ()))})
    return Fitted(parts if about["ragged"] else values, about["chosen"], about["seconds"], calibration)
