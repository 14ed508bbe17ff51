"""Temperature scaling: class scores divided by one number, so that probabilities match the shares of right predictions.

    probabilities = softmax((scores + shift) / temperature)

See Guo et al. 2017, "On calibration of modern neural networks" (equation 9). The temperature minimises the log loss of
held-out items of the training labels, the same items by which settings are selected. As in Platt 1999 (section 2.2),
one more item with an unknown class is added: otherwise, if all items were right, the best temperature would be 0.

Predictions stay unscaled scores: the temperature is stored beside them and applied where probabilities are asked for.
`shift` takes back a logit adjustment, which raises the scores of rare classes for the sake of the metric. Where there
is an adjustment, the predicted class need not be the most probable one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

LEAST, MOST = 0.05, 20.0
"""Bounds of the search for the temperature."""
_LARGEST = 1e300
_TOLERANCE, _COARSE = 1e-6, 1e-2
"""Tolerances of the search, in the log of the temperature: of a fitted temperature, and of a log loss, which hardly
changes near its minimum."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The temperature and shift by which a model's class scores become probabilities.

    Attributes:
        temperature: the divisor of the scores; 1 if no temperature could be fitted.
        held_out: the number of items that the temperature was fitted on; 0 if it was not fitted.
        shift: what is added to the scores before the division, one number for each class; empty for nothing.
        set_threshold: the largest value of 1 - probability with which a class is in a prediction set; None if no
            threshold was fitted.
    """

    temperature: float = 1.0
    held_out: int = 0
    shift: tuple[float, ...] = ()
    set_threshold: float | None = None

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of the classes, float64 [n, classes], from scores [n, classes], finite or not."""
        return np.asarray(softmax(self._logits(scores), axis=1))

    def log_probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the natural logarithms of the classes' probabilities, finite even where a probability underflows to 0.

        Args:
            scores: float64 [n, classes], the scores of the classes.

        Returns:
            float64 [n, classes].
        """
        return np.asarray(log_softmax(self._logits(scores), axis=1))

    def _logits(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        shifted = scores + np.array(self.shift) if self.shift else scores
        return np.asarray(np.clip(shifted, -_LARGEST, _LARGEST) / self.temperature)


NOT_CALIBRATED = Calibration()
"""The calibration that does nothing: probabilities are the softmax of the scores."""


@runtime_checkable
class Calibrated(Protocol):
    """A predictor or head with a calibration."""

    @property
    def calibration(self) -> Calibration:
        """The temperature and shift by which scores become probabilities."""
        ...


def calibration_of(predictor: object) -> Calibration:
    """Return the calibration of a predictor or a head, or `NOT_CALIBRATED` if it was not calibrated."""
    return predictor.calibration if isinstance(predictor, Calibrated) else NOT_CALIBRATED


def fit_temperature(
    scores: Sequence[NDArray[np.float64]], gold: Sequence[NDArray[np.int64]], shift: Sequence[float] = ()
) -> Calibration:
    """Fit the temperature by the log loss of held-out items; without usable items it is 1.

    Args:
        scores: for each fold float64 [items, classes], the scores as they are after `shift` was added; -inf for a class
            without items in the training part of the fold. Items of such a class, and items whose scores are all equal,
            are not used.
        gold: for each fold int64 [items], the classes.
        shift: stored as `Calibration.shift`: it is added to the scores of new items, to take back their logit
            adjustment. It is not added to `scores`.
    """
    if (held_out := _HeldOut.of(scores, gold)) is None:
        return Calibration(shift=tuple(shift))
    log_temperature, _ = held_out.minimum(_TOLERANCE)
    return Calibration(float(np.exp(log_temperature)), held_out.scores.shape[1], tuple(shift))


def calibrated_log_loss(scores: Sequence[NDArray[np.float64]], gold: Sequence[NDArray[np.int64]]) -> float:
    """Return the log loss of held-out items under the temperature that minimises it, in nats per item.

    Args:
        scores: for each fold float64 [items, classes], as in `fit_temperature`.
        gold: for each fold int64 [items], the classes.

    Returns:
        The log loss; 0 without usable items.
    """
    held_out = _HeldOut.of(scores, gold)
    return 0.0 if held_out is None else held_out.minimum(_COARSE)[1]


class _HeldOut(NamedTuple):
    """The held-out items from which a temperature is fitted.

    Attributes:
        scores: float64 [classes, items], less each item's highest score, so that no exponential overflows.
        target: mean of these scores for the correct classes, one more item with an unknown class included.
    """

    scores: NDArray[np.float64]
    target: float

    @classmethod
    def of(cls, scores: Sequence[NDArray[np.float64]], gold: Sequence[NDArray[np.int64]]) -> _HeldOut | None:
        """Return the usable items; None if there are none. The arguments are those of `fit_temperature`."""
        every, classes = np.concatenate(scores), np.concatenate(gold)
        of_gold = every[np.arange(len(classes)), classes]
        seen = np.isfinite(every)
        differ = every.max(axis=1) > np.where(seen, every, np.inf).min(axis=1)
        usable = np.isfinite(of_gold) & differ
        if not usable.any():
            return None
        highest = every[usable].max(axis=1)
        every, seen, of_gold = every[usable] - highest[:, None], seen[usable], of_gold[usable] - highest
        of_any = np.where(seen, every, 0.0).sum(axis=1) / seen.sum(axis=1)
        items = len(every)
        target = (items * of_gold + of_any).mean() / (items + 1)  # one item more, of any class
        return cls(np.ascontiguousarray(every.T), float(target))

    def minimum(self, tolerance: float) -> tuple[float, float]:
        """Return (log of the temperature with the least log loss, that log loss in nats per item)."""

        def log_loss(log_temperature: float) -> float:
            sharpness = np.exp(-log_temperature)
            return float(np.log(np.exp(sharpness * self.scores).sum(axis=0)).mean() - sharpness * self.target)

        bounds = (np.log(LEAST), np.log(MOST))
        best = minimize_scalar(log_loss, bounds=bounds, method="bounded", options={"xatol": tolerance})
        return float(best.x), float(best.fun)
