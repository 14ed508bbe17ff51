"""Read the one column of texts that an estimator is fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
from scipy.sparse import issparse

from wordworth.errors import BadInput

_MEND = "give a list of strings, or one column of texts of a table"


def texts_of(column: Any) -> tuple[str, ...]:  # noqa: ANN401 - lists, arrays, columns of several packages
    """Return the texts of a list, a numpy array, a pandas, polars or pyarrow column, or a table of one column.

    A missing value is read as an empty text.

    Raises:
        BadInput: `column` is not a single column, or a value is not text.
    """
    if isinstance(column, str | bytes):
        raise BadInput("got one string, expected a column of texts", mend="put it in a list: [text]")
    if isinstance(column, AbstractSet):
        raise BadInput(f"got a {type(column).__name__}, which has no order, expected a column of texts", mend=_MEND)
    if isinstance(column, Mapping) or issparse(column) or not hasattr(column, "__len__"):
        raise BadInput(f"got a {type(column).__name__}, expected a column of texts", mend=_MEND)
    return tuple(_text(value, row) for row, value in enumerate(_values(column)))


class ReadsTexts:
    """A mixin for an estimator whose `X` is one column of texts."""

    def _texts_of(self, X: Any, *, reset: bool) -> tuple[str, ...]:  # noqa: ANN401, N803 - `reset` as in scikit-learn
        """Return the texts of a column; store the column's name in a fit (`reset`), else check the name."""
        check_column_name(self, X, reset=reset)
        return texts_of(X)


def require_texts_to_learn(texts: Sequence[str]) -> None:
    """Check that there is at least one text to fit on.

    Raises:
        BadInput: `texts` is empty.
    """
    if not texts:
        raise BadInput("found 0 texts (shape=(0,)), but a fit needs at least one", mend=_MEND)


def column_name(column: Any) -> str | None:  # noqa: ANN401 - as `texts_of`
    """Return the name of a column of pandas or polars, or of a table's only column; None if the column has no name.

    As in scikit-learn, a name that is a number does not count as a name.
    """
    names: Sequence[Any] = getattr(column, "column_names", getattr(column, "columns", ()))  # of pyarrow, of others
    name = names[0] if _is_table(column) else getattr(column, "name", None)
    return str(name) if isinstance(name, str) and name else None


def check_column_name(estimator: Any, column: Any, *, reset: bool) -> None:  # noqa: ANN401 - as `texts_of`
    """Store the column's name in `feature_names_in_` in a fit; else check that the column has the same name.

    Args:
        estimator: the estimator that reads the column.
        column: a list, a numpy array, a pandas, polars or pyarrow column, or a table of one column.
        reset: True in a fit, False in a prediction.

    Raises:
        BadInput: `reset` is False, and the only column of a table has another name than in the fit.
    """
    name = column_name(column)
    if reset:
        vars(estimator).pop("feature_names_in_", None)
        if name is not None:
            estimator.feature_names_in_ = np.array([name], dtype=object)
        return
    fitted = getattr(estimator, "feature_names_in_", [name])[0]
    if _is_table(column) and name not in (None, fitted):
        what = f"the column is named {name!r}, and this was fitted on {fitted!r}"
        raise BadInput(what, mend=f"name it {fitted!r}, or give the column without its table")


def _is_table(column: Any) -> bool:  # noqa: ANN401 - as `texts_of`
    """Return whether an object is a table with exactly one column."""
    columns = getattr(column, "columns", None)
    return columns is not None and len(columns) == 1


def _values(column: Any) -> list[Any]:  # noqa: ANN401 - as `texts_of`
    """Return the values of a column, or of the only column of a table or 2-D array."""
    if len(getattr(column, "shape", ())) > 1:
        if len(column.shape) > 2 or column.shape[1] != 1:  # noqa: PLR2004 - rows and columns
            raise BadInput(f"got an array of shape {column.shape}, expected one column of texts", mend=_MEND)
        if hasattr(column, "to_pydict"):  # a table of pyarrow
            return next(iter(column.to_pydict().values()))
        column = column.to_numpy()[:, 0] if hasattr(column, "to_numpy") else column[:, 0]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _text(value: Any, row: int) -> str:  # noqa: ANN401 - a cell
    """Return a cell's text; an empty text for a missing value.

    Raises:
        BadInput: the cell holds something else than text.
    """
    if isinstance(value, str):
        return str(value)
    import pandas as pd

    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return ""
    raise BadInput(f"this is of type {type(value).__name__}, not text", where=f"row {row} (the first is 0)", mend=_MEND)
