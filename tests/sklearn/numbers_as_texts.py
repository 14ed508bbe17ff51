"""Estimators that read rows of numbers as texts, so that scikit-learn's checks, which give numbers, can run them."""

import numpy as np
from sklearn.utils.validation import validate_data

from wordworth.sklearn import TextClassifier, TextEncoder, TextRegressor

_LEAST, _MOST = -3, 3


def as_words(row):
    """A row of numbers as words: the first number as `a-3 a-2 a-1`, a word for each whole number that it exceeds."""
    return " ".join(f"{chr(97 + column % 26)}{step}" for column, number in enumerate(row) for step in _exceeded(number))


def _exceeded(number):
    return range(_LEAST, int(np.clip(np.floor(number), _LEAST, _MOST)) + 1)


class _Numbers:
    def _texts_of(self, X, *, reset):  # noqa: N803 - scikit-learn's name
        rows = validate_data(self, X, reset=reset, dtype=np.float64)
        return tuple(map(as_words, rows.tolist()))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.allow_nan = False
        tags.input_tags.two_d_array = True
        return tags


class NumbersEncoder(_Numbers, TextEncoder):
    pass


class NumbersClassifier(_Numbers, TextClassifier):
    pass


class NumbersRegressor(_Numbers, TextRegressor):
    pass
