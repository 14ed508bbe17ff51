"""Features brought to one scale, so that one grid of regularisation means the same for every rung."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks, Features

_STILL = 1e-6
"""A column whose deviation is below this fraction of its largest value holds rounding, not information."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """`(features - mean) * factor`: rows of squared norm one on average.

    Dense columns are standardised first; sparse ones keep their zeros and their weights.

    Attributes:
        mean: float32 [d], or None for sparse features and blocks.
        factor: float32 [d], or [1] for sparse features and blocks.
    """

    mean: NDArray[np.float32] | None
    factor: NDArray[np.float32]

    @classmethod
    def of(cls, features: Features) -> Scaling:
        """Learn the scaling of training features [n, d]; a column that never varies becomes zero."""
        if not isinstance(features, np.ndarray):
            squares = Blocks.of(features).squares() / max(features.shape[0], 1)
            return cls(None, np.array([1 / np.sqrt(squares) if squares > 0 else 1.0], np.float32))
        mean = features.mean(0, dtype=np.float64).astype(np.float32)
        centred = features - mean
        deviation = np.sqrt(np.einsum("nd,nd->d", centred, centred) / max(len(features), 1))
        largest = np.maximum(features.max(0, initial=0), -features.min(0, initial=0))
        varies = deviation > _STILL * largest
        factor = np.where(varies, 1 / (np.where(varies, deviation, 1.0) * np.sqrt(max(varies.sum(), 1))), 0.0)
        return cls(mean, factor.astype(np.float32))

    def __call__(self, features: Features) -> Blocks:
        """Return scaled features in float32, which halves the solver's time and changes no prediction."""
        if self.mean is None or not isinstance(features, np.ndarray):
            return Blocks.of(features).times(float(self.factor[0]))
        scaled = features - self.mean
        scaled *= self.factor
        return Blocks((scaled.astype(np.float32, copy=False),), (1.0,))
