import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from wordworth.errors import BadInput
from wordworth.sklearn.text_column import column_name, texts_of

TEXTS = ("a quiet film", "", "déjà vu")
COLUMNS = {
    "list": list(TEXTS),
    "tuple": TEXTS,
    "numpy strings": np.array(TEXTS),
    "numpy objects": np.array(TEXTS, dtype=object),
    "one column of numpy": np.array(TEXTS, dtype=object)[:, None],
    "pandas": pd.Series(TEXTS),
    "pandas categories": pd.Series(TEXTS).astype("category"),
    "one column of pandas": pd.DataFrame({"text": TEXTS}),
    "one column of pyarrow": pa.table({"text": TEXTS}),
    "pyarrow": pa.chunked_array([list(TEXTS)]),
}


@given(st.lists(st.text()))
def test_a_list_of_texts_is_read_as_it_is(texts):
    assert texts_of(texts) == tuple(texts)


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_of_any_kind_is_read(kind):
    assert texts_of(COLUMNS[kind]) == TEXTS


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_value_is_an_empty_text(missing):
    assert texts_of(np.array(["a", missing], dtype=object)) == ("a", "")
    assert texts_of(pd.Series(["a", missing], dtype="object")) == ("a", "")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("a quiet film", "put it in a list"),
        (["a", 3], r"row 1 \(the first is 0\): this is of type int, not text"),
        ([["a", "b"]], r"row 0 \(the first is 0\): this is of type list, not text"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), r"shape \(1, 2\), expected one column"),
        (csr_matrix([[1]]), "expected a column of texts"),
        (3, "got a int, expected a column of texts"),
        ({"a": "x", "b": "y"}, "got a dict, expected a column of texts; give a list"),
        ({"a": "x"}.keys(), "got a dict_keys, which has no order"),
        ({"a", "b"}, "got a set, which has no order, expected a column of texts; give a list"),
        (frozenset("ab"), "got a frozenset, which has no order"),
    ],
)
def test_what_is_no_column_of_texts_is_refused(column, message):
    with pytest.raises(BadInput, match=message):
        texts_of(column)


def test_a_column_has_the_name_that_its_table_gives_it():
    assert column_name(pd.Series(["a"], name="title")) == "title"
    assert column_name(pd.DataFrame({"title": ["a"]})) == "title"
    assert column_name(pa.table({"title": ["a"]})) == "title"
    assert [column_name(column) for column in (["a"], np.array(["a"]), pd.DataFrame(["a"]))] == [None, None, None]
