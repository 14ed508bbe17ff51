"""Check the parameters that the estimators share; the checks run in `fit`, as in scikit-learn."""

from __future__ import annotations

from numbers import Integral
from typing import TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from wordworth.errors import BadInput
from wordworth.representations.finetuning_settings import FineTuning

RandomState: TypeAlias = int | np.random.RandomState | None
_SEEDS = 2**32


def seed_of(random_state: object) -> int:
    """Return the seed of a fit: `random_state` itself if it is a whole number, else a seed drawn as by scikit-learn.

    Args:
        random_state: a whole number; a `RandomState`, from which each fit draws one number; or None for another seed
            in every fit, from numpy's global generator.

    Raises:
        BadInput: `random_state` is neither a whole number, a `RandomState` nor None.
    """
    if isinstance(random_state, Integral) and 0 <= int(random_state) < _SEEDS:
        return int(random_state)
    if random_state is None or random_state is np.random or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(_SEEDS, dtype=np.int64))
    mend = f"give a whole number from 0 to {_SEEDS - 1}, a numpy.random.RandomState, or None for another seed each time"
    raise BadInput(f"{random_state!r} is no seed", where="random_state", mend=mend)


def require_components(count: object) -> None:
    """Check `n_components`, the number of columns to which a truncated SVD reduces features.

    Args:
        count: a whole number from 1 on, or None for no reduction.

    Raises:
        BadInput: `count` is neither.
    """
    if count is not None and not (isinstance(count, Integral) and int(count) >= 1):
        mend = "give a whole number from 1 on, or None for all features"
        raise BadInput(f"{count!r} is no number of columns", where="n_components", mend=mend)


def require_metric_name(metric: object) -> None:
    """Check that a metric is a name.

    Raises:
        BadInput: `metric` is not a str, but a scorer of scikit-learn, say.
    """
    if not isinstance(metric, str):
        raise BadInput(f"{metric!r} is no name of a metric", where="metric", mend="give a name such as 'macro_f1'")


def require_finetuning(value: object) -> None:
    """Check the settings by which an estimator fine-tunes its encoder.

    Args:
        value: a `FineTuning`, or None for the settings of the study `worth`.

    Raises:
        BadInput: `value` is neither.
    """
    if not isinstance(value, FineTuning | None):
        mend = "give a FineTuning of wordworth.sklearn, such as FineTuning(epochs=3), or None"
        raise BadInput(f"this is of type {type(value).__name__}", where="finetuning", mend=mend)
