"""Learning curves: the usual families, fitted to all bootstrap draws at once, and their extrapolation.

Every family is linear in a transformed axis, score = floor + gain g(labels; shape), so that least squares over floor
and gain have a closed form for each shape, and the fit is a search over a grid of shapes that closes in on the best
(variable projection; Golub and Pereyra 1973). There are no starting points, hence no randomness. No fitted curve falls
(gain >= 0).

    pow3  a - b x^-c                     pow4  a - b (x + d)^-c          exp3  a exp(-b x) + c, a <= 0
    mmf4  (a b + c x^d) / (b + x^d)      wbl4  c - b exp(-a x^d)         last1 the last value: the control

The families are described by Viering and Loog (2023), "The shape of learning curves", and used in LCDB (Mohr et al.
2022).

A study extends every curve by `pow3` fitted to its last four scores, and does not select a family: on real data sets
with twice the labels, the family that best predicted the last score from the earlier scores had larger errors than
`pow3`, above all for curves measured at few numbers of labelled examples (docs/benchmarks/curves-and-intervals.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.weighted_sums import Floats, Integers, floats

CurveFunction: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
FURTHEST = 4
"""Largest extrapolation, as a multiple of the largest measured size (Viering and Loog's advice is 2 to 4)."""
CONTROL = "last1"
"""The family that repeats the last score: the baseline that a fitted curve has to beat."""
POWER_LAW = "pow3"
RECENT_SIZES = 4
"""Number of sizes, the largest ones, that a power law is fitted to; small sizes do not predict the gain at large
ones."""
_ERRORS = 2
"""Number of held-out errors of its family by which a prediction is widened on either side."""
_ZOOMS = 4


@dataclass(frozen=True, slots=True)
class Family:
    """A family of learning curves, floor + gain g(x; p, q).

    The variable x is the number of labelled examples divided by the smallest measured number.

    Attributes:
        name: the name in the literature.
        num_parameters: number of parameters of a curve.
        curve: the function g(x, p, q), increasing in x.
        inverse: the inverse of g in x.
        limit: g at infinity.
        p: the range of log10 of the first shape parameter; its ends are equal if the family has no such parameter.
        q: the range of log10 of the second shape parameter; its ends are equal if the family has no such parameter.
    """

    name: str
    num_parameters: int
    curve: CurveFunction
    inverse: CurveFunction
    limit: float
    p: tuple[float, float] = (0.0, 0.0)
    q: tuple[float, float] = (0.0, 0.0)


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family(CONTROL, 1, lambda x, p, q: x * p * q * 0, lambda g, p, q: g * p * q * np.inf, 0.0),
        Family("pow3", 3, lambda x, p, _: -(x**-p), lambda g, p, _: (-g) ** (-1 / p), 0.0, (-2, 0.5)),
        Family("exp3", 3, lambda x, p, _: -np.exp(-p * x), lambda g, p, _: -np.log(-g) / p, 0.0, (-3, 1)),
        Family(
            "pow4", 4, lambda x, p, q: -((x + q) ** -p), lambda g, p, q: (-g) ** (-1 / p) - q, 0.0, (-2, 0.7), (-2, 3)
        ),
        Family(
            "mmf4",
            4,
            lambda x, p, q: x**q / (p + x**q),
            lambda g, p, q: (p * g / (1 - g)) ** (1 / q),
            1.0,
            (-3, 5),
            (-1, 0.5),
        ),
        Family(
            "wbl4",
            4,
            lambda x, p, q: -np.exp(-p * x**q),
            lambda g, p, q: (-np.log(-g) / p) ** (1 / q),
            0.0,
            (-3, 1),
            (-1, 0.3),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Curves:
    """Learning curves fitted to bootstrap draws, one curve for each draw: floor + gain g(labels / unit; p, q).

    The fields `floor`, `gain`, `p` and `q` are float64 [draws]; `unit` is the smallest number of labelled examples.
    """

    family: Family
    unit: float
    floor: Floats
    gain: Floats
    p: Floats
    q: Floats

    @property
    def ceilings(self) -> Floats:
        """The score that each fitted curve approaches as the number of labelled examples grows, float64 [draws]."""
        return floats(self.floor + self.gain * self.family.limit)

    def at(self, labels: Sequence[float] | Integers) -> Floats:
        """Return the scores that the fitted curves predict with `labels` labelled examples, float64 [draws, sizes]."""
        x = np.asarray(labels, dtype=np.float64)[None, :] / self.unit
        g = self.family.curve(x, self.p[:, None], self.q[:, None])
        return floats(self.floor[:, None] + self.gain[:, None] * g)

    def needed(self, target: float) -> Floats:
        """Return the number of labelled examples at which each fitted curve reaches a target score, float64 [draws].

        The number is 0 if the curve is always above the target, infinite if the curve never reaches the target. Tests
        use it to check the form of a curve against its published inverse. A study computes label multiples from
        measured scores instead (`label_multiples.crossings`), since a curve is too uncertain beyond measured scores.
        """
        g = np.divide(target - self.floor, self.gain, out=np.full_like(self.gain, np.inf), where=self.gain > 0)
        first = self.family.curve(np.zeros_like(g) + np.finfo(float).tiny, self.p, self.q)
        never = np.where(self.gain > 0, g >= self.family.limit, self.floor < target)
        inside = np.where(never | (g <= first) | (self.gain <= 0), np.nan, g)
        sizes = self.family.inverse(inside, self.p, self.q) * self.unit
        return floats(np.where(never, np.inf, np.where(np.isnan(inside), 0.0, np.maximum(sizes, 0.0))))


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected family of learning curves, and the error with which each family predicts the last score.

    Attributes:
        family: the selected family.
        errors: name of each family tried -> the RMS error, over draws, with which its fit to the scores with fewer
            labelled examples predicts the score at the largest number of labelled examples.
    """

    family: Family
    errors: Mapping[str, float]

    @property
    def error(self) -> float:
        """The RMS error with which the selected family predicts the last score of a curve from the scores before it."""
        return self.errors[self.family.name]


@dataclass(frozen=True, slots=True)
class Extension:
    """A learning curve extrapolated beyond the measured numbers of labelled examples.

    Attributes:
        labels: int64 [sizes], numbers of labelled examples beyond the largest measured number.
        scores: float64 [draws, sizes], each draw's last measured score plus the further gain of its fitted curve.
        median: float64 [sizes], the median over draws.
        intervals: for each number of labelled examples the interval of the draws, widened for each doubling of labels
            by the error with which the family predicts the last measured score from the scores before it.
        selection: the family of the curve, with the errors of all families and of the control, which repeats the last
            score.
        drawn: whether reports show the extension; False for a system that is predicted to overtake a clearly better
            one, since such predictions seldom come true.
    """

    labels: Integers
    scores: Floats
    median: Floats
    intervals: tuple[Interval, ...]
    selection: Selection
    drawn: bool = True

    def gain(self, labels: int, last: Floats) -> tuple[float, Interval]:
        """Return the gain from the largest measured number of labels to the first further one, and its 95 % interval.

        The gain is the median over the draws. The interval of the draws is widened like `intervals`.

        Args:
            labels: the largest measured number of labelled examples.
            last: float64 [draws], the score at this number in each draw.
        """
        gains = floats(self.scores[:, 0] - last)
        middle, error = float(np.median(gains)), self.selection.error * np.log2(self.labels[0] / labels)
        return middle, _widened(interval(gains), middle, error, (-np.inf, np.inf))


def fit(name: str, labels: Sequence[int] | Integers, scores: Floats) -> Curves:
    """Fit one family of learning curves to the scores of each bootstrap draw, by least squares.

    Args:
        name: the name of the family, such as `pow3`.
        labels: int64 [sizes], numbers of labelled examples, increasing.
        scores: float64 [draws, sizes], the score of each draw at each number of labelled examples.

    Raises:
        KeyError: there is no family with this name.
        ValueError: there are fewer numbers of labelled examples than the family has parameters, or a score is not
            finite.
    """
    family, x = FAMILIES[name], np.asarray(labels, dtype=np.float64)
    if len(x) < family.num_parameters or scores.shape[1] != len(x) or not np.isfinite(scores).all():
        raise ValueError(f"{name} needs at least {family.num_parameters} finite scores a curve, not {scores.shape[1]}")
    if name == CONTROL:
        flat = np.ones(len(scores))
        return Curves(family, float(x[0]), scores[:, -1], 0 * flat, flat, flat)
    p, q = _search(family, x / x[0], scores)
    g = family.curve(x[None, :] / x[0], p[:, None], q[:, None])
    floor, gain, _ = _line(g, scores)
    return Curves(family, float(x[0]), floor, gain, p, q)


def select(labels: Sequence[int] | Integers, scores: Floats) -> Selection:
    """Select the family of curves that best predicts the last score of each draw from its earlier scores.

    The control `last1`, which repeats the last score, is among the families compared.

    Args:
        labels: int64 [sizes], numbers of labelled examples, increasing, at least two.
        scores: float64 [draws, sizes], bootstrap draws of a mean curve; the error of a family is the root of the mean
            squared error over draws.
    """
    last, errors = scores[:, -1], {}
    for name, family in FAMILIES.items():
        if family.num_parameters < len(labels):
            predicted = fit(name, labels[:-1], scores[:, :-1]).at([labels[-1]])[:, 0]
            errors[name] = float(np.sqrt(np.mean((predicted - last) ** 2)))
    return Selection(FAMILIES[min(errors, key=errors.__getitem__)], errors)


def ceilings(labels: Sequence[int] | Integers, scores: Floats) -> Floats:
    """Return the score that each draw's curve approaches, raised by twice the error of its family, float64 [draws].

    The function `select`, which this function calls, chooses the family; if no family predicts better than repeating
    the last score, the result is infinite. In a test, 100 curves of real data sets were also measured with four times
    the labels: 25 of them exceeded the median over draws of the limit without the added error, and none exceeded the
    97.5 % quantile of the limit with the added error (`benchmarks/extrapolation.py`).

    Args:
        labels: int64 [sizes], numbers of labelled examples, increasing, at least two.
        scores: float64 [draws, sizes], bootstrap draws of a mean curve.
    """
    chosen = select(labels, scores)
    if chosen.family.name == CONTROL:
        return np.full(len(scores), np.inf)
    return floats(fit(chosen.family.name, labels, scores).ceilings + _ERRORS * chosen.error)


def extend(
    labels: Sequence[int] | Integers, scores: Floats, to: Sequence[int], least: float = 0.0, most: float = 1.0
) -> Extension:
    """Extrapolate a learning curve: the last score plus the further gain of a power law fitted to the last four scores.

    Args:
        labels: int64 [sizes], numbers of labelled examples, increasing, at least four.
        scores: float64 [draws, sizes], bootstrap draws of a mean curve.
        to: numbers of labelled examples beyond the largest of `labels`, at most 4 times as many (`FURTHEST`).
        least: the worst possible score; predictions are clipped to it.
        most: the best possible score; predictions are clipped to it.

    Raises:
        ValueError: `to` exceeds 4 times the largest number of labelled examples, or there are fewer than four numbers
            of labelled examples.
    """
    recent, by_draw = labels[-RECENT_SIZES:], scores[:, -RECENT_SIZES:]
    if len(recent) < RECENT_SIZES:
        raise ValueError(f"a curve of {len(recent)} sizes is too short to extend; {RECENT_SIZES} are needed")
    selection = Selection(FAMILIES[POWER_LAW], select(recent, by_draw).errors)
    return extrapolate(recent, by_draw, to, selection, (least, most))


def extrapolate(
    labels: Sequence[int] | Integers,
    scores: Floats,
    to: Sequence[int],
    selection: Selection,
    ends: tuple[float, float] = (0.0, 1.0),
) -> Extension:
    """Extrapolate a learning curve by the selected family, fitted to all scores of each bootstrap draw.

    The family's gain beyond the largest number of labelled examples is added to the score there, so that no prediction
    is below that score.

    Args:
        labels: int64 [sizes], numbers of labelled examples, increasing.
        scores: float64 [draws, sizes], bootstrap draws of a mean curve.
        to: numbers of labelled examples beyond the largest of `labels`, at most 4 times as many (`FURTHEST`).
        selection: the selected family; its error widens the intervals for each doubling of labels.
        ends: the worst and the best possible score; predictions are clipped to them.

    Raises:
        ValueError: `to` exceeds 4 times the largest number of labelled examples.
    """
    if max(to) > FURTHEST * labels[-1]:
        raise ValueError(f"{max(to)} labels are more than {FURTHEST} times the {labels[-1]} measured")
    curves = fit(selection.family.name, labels, scores)
    shift = scores[:, -1:] - curves.at(labels[-1:])
    predicted = np.clip(curves.at(to) + shift, *ends)
    median = np.median(predicted, axis=0)
    extra = selection.error * np.log2(np.asarray(to) / labels[-1])
    spans = [interval(column) for column in predicted.T]
    intervals = tuple(
        _widened(*interval_and_error, ends) for interval_and_error in zip(spans, median, extra, strict=True)
    )
    return Extension(np.asarray(to, dtype=np.int64), floats(predicted), median, intervals, selection)


def constant_curve(last: Floats, to: Sequence[int]) -> Extension:
    """Return an extrapolation that repeats the last score, for a system that more labels do not help.

    Args:
        last: float64 [draws], the score in each bootstrap draw.
        to: numbers of labelled examples, each of which gets this score.
    """
    flat = np.repeat(last[:, None], len(to), axis=1)
    spans = tuple(interval(last) for _ in to)
    selection = Selection(FAMILIES[CONTROL], {CONTROL: 0.0})
    sizes = np.asarray(to, dtype=np.int64)
    return Extension(sizes, floats(flat), floats(np.median(flat, axis=0)), spans, selection)


def _widened(span: Interval, middle: float, extra: float, ends: tuple[float, float]) -> Interval:
    """Return an interval widened by twice the family's error `extra`, added to both half-widths in quadrature.

    The error is added as independent of the fitting noise. The ends are clipped to the worst and best score, `ends`.
    """
    below, above = (np.hypot(half, _ERRORS * extra) for half in (middle - span.low, span.high - middle))
    return Interval(float(max(ends[0], middle - below)), float(min(ends[1], middle + above)))


def _search(family: Family, x: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Return the shape (p, q) of least squared error for each draw, float64 [draws] each, from ever finer grids.

    Args:
        family: the family of curves.
        x: float64 [sizes], numbers of labelled examples, divided by the smallest of them.
        scores: float64 [draws, sizes], the score of each draw at each number.
    """
    draws = len(scores)
    centre = np.repeat([[np.mean(family.p)], [np.mean(family.q)]], draws, axis=1)
    reach = np.array([np.ptp(family.p), np.ptp(family.q)]) / 2
    q_fixed = family.num_parameters == 3  # noqa: PLR2004 - floor, gain and p
    steps = np.array([33, 1] if q_fixed else [17, 17])
    for _ in range(_ZOOMS):
        p, q = _grid(centre, reach, steps, family)
        g = family.curve(x[None, None, :], 10 ** p[..., None], 10 ** q[..., None])
        error = _line(g, scores[:, None, :])[2]
        best = np.argmin(error, axis=1)
        centre = np.stack([p[np.arange(draws), best], q[np.arange(draws), best]])
        reach = reach * 3 / steps
    return floats(10 ** centre[0]), floats(10 ** centre[1])


def _grid(centre: Floats, reach: Floats, steps: Integers, family: Family) -> tuple[Floats, Floats]:
    """Return (log10 p, log10 q) of the shapes in a grid around each draw's centre, each float64 [draws, grid].

    Args:
        centre: float64 [2, draws], log10 of p and q at the centre of each draw's grid.
        reach: float64 [2], half the width of the grid in log10 p and log10 q.
        steps: int64 [2], number of grid points in p and in q.
        family: the family, to whose ranges the shapes are clipped.
    """
    offsets = np.meshgrid(*(np.linspace(-r, r, n) if n > 1 else np.zeros(1) for r, n in zip(reach, steps, strict=True)))
    p = np.clip(centre[0][:, None] + offsets[0].ravel(), *family.p)
    q = np.clip(centre[1][:, None] + offsets[1].ravel(), *family.q)
    return floats(p), floats(q)


def _line(g: Floats, scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Fit floor + gain g to scores by least squares, with gain >= 0; return (floor, gain, squared error), [...] each.

    Args:
        g: float64 [..., sizes], the family's function at each number of labelled examples.
        scores: float64 [..., sizes], the scores at these numbers; both shapes broadcast.
    """
    mean, level = g.mean(axis=-1), scores.mean(axis=-1)
    x, y = g - mean[..., None], scores - level[..., None]
    square = np.einsum("...s,...s->...", x, x)
    product = np.einsum("...s,...s->...", x, y)
    gain = np.maximum(np.divide(product, square, out=np.zeros_like(product), where=square > 0), 0.0)
    error = np.einsum("...s,...s->...", y, y) - gain * (2 * product - gain * square)
    return floats(level - gain * mean), floats(gain), floats(error)
