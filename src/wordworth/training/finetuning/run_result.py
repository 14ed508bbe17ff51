"""Specification of a fine-tuning run (`HyperParameters`, `RunSpec`), and its outcome (`Result`, with its file)."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from zipfile import BadZipFile

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.former_record_names import renamed
from wordworth.json_file import parse_json
from wordworth.text.corpus.index_ranges import split_by

if TYPE_CHECKING:
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.task_heads.base import TaskPredictions

EVALUATIONS = 8
"""Evaluations on the dev part in a run; they include its quarter and half, where the grid search compares runs."""
_FORMER_NAMES = {
    "point": "hyper_parameters",
    "rate": "learning_rate",
    "batch": "batch_size",
    "looks": "evaluations",
    "kept": "kept_step",
    "chosen": "tuned",
}
"""Former name of a field in the files of results -> its name today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperParameters:
    """The hyper-parameters of a run, one point of a grid."""

    learning_rate: float
    batch_size: int
    epochs: float

    @property
    def name(self) -> str:
        """The name of these hyper-parameters in the names of folders, such as `rate-5e-05-batch-16-epochs-3`."""
        return f"rate-{self.learning_rate:g}-batch-{self.batch_size}-epochs-{self.epochs:g}"

    def steps(self, examples: int) -> int:
        """Return the number of updates of a run on a training set with this many examples."""
        return max(1, round(self.epochs * -(-examples // self.batch_size)))


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A fine-tuning run to make, with its hyper-parameters, its seed, and how far to train it.

    Attributes:
        hyper_parameters: the hyper-parameters of the run.
        seed_index: the index of the run's seed, from 0.
        share: the share of the run's steps to train before it pauses, 0 to 1; 1 trains the run to its end.
    """

    hyper_parameters: HyperParameters
    seed_index: int
    share: float = 1.0

    @property
    def name(self) -> str:
        """Name of the run's folder."""
        return f"{self.hyper_parameters.name}-seed-{self.seed_index}"

    def due(self, steps: int) -> int:
        """Return the number of updates up to which the run is trained, out of the `steps` of the whole run."""
        return evaluation_steps(steps)[max(0, round(self.share * EVALUATIONS) - 1)]

    def cost(self, split: Split) -> int:
        """Return the estimated cost of the run, in updates.

        A run that is trained to its end also predicts the dev and test parts, at a third of the cost of training on
        these parts.
        """
        due = self.due(self.hyper_parameters.steps(len(split.train)))
        if self.share < 1:
            return due
        return due + -(-(len(split.dev) + len(split.test)) // (3 * self.hyper_parameters.batch_size))


def evaluation_steps(steps: int) -> list[int]:
    """Return the numbers of updates after which a run of `steps` updates is evaluated; the last number is `steps`.

    >>> evaluation_steps(20)
    [2, 5, 8, 10, 12, 15, 18, 20]
    """
    return [max(1, round(steps * number / EVALUATIONS)) for number in range(1, EVALUATIONS + 1)]


State = Literal["finished", "collapsed", "failed", "paused", "pruned"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation during a fine-tuning run.

    Attributes:
        step: number of updates done.
        loss: mean training loss since the previous evaluation.
        dev: the score on the dev part by the task's metric; None without a dev part.
    """

    step: int
    loss: float
    dev: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a fine-tuning run, or its state so far.

    Attributes:
        hyper_parameters: hyper-parameters of the run.
        seed: the index of the run's seed, from 0.
        state: `finished`; `collapsed` (it predicts the same for every example); `failed` (its loss was not finite);
            `paused` before its end; `pruned` (paused, and dropped because other runs did better).
        steps: the number of updates in the whole run.
        evaluations: the evaluations of the run so far, the last at its end.
        kept_step: the number of updates after which the run had the weights that make the predictions.
        reason: the error of a failed run.
        tuned: thresholds tuned on the dev part, by name.
        dev_score: the score on the dev part, by the task's metric, with the kept weights and the tuned thresholds; None
            before the end, and without a dev part.
        test: predictions for the test part; None before the end.
        seconds: time spent on the run, over all processes, before and after it was resumed.
        weights_sha256: hash of the file of the kept weights; "" before the end and in results of earlier versions.
    """

    hyper_parameters: HyperParameters
    seed: int
    state: State
    steps: int
    evaluations: Sequence[Evaluation] = ()
    kept_step: int = 0
    reason: str = ""
    tuned: Mapping[str, float] = field(default_factory=dict)
    dev_score: float | None = None
    test: TaskPredictions | None = None
    seconds: float = 0.0
    weights_sha256: str = ""

    @property
    def name(self) -> str:
        """Name of the run's folder."""
        return RunSpec(self.hyper_parameters, self.seed).name

    def best_dev(self, until: int) -> float:
        """Return the best score on the dev part in the first `until` updates of the run.

        The score is minus infinity if the run failed earlier, or has no scores.
        """
        came = self.state != "failed" or (bool(self.evaluations) and self.evaluations[-1].step >= until)
        scores = [each.dev for each in self.evaluations if each.dev is not None and came and each.step <= until]
        return max(scores, default=-np.inf)

    @property
    def last_loss(self) -> float:
        """The mean training loss between the last two evaluations; infinity before the first evaluation."""
        return self.evaluations[-1].loss if self.evaluations else np.inf

    def save(self, path: Path) -> None:
        """Write the result to a file, which a reader never sees half written."""
        about = asdict(self) | {"test": None}
        file = io.BytesIO()
        np.savez(file, about=np.array(json.dumps(about)), **_packed(self.test))
        with atomic_write(path) as neighbour:
            neighbour.write_bytes(file.getvalue())

    @classmethod
    def read(cls, path: Path) -> Result:
        """Read a result from its file.

        Raises:
            BadInput: the file is damaged.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                about = parse_json(str(file["about"]))
                test = _unpacked({name: file[name] for name in file if name != "about"})
            about = renamed(about, _FORMER_NAMES)
            about |= {
                "hyper_parameters": HyperParameters(**renamed(about["hyper_parameters"], _FORMER_NAMES)),
                "evaluations": tuple(Evaluation(**evaluation) for evaluation in about["evaluations"]),
            }
            result = cls(**(about | {"test": test}))
        except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, BadZipFile, zlib.error) as error:
            raise _damaged(path) from error
        if result.state not in get_args(State) or (result.state == "paused" and not result.evaluations):
            raise _damaged(path)
        return result


def _damaged(path: Path) -> BadInput:
    mend = "remove this file, and the same command will repeat the run"
    return BadInput("the result of a run is damaged", where=str(path), mend=mend)


def _packed(predictions: TaskPredictions | None) -> dict[str, Any]:
    if predictions is None:
        return {}
    if not isinstance(predictions, tuple):
        return {"values": predictions}
    if predictions and isinstance(predictions[0], str):
        return {"texts": np.array(json.dumps(predictions))}
    flat = np.concatenate([np.zeros(0, np.int64), *predictions])
    return {"values": flat, "lengths": np.array([len(tags) for tags in predictions], dtype=np.int64)}


def _unpacked(arrays: Mapping[str, np.ndarray]) -> TaskPredictions | None:
    if not arrays:
        return None
    if "texts" in arrays:
        return tuple(parse_json(str(arrays["texts"])))
    if "lengths" in arrays:
        return split_by(arrays["lengths"], arrays["values"])
    return arrays["values"]
