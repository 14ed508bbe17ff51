"""The labels of the predictors: what cannot be learned is refused with its row, and with what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor

from wordworth.errors import BadInput
from wordworth.sklearn import TextClassifier, TextRegressor
from wordworth.sklearn.label_column import classes_of, numbers_of

TEXTS = ["a quiet film", "a loud film", "a quiet one", "a loud one"] * 10
MISSING = {
    "list": ["a", None, "b", None],
    "numbers": [1.0, np.nan, 2.0, np.nan],
    "objects": pd.Series(["a", None, "b", None], dtype=object),
    "pandas": pd.Series(["a", None, "b", None]),
    "categories": pd.Series(["a", None, "b", None], dtype="category"),
    "strings": pd.Series(["a", pd.NA, "b", pd.NA], dtype="string"),
    "whole numbers": pd.Series([1, None, 2, None], dtype="Int64"),
    "truth": pd.Series([True, None, False, None], dtype="boolean"),
    "polars": pl.Series(["a", None, "b", None]),
    "pyarrow": pa.array(["a", None, "b", None]),
    "one column": pd.DataFrame({"label": ["a", None, "b", None]}),
}
PRESENT = {
    "list": ["a", "b"],
    "numbers": np.array([1.0, 2.0]),
    "objects": pd.Series([1, 2], dtype=object),
    "strings": pd.Series(["a", "b"], dtype="string"),
    "whole numbers": pd.Series([1, 2], dtype="Int64"),
    "truth": pd.Series([True, False], dtype="boolean"),
    "polars": pl.Series(["a", "b"]),
    "pyarrow": pa.array(["a", "b"]),
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_label_is_counted_and_its_row_named(kind):
    message = (
        "Input y contains NaN: 2 of 4 labels are missing, the earliest in row 1 .the first is 0.; leave out those rows"
    )
    with pytest.raises(BadInput, match=message):
        classes_of(MISSING[kind])


@pytest.mark.parametrize(
    ("labels", "kind"),
    [(pd.Series([1, 2] * 20, dtype="Int64"), "i"), (pd.Series([True, False] * 20, dtype="boolean"), "b")],
)
def test_whole_numbers_and_truth_of_pandas_are_predicted_as_such(labels, kind):
    assert TextClassifier().fit(TEXTS, labels).predict(TEXTS[:2]).dtype.kind == kind


def test_a_missing_number_is_named_as_a_missing_class_is():
    with pytest.raises(BadInput, match="1 of 2 labels are missing, the earliest in row 1"):
        numbers_of(pd.Series([1.5, None], dtype="Float64"))


@pytest.mark.parametrize("kind", PRESENT)
def test_labels_of_any_column_are_read(kind):
    read = classes_of(PRESENT[kind]).tolist()
    assert read in (["a", "b"], [1, 2], [True, False])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            [1, 2.5],
            r"Unknown label type: continuous: the label of row 1 \(the first is 0\) is 2.5; TextRegressor",
        ),
        (
            ["a", 1],
            r"the label of row 0 \(the first is 0\) is 'a', a text, and that of row 1 is 1; give texts alone",
        ),
        (
            [["a", "b"], ["a"]],
            r"the label of row 0 \(the first is 0\) is \['a', 'b'\], and one label of a text is learned; make a column",
        ),
        (np.zeros((2, 3)), r"y has 3 columns, .*: sklearn.multioutput.MultiOutputClassifier\(TextClassifier"),
        (pd.DataFrame({"a": [0, 1], "b": [1, 0]}), "y has 2 columns, and one label of a text is learned"),
    ],
)
def test_what_is_no_class_is_refused_with_its_row(labels, message):
    with pytest.raises(BadInput, match=message) as caught:
        TextClassifier().fit(TEXTS[:2], labels)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, "spam"], r"the label of row 1 \(the first is 0\) is 'spam', not a number; TextClassifier learns classes"),
        ([1.0, np.inf], r"Input y contains infinity: the label of row 1 \(the first is 0\) is inf"),
        (np.zeros((2, 3)), r"sklearn.multioutput.MultiOutputRegressor\(TextRegressor"),
    ],
)
def test_what_is_no_number_is_refused_with_its_row(labels, message):
    with pytest.raises(BadInput, match=message):
        TextRegressor().fit(TEXTS[:2], labels)


def test_the_estimators_that_the_errors_name_learn_several_labels_of_a_text():
    both = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 10)
    assert MultiOutputClassifier(TextClassifier()).fit(TEXTS, both).predict(TEXTS[:4]).tolist() == both[:4].tolist()
    assert MultiOutputRegressor(TextRegressor()).fit(TEXTS, both).predict(TEXTS[:4]).shape == (4, 2)


def test_a_number_too_large_for_float32_models_is_refused():
    with pytest.raises(BadInput, match=r"the label of row 3 \(the first is 0\) is 1e\+300, too large to learn from"):
        TextRegressor("tfidf").fit(TEXTS, [1e300 if row == 3 else row for row in range(len(TEXTS))])
