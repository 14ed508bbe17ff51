"""Measure the speeds of this machine on a few texts of the task: encoder passes, fine-tuning, other fits.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, filterfalse, islice
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput, MissingExtra, WordworthError
from wordworth.progress import UNREPORTED
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.encoder_training_rung import TrainedEncoderLearner, TrainedEncoderRung
from wordworth.representations.frozen_encoder import FrozenInt8
from wordworth.representations.lazy_feature_sets import SingleFlight
from wordworth.representations.rung import RunContext
from wordworth.representations.shared_encoder import load_encoder
from wordworth.studies.worth.incomplete_rung_warnings import requested_rungs

if TYPE_CHECKING:
    from wordworth.models.cpu_inference import DtypeOption
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.representations.rung import Learner, Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Examples, Rows, Task
    from wordworth.text.windows import LongTexts

_SAMPLE, _MORE, _LITTLE_S, _TAKES = 12, 96, 0.3, 3
"""Number of texts whose encoding is timed. If it takes less than `_LITTLE_S` seconds, `_MORE` texts are timed `_TAKES`
times."""
_MOST_CHARACTERS = 20_000
"""Number of characters of a text that are encoded for timing; other times are in proportion to text lengths."""
_VERY_LONG = 100_000
"""Number of characters from which a text is not used to time fits, if there are enough other texts."""
FITTED, _LEAST_FITTED, _READING_S = 100, 40, 3.0
"""Most and fewest labels of the fits that are timed. In between, they are as many as encoders encode in `_READING_S`
seconds."""
_TUNED, _BATCH = 64, 16
_LEAST_WORK_S = 1e-3
"""Least processor time of a fit that its slowdown is computed from."""

_FAILURES = (WordworthError, MemoryError, ArithmeticError, np.linalg.LinAlgError)


@dataclass(frozen=True, slots=True)
class TrainingSpeed:
    """The training speed of a fine-tuned rung in one thread.

    Attributes:
        per_token: seconds of training for a token.
        tokens: number of tokens of each sampled text in fine-tuning.
    """

    per_token: float
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FitSpeed:
    """The duration of a fit on a few labels.

    Attributes:
        seconds: seconds of the fit, including the choice of its settings.
        labels: number of labelled examples of the fit.
        slowdown: `seconds` over the processor time of the fit; above 1 if other programs used the processor meanwhile.
    """

    seconds: float
    labels: int
    slowdown: float = 1.0


@dataclass(frozen=True, slots=True)
class Speeds:
    """The measured speeds of this machine, as busy as it is.

    Attributes:
        windowed_seconds: seconds in which all encoders together encode the text or texts of a row, if long texts are
            encoded in windows.
        truncated_seconds: seconds for the text or texts of a row if long texts are truncated.
        long_share: share of the sampled texts that are longer than one window, for the encoder with the largest share.
        training: name of a fine-tuned rung -> its training speed.
        fits: name of a rung that is not fine-tuned -> the duration of its fit.
    """

    windowed_seconds: float = 0.0
    truncated_seconds: float = 0.0
    long_share: float = 0.0
    training: Mapping[str, TrainingSpeed] = field(default_factory=dict)
    fits: Mapping[str, FitSpeed] = field(default_factory=dict)

    @property
    def slowdown(self) -> float:
        """The median over fits of elapsed time / processor time; 1 if no fit was timed."""
        return float(np.median([fit.slowdown for fit in self.fits.values()])) if self.fits else 1.0


class _MemoryCache(ArrayCache):
    """An array cache in memory: rungs that share an encoder encode the texts once, and no file is written."""

    def __init__(self) -> None:
        self._arrays = SingleFlight[NDArray[Any]]()

    def array(self, key: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return the array of this key, computed if it is not cached."""
        return self._arrays.get(key, compute)


def measure_reading(
    task: Task, models: Sequence[str], seed: int, rungs: Sequence[Rung] = (), device: str = "cpu"
) -> Speeds:
    """Measure how fast encoders encode the texts of a task; all speeds are 0 if no encoder is available.

    An encoder that cannot be loaded is skipped here: its rung on the ladder reports why.

    Args:
        task: the task that texts are drawn from.
        models: names of encoders, each loaded in its usual data type.
        seed: seed of the draw of texts.
        rungs: the rungs of the study; their encoders in int8 are measured too, on the processor.
        device: the device on which encoders that are not in int8 compute, as in `load`.
    """
    speeds = Speeds()
    for encoder in _available([*((model, "auto", device) for model in models), *_int8_encoders(rungs)]):
        encoder.pooled_layers(_texts(task, seed, 1), progress=UNREPORTED)  # the first call is slower
        texts = _texts(task, seed, _SAMPLE)
        took = _reading_seconds(encoder, texts, "window")
        if took < _LITTLE_S:  # so little that it says little: of several takes of more texts, the least disturbed
            texts = _texts(task, seed, _MORE)
            took = min(_reading_seconds(encoder, texts, "window") for _ in range(_TAKES))
        rows = len(texts) / (1 if task.examples.second is None else 2)
        long = encoder.lengths(encoder.tokenizer.encode(texts)).windowed / len(texts)
        read = fmean(map(len, texts))
        window = took / rows * (_mean_characters(task.examples.take(task.used)) / read if read else 1.0)
        cut = _reading_seconds(encoder, texts, "cut") / rows if long else window
        speeds = Speeds(
            speeds.windowed_seconds + window, speeds.truncated_seconds + min(cut, window), max(speeds.long_share, long)
        )
    return speeds


def measure_learning(
    speeds: Speeds,
    task: Task,
    rungs: Sequence[Rung],
    settings: WorthSettings,
    on_rung: Callable[[], None] = lambda: None,
) -> Speeds:
    """Measure how fast rungs learn: time a few steps of each fine-tuned rung, and one fit of each other rung.

    A rung whose static table is not distilled yet is left out. A rung that cannot be prepared is skipped here: the
    ladder reports why.

    Args:
        speeds: the speeds of encoding; the result is a copy with the speeds of learning added.
        task: the task that texts and labels are drawn from.
        rungs: the rungs of the study.
        settings: the study's settings: the seed of the draw of rows, the device, the rungs that the user asked for.
        on_rung: called after each rung.

    Raises:
        BadInput: a rung that the user asked for cannot be prepared.
    """
    training, fits = dict[str, TrainingSpeed](), dict[str, FitSpeed]()
    seed, requested = settings.seed, requested_rungs(settings)
    readable = int(_READING_S / speeds.windowed_seconds) if speeds.windowed_seconds else FITTED
    few, tuned = few_rows(task, seed, min(FITTED, max(_LEAST_FITTED, readable))), few_rows(task, seed, _TUNED)
    # fits on the vectors take as long if the texts were cut, and whole texts of a novel's length take minutes to encode
    run_context = RunContext(_MemoryCache(), UNREPORTED, device=settings.device, long_texts="cut")
    for rung in sorted(rungs, key=lambda rung: rung.name not in requested):  # a user's mistake is found at once
        of_rung = tuned if isinstance(rung, TrainedEncoderRung) else few
        speed = _learning_speed(rung, of_rung, run_context, requested=rung.name in requested)
        if isinstance(speed, TrainingSpeed):
            training[rung.name] = speed
        elif speed is not None:
            fits[rung.name] = speed
        on_rung()
    return replace(speeds, training=training, fits=fits)


def _learning_speed(
    rung: Rung, task: Task, run_context: RunContext, *, requested: bool
) -> TrainingSpeed | FitSpeed | None:
    """Return how fast a rung learns from the few rows of a task; None if it is not timed or fails.

    Raises:
        BadInput: the user asked for the rung, and it cannot be prepared.
    """
    tunes = isinstance(rung, TrainedEncoderRung)
    if not tunes and (rung.slow or rung.is_baseline or isinstance(rung, DistilledRung)):
        return None
    try:
        learner = _prepared(rung, task, run_context)
    except _FAILURES as error:  # the ladder reports it, unless it is the user's mistake
        if isinstance(error, BadInput) and not isinstance(error, MissingExtra) and requested:
            raise
        return None
    with suppress(*_FAILURES):  # a fit that fails is a result of the ladder, not the user's mistake
        if isinstance(learner, TrainedEncoderLearner):
            return _training_speed(learner, task)
        return _fit_speed(learner, task)
    return None


def _int8_encoders(rungs: Sequence[Rung]) -> Iterator[tuple[str, DtypeOption, str]]:
    for rung in rungs:
        if isinstance(rung, FrozenInt8):
            yield rung.model, "int8", "cpu"


def _available(encoders: Sequence[tuple[str, DtypeOption, str]]) -> Iterator[TextEncoder]:
    for model, dtype, device in encoders:
        try:
            yield load_encoder(model, dtype, device)
        except WordworthError:  # its rung reports this
            continue


def _sample(task: Task, seed: int, most: int) -> Rows:
    return seeds.child(seed, "speeds").permutation(task.used)[:most]


def _texts(task: Task, seed: int, most: int) -> list[str]:
    """Return the first `_MOST_CHARACTERS` characters of the texts of at most `most` rows."""
    sample = task.examples.take(_sample(task, seed, most))
    return [text[:_MOST_CHARACTERS] for text in (*sample.first, *(sample.second or ()))]


def _mean_characters(examples: Examples) -> float:
    """Return the mean number of characters of the texts."""
    return fmean(len(text) for text in (*examples.first, *(examples.second or ())))


def few_rows(task: Task, seed: int, most: int) -> Task:
    """Return a task with a few rows of this one, all of them training rows.

    Rows with very long texts are used only if there are too few others, as encoding such a text may take a minute.

    Args:
        task: the task that the rows are drawn from.
        seed: seed of the draw.
        most: number of rows, if the task has so many.
    """
    sides = [side for side in (task.examples.first, task.examples.second) if side is not None]

    def is_long(row: int) -> bool:
        return max(len(side[row]) for side in sides) > _VERY_LONG

    order = _sample(task, seed, len(task.used)).tolist()
    rows = np.fromiter(islice(chain(filterfalse(is_long, order), filter(is_long, order)), most), np.int64)
    every, none = np.arange(len(rows)), np.arange(0)
    return replace(
        task,
        examples=task.examples.take(rows),
        labels=task.gold(rows),
        train=every,
        test=none,
        dev=None,
        folds=(),
        numbers=None if task.numbers is None else task.numbers[rows],
    )


def _reading_seconds(encoder: TextEncoder, texts: Sequence[str], long_texts: LongTexts) -> float:
    began = time.perf_counter()
    encoder.pooled_layers(texts, long_texts=long_texts, progress=UNREPORTED)
    return time.perf_counter() - began


def _prepared(rung: Rung, task: Task, run_context: RunContext) -> Learner:
    """Prepare a rung for timing; a rung that trains an encoder will train it for a few steps only."""
    if isinstance(rung, TrainedEncoderRung):
        rung = rung.brief(_BATCH)
    return rung.prepare(task, run_context)


def _fit_speed(learner: Learner, task: Task) -> FitSpeed:
    """Return the duration and the slowdown of one fit on all rows of a task, in one thread."""
    with threadpool_limits(limits=1):
        learner.fit(task.train[::2], np.random.default_rng(0))  # some features are computed when first needed
        began, worked = time.perf_counter(), time.process_time()
        learner.fit(task.train, np.random.default_rng(0))
    seconds, work = time.perf_counter() - began, time.process_time() - worked
    return FitSpeed(seconds, len(task.train), max(1.0, seconds / max(work, _LEAST_WORK_S)))


def _training_speed(learner: TrainedEncoderLearner, task: Task) -> TrainingSpeed:
    """Return the training speed of an encoder, measured on a few steps of training on the rows of a task."""
    times = [time.perf_counter()]
    with threadpool_limits(limits=1):
        learner.with_progress(lambda _: times.append(time.perf_counter())).fit(task.train, np.random.default_rng(0))
    length = learner.settings.plan(learner.lengths)
    step = float(min(np.diff(times), default=0.0))  # the first is slower, and other programs only add to a step
    return TrainingSpeed(step / max(1.0, length.tokens / length.steps), tuple(map(int, learner.lengths)))
