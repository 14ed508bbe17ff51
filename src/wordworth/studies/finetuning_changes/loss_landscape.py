"""The loss landscape of a fine-tuning: along lines from start to end, around the ends, on a plane, and by step."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.inference.finetuned_network import Network
from wordworth.inference.labelled_inputs import LabelledInputs, labelled_inputs
from wordworth.inference.run_with_initial_encoder import RunWithStart
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.models.encoder_base import Encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.studies.finetuning_changes.loss_surface import (
    Losses,
    LossSurface,
    Weights,
    difference,
    filter_normalised,
    inner,
    norm,
    random_direction,
    rescaled,
    stacked,
    under_head,
    weights_of,
)
from wordworth.studies.finetuning_changes.read_models import Models
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.tasks.task import Task
from wordworth.training.finetuning.trajectory_points import TrajectoryPoint

LINE = tuple(
    float(position) for position in np.round([*np.arange(-5, 0) / 10, *np.arange(21) / 20, *np.arange(11, 21) / 10], 2)
)
"""Positions on a line: every 0.05 between the start and the end, every 0.1 beyond."""
AROUND = tuple(float(position) for position in np.round(np.arange(-10, 11) / 10, 1))
"""Positions around an end; at 1 the displacement of each row of a matrix is as long as that row of the weights."""
PLANE = (-0.5, 1.5)
"""First and last position on the plane, in both directions."""
RUN_LINE, WHOLE_LINE, SECOND_LINE, SCRATCH_LINE = "this run", "with its first head", "second seed", "from scratch"
OWN, RANDOM = "own direction", "random direction"


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Losses along one line through the space of weights.

    Attributes:
        name: the training whose start and end define the line: `RUN_LINE` (this run, with the fine-tuned head at the
            start too), `WHOLE_LINE` (this run, with its initial head at the start), `SECOND_LINE` (the second seed) or
            `SCRATCH_LINE` (from random weights).
        rows: `learned`, rows that the run learned from, or `unseen`, other rows.
        positions: positions on the line. On a line from the start to the end, 0 is the start and 1 the end; on a line
            around the end, 0 is the end.
        losses: the loss of each row at each position.
        weights: float64 [draws, rows], how often each row is in each bootstrap resample.
        direction: `OWN` or `RANDOM` for a line around an end; empty for a line from the start to the end.
    """

    name: str
    rows: str
    positions: Sequence[float]
    losses: Losses
    weights: Floats
    direction: str = ""


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """The weights at one step of the training, relative to the start and the final model.

    Attributes:
        step: number of updates done.
        distance: norm of the difference between the encoder's weights at this step and at the start.
        along, aside: two components of the difference between the encoder's weights at this step and at the start: the
            component in the direction from the start to the final model, and the norm of the orthogonal component.
        angle: angle between this difference and the direction to the final model, in degrees; NaN at the start.
        loss: mean loss with the encoder and the head of that step.
    """

    step: int
    distance: float
    along: float
    aside: float
    angle: float
    loss: float


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Mean losses on a plane through the start and the fine-tuned weights.

    The first direction leads from the start to the fine-tuned weights. The second is as long as the first. Losses are
    computed in the dtype in which the model predicts.

    Attributes:
        positions: float64 [side], the positions along either direction, as multiples of the direction; 0 is the start.
        losses: float64 [side, side], the mean loss at each point; the first axis is the position along the second
            direction.
        second: what defines the second direction: `second seed`, `other task` or `random direction`.
        cosine: cosine of the two directions.
        rows: name of the rows over which the losses are means: `learned`, rows that the run learned from, or `unseen`.
    """

    positions: Floats
    losses: Floats
    second: str
    cosine: float
    rows: str


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """All losses of the study.

    Attributes:
        curves: losses along the lines from the weights before a training to the weights after it, and around the
            weights after it.
        plane: losses on the plane; None if the settings ask for no plane.
        trajectory: the weights at each step that the run kept and at the end, in the order of steps; empty if the run
            kept no weights.
        distance: two norms: of the change of the encoder's weights from the start to the final model, and of the
            encoder's weights at the start.
        measured: self-check at the start and the end: the largest absolute difference between a loss on the line or the
            plane and the loss of the same model computed directly; 0 if all losses are equal to the bit.
        restored: self-check: whether all weights are the same after the computation as before, to the bit.
    """

    curves: list[Curve]
    plane: Plane | None
    trajectory: list[TrajectoryStep]
    distance: tuple[float, float]
    measured: float
    restored: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A line through weight space: name, loss as a function of weights, and the weights at the start and the end."""

    name: str
    surface: LossSurface
    start: Weights
    end: Weights

    @classmethod
    def of(cls, name: str, surface: LossSurface, start: Encoder, head: Weights | None = None) -> _Line:
        end = {key: value.clone() for key, value in weights_of(surface.tuned).items()}
        return cls(name, surface, under_head(surface.tuned, start, head), end)


@dataclass(frozen=True, slots=True)
class Request:
    """The settings of a loss landscape: points on a side of the plane (0 for no plane), number of resamples, seed."""

    points: int
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class _LossCache:
    """A cache of losses: losses that an earlier call computed are loaded, others computed; each advances the step."""

    finished: FinishedParts
    step: Step

    def losses(self, name: tuple[object, ...], points: int, compute: Callable[[], Iterator[Losses]]) -> Losses:
        """Return the losses at some points of weight space, from the cache or else computed.

        Args:
            name: key in the cache.
            points: number of points.
            compute: returns an iterator over the losses at each point.
        """

        def computed() -> dict[str, ArrayLike]:
            made = []
            for losses in compute():
                made.append(losses)
                self.step.advance(1)
            whole = stacked(made)
            return {"sums": whole.sums, "counts": whole.counts}

        part = self.finished.arrays(("losses", *name), computed, self.step, points)
        return Losses(part["sums"], part["counts"])


def losses_needed(models: Models, points: int) -> int:
    """Return the number of points at which `landscape` computes the loss, for the total of its progress bar.

    Args:
        models: the models of the study.
        points: number of points along each side of the plane.
    """
    lines = (
        1
        + (models.learned is not None)
        + sum(each is not None for each in (models.path, models.second, models.scratch))
    )
    ends = 2 + (models.second is not None) + 2 * (models.scratch is not None)
    way = 0 if models.path is None else len({models.path.model_step, *models.path.points})
    return lines * len(LINE) + ends * len(AROUND) + points**2 + way


def landscape(models: Models, request: Request, finished: FinishedParts, step: Step) -> Landscape:
    """Compute the loss on all lines, around the ends of trainings, on the plane, and at the steps that the run kept.

    Args:
        models: models of the study.
        request: number of points, number of resamples, and seed.
        finished: cache with the losses that an earlier call computed.
        step: progress step, advanced after the loss of all rows at each point.

    Raises:
        BadInput: a loss is not finite.
    """
    base, cache = models.base, _LossCache(finished, step)
    tasks = {"unseen": models.unseen} | ({} if models.learned is None else {"learned": models.learned})
    main = "learned" if "learned" in tasks else "unseen"
    surfaces = {rows: _surface(base.network, task) for rows, task in tasks.items()}
    line = _Line.of(RUN_LINE, surfaces[main], base.start.model)
    curves = [_line_curve(replace(line, surface=surfaces[rows]), rows, request, cache) for rows in tasks]
    lines = [line, *_further(models, line, tasks[main])]
    curves += [_line_curve(each, main, request, cache) for each in lines[1:]]
    for each in lines:
        if each.name != WHOLE_LINE:
            kinds = (OWN,) if each.name == SECOND_LINE else (OWN, RANDOM)
            curves += [_around(each, main, request, kind, cache) for kind in kinds]
    plane = _plane(models, line, main, request, cache) if request.points else None
    of_line = next(curve for curve in curves if curve.name == RUN_LINE and curve.rows == main)
    restored = all(torch.equal(value, line.end[name]) for name, value in weights_of(base.network.tuned).items())
    moved = difference(line.end, line.start)
    return Landscape(
        curves,
        plane,
        _trajectory(models, line, cache),
        (norm(moved), norm({name: line.start[name] for name in moved})),
        _largest_gap(base, surfaces[main].examples, of_line, plane),
        restored,
    )


def rows_of(network: Network, task: Task) -> LabelledInputs:
    """Return all rows of a task with their labels, tokenized as a network reads them."""
    return labelled_inputs(network, task, task.used)


def _surface(network: Network, task: Task) -> LossSurface:
    return LossSurface(network.tuned, rows_of(network, task))


def _further(models: Models, line: _Line, task: Task) -> list[_Line]:
    """Return the other lines, as far as their runs exist: `WHOLE_LINE`, `SECOND_LINE` and `SCRATCH_LINE`."""
    lines, base = [], models.base
    if models.path is not None:
        lines.append(_Line.of(WHOLE_LINE, line.surface, base.start.model, models.path.point(0).head))
    if models.second is not None:
        lines.append(_Line.of(SECOND_LINE, _surface(models.second.network, task), base.start.model))
    if models.scratch is not None:
        scratch = _surface(models.scratch.network, task)
        lines.append(_Line.of(SCRATCH_LINE, scratch, models.scratch.start.model))
    return lines


def _line_curve(line: _Line, rows: str, request: Request, cache: _LossCache) -> Curve:
    def compute() -> Iterator[Losses]:
        return line.surface.between(line.start, line.end, [(position, 0.0) for position in LINE])

    return _curve(line.name, rows, LINE, cache.losses(("line", line.name, rows), len(LINE), compute), request)


def _around(line: _Line, rows: str, request: Request, kind: str, cache: _LossCache) -> Curve:
    moved = difference(line.end, line.start)
    if kind == RANDOM:
        moved = random_direction(moved, seeds.child_seed(request.seed, "random direction"))

    def compute() -> Iterator[Losses]:
        return line.surface.along(line.end, filter_normalised(moved, line.end), AROUND)

    losses = cache.losses(("around", line.name, rows, kind, request.seed), len(AROUND), compute)
    return _curve(line.name, rows, AROUND, losses, request, kind)


def _curve(
    name: str, rows: str, positions: Sequence[float], losses: Losses, request: Request, direction: str = ""
) -> Curve:
    if not np.isfinite(losses.sums).all():
        raise BadInput("a loss on the line is not finite", where=name, mend="the run may have diverged: train it again")
    rng = seeds.child(request.seed, "finetuning", "rows", rows)  # the same resamples for every line
    return Curve(name, rows, positions, losses, item_weights(len(losses.counts), request.draws, rng), direction)


def _plane(models: Models, line: _Line, rows: str, request: Request, cache: _LossCache) -> Plane:
    moved = difference(line.end, line.start)
    name, other = "random direction", random_direction(moved, seeds.child_seed(request.seed, "plane"))
    for run, called in ((models.second, "second seed"), (models.other, "other task")):
        if run is not None:
            name, other = called, difference(under_head(line.surface.tuned, run.encoder.model), line.start)
    second = rescaled(other, norm(moved))
    positions = np.round(np.linspace(*PLANE, request.points), 6)
    surface = LossSurface(models.base.network.tuned, line.surface.examples, exact=False)

    def across(up: float) -> Floats:
        def compute() -> Iterator[Losses]:
            return surface.between(line.start, line.end, [(position, up) for position in positions], second)

        return cache.losses(("plane", request.points, up, request.seed), request.points, compute).means

    cosine = inner(moved, second) / max(norm(moved) * norm(second), 1e-12)
    return Plane(floats(positions), floats([across(float(up)) for up in positions]), name, cosine, rows)


def _largest_gap(base: RunWithStart, examples: LabelledInputs, curve: Curve, plane: Plane | None) -> float:
    """Return the largest absolute difference between a loss in `curve` or `plane` and the loss computed directly.

    Only the losses at the start and at the end of the training are compared.
    """
    tuned, gaps = base.network.tuned, []
    for end, model in ((0.0, tuned.with_encoder(base.start.model)), (1.0, tuned)):
        direct = LossSurface(model, examples).losses().means[0]
        gaps.append(abs(curve.losses.means[curve.positions.index(end)] - direct))
        if plane is not None and {0.0, end} <= set(plane.positions.tolist()):
            up, across = (int(np.flatnonzero(plane.positions == position)[0]) for position in (0.0, end))
            direct = LossSurface(model, examples, exact=False).losses().means[0]
            gaps.append(abs(plane.losses[up, across] - direct))
    return float(max(gaps))


def _trajectory(models: Models, line: _Line, cache: _LossCache) -> list[TrajectoryStep]:
    """Return the measurements at each step whose weights the run kept, and at the final step, in the order of steps."""
    if models.path is None:
        return []
    moved = difference(line.end, line.start)
    way = []
    for number in sorted({models.path.model_step, *models.path.points}):
        value: Weights = line.end
        if number != models.path.model_step:
            point = models.path.point(number)
            value = under_head(line.surface.tuned, at_point(models.base.start, point), point.head)
        compute = partial(line.surface.between, value, value, [(0.0, 0.0)])
        (loss,) = cache.losses(("way", number), 1, compute).means
        way.append(_point(number, difference(value, line.start), moved, float(loss)))
    return way


def at_point(start: TextEncoder, point: TrajectoryPoint) -> Encoder:
    """Return the encoder with the weights that a run had at a kept step of its training.

    Args:
        start: the encoder that the run began from; it is not changed.
        point: the differences from these weights that the run kept at a step.

    Raises:
        BadInput: the differences do not fit this encoder's weights.
    """
    model = copy.deepcopy(start.model)
    weights = dict(model.state_dict())
    try:
        for name, value in point.moved.items():
            weights[name].add_(value.to(weights[name]))
    except (KeyError, RuntimeError) as error:
        what = f"the weights that were kept after step {point.step} are those of another model"
        raise BadInput(what, mend="run wordworth finetune --keep-path again") from error
    return model


def _point(step: int, moved: Weights, direction: Weights, loss: float) -> TrajectoryStep:
    distance, along = norm(moved), inner(moved, direction) / max(norm(direction), 1e-12)
    cosine = along / distance if distance else float("nan")
    aside = float(np.sqrt(max(distance**2 - along**2, 0)))
    return TrajectoryStep(step, distance, along, aside, float(np.degrees(np.arccos(np.clip(cosine, -1, 1)))), loss)
