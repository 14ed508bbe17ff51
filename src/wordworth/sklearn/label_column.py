"""Read the argument `y` of a predictor's `fit`: one class or one number for each text; errors count rows from 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from wordworth.errors import BadInput
from wordworth.tasks.task_types.regression import LARGEST

_COLUMNS = 2
_SHORT = 60
"""Most characters of a label in an error."""


def classes_of(y: Any) -> NDArray[Any]:  # noqa: ANN401 - lists, arrays, columns of several packages
    """Return the class of each text as an array [texts] of whole numbers, truth values or strings.

    Raises:
        BadInput: a label is missing, is a fraction or has another type than the other labels, or a text has several
            labels; the error names the row.
    """
    cells = _cells(y, "MultiOutputClassifier(TextClassifier(...))")
    _require_one_type(cells)
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind in "Of" and len(labels) and not isinstance(cells[0], str):
        labels = np.array(cells.tolist())  # of a column of objects; whole numbers of pandas, not floats
    try:
        check_classification_targets(labels)
    except ValueError as error:
        what = str(error).partition(".")[0]
        row = next((row for row, label in enumerate(cells.tolist()) if _is_fraction(label)), 0)
        mend = "TextRegressor learns numbers; a class is a whole number or a text"
        raise BadInput(f"{what}: {_label(cells, row)}", where="y", mend=mend) from error
    return np.asarray(labels)


def numbers_of(y: Any) -> NDArray[np.float64]:  # noqa: ANN401 - as `classes_of`
    """Return the number of each text, float64 [texts].

    Raises:
        BadInput: a value is missing, too large or not a number, or a text has several values; the error names the row.
    """
    cells = _cells(y, "MultiOutputRegressor(TextRegressor(...))")
    labels = column_or_1d(y, warn=True)
    try:
        numbers = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError) as error:
        row = next((row for row, label in enumerate(cells.tolist()) if not _is_number(label)), 0)
        what = f"{_label(cells, row)}, not a number"
        raise BadInput(what, where="y", mend="TextClassifier learns classes") from error
    if len(numbers) and np.abs(numbers).max() > LARGEST:
        what = f"{_label(cells, int(np.abs(numbers).argmax()))}, too large to learn from"
        raise BadInput(what, where="y", mend="give the numbers in a larger unit")
    return numbers


def _cells(y: Any, of_several: str) -> NDArray[Any]:  # noqa: ANN401 - as `classes_of`
    """Return labels unchanged as an array [n], after checking that each is one present and finite value.

    Args:
        y: the labels of n texts.
        of_several: the estimator of scikit-learn for several labels per text, which the error message suggests.

    Raises:
        BadInput: a text has several labels, or a label is missing or infinite.
    """
    cells = _array(y)
    if cells.ndim == _COLUMNS and cells.shape[1] > 1:
        mend = f"give one column, or learn every column: sklearn.multioutput.{of_several}"
        raise BadInput(f"y has {cells.shape[1]} columns, and one label of a text is learned", mend=mend)
    cells = cells.ravel()
    _require_single(cells, of_several)
    _require_present(cells)
    return cells


def _array(y: Any) -> NDArray[Any]:  # noqa: ANN401 - as `classes_of`
    """Return labels as an array; a list of numbers and strings keeps both types."""
    if isinstance(y, np.ndarray):
        return y
    if hasattr(y, "to_pylist"):  # of pyarrow
        y = y.to_pylist()
    if hasattr(y, "to_numpy"):
        return np.asarray(y.to_numpy())
    return np.array(y, dtype=object)


def _require_single(cells: NDArray[Any], of_several: str) -> None:
    several = (row for row, label in enumerate(cells.tolist()) if isinstance(label, list | tuple | set | np.ndarray))
    row = next(several, None)
    if row is not None:
        what = f"{_label(cells, row)}, and one label of a text is learned"
        mend = f"make a column of 0 and 1 of each (MultiLabelBinarizer), and learn them with {of_several}"
        raise BadInput(what, where="y", mend=mend)


def _require_present(cells: NDArray[Any]) -> None:
    import pandas as pd

    missing = np.flatnonzero(pd.isna(cells))
    if len(missing):
        earliest = f"the earliest in row {missing[0]} (the first is 0)"
        what = f"Input y contains NaN: {len(missing)} of {len(cells)} labels are missing, {earliest}"
        raise BadInput(what, mend="leave out those rows of texts and labels")
    infinite = (row for row, label in enumerate(cells.tolist()) if isinstance(label, float) and math.isinf(label))
    row = next(infinite, None)
    if row is not None:
        raise BadInput(f"Input y contains infinity: {_label(cells, row)}", mend="leave out such rows")


def _require_one_type(cells: NDArray[Any]) -> None:
    """Raise BadInput if strings are mixed with other labels: such classes cannot be sorted."""
    texts = [isinstance(label, str) for label in cells.tolist()]
    if any(texts) and not all(texts):
        text, other = texts.index(True), texts.index(False)
        what = f"{_label(cells, text)}, a text, and that of row {other} is {_short(cells[other])}"
        raise BadInput(what, where="y", mend="give texts alone or numbers alone")


def _is_fraction(label: object) -> bool:
    return isinstance(label, float) and not label.is_integer()


def _is_number(label: object) -> bool:
    try:
        float(label)  # type: ignore[arg-type]  # whether it is one is the question
    except (TypeError, ValueError):
        return False
    return True


def _label(cells: NDArray[Any], row: int) -> str:
    return f"the label of row {row} (the first is 0) is {_short(cells[row])}"


def _short(label: object) -> str:
    return f"{label.item() if isinstance(label, np.generic) else label!r:.{_SHORT}}"
