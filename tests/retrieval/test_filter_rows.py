"""Conditions on columns: what passes is what SQL's users expect, and NOT passes exactly the rest."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput, NotFound
from wordworth.retrieval.filter_rows import passing

ROWS = {
    "lang": ["en", "de", "en", "", "fr"],
    "year": ["1999", "2020", "2021.5", "unknown", "1e3"],
    "my column": ["it's", "50%", "a_b", 'say "hi"', "aXb"],
    "naïve": ["x", "y", "x", "y", "x"],
}


def column(name):
    if name not in ROWS:
        raise NotFound(f"column {name!r} not found", where="index", mend="did you mean 'lang'?")
    return pa.chunked_array([pa.array(ROWS[name][:2], pa.large_string()), pa.array(ROWS[name][2:], pa.large_string())])


def rows(condition):
    return np.flatnonzero(passing(condition, column)).tolist()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("lang = 'en'", [0, 2]),
        ("lang == 'en'", [0, 2]),
        ("lang != 'en'", [1, 3, 4]),
        ("lang <> 'en'", [1, 3, 4]),
        ("lang = ''", [3]),
        ("lang > 'en'", [4]),
        ("year >= 2020", [1, 2]),
        ("year < 1999.5", [0, 4]),
        ("year = 1000", [4]),
        ("year = '1e3'", [4]),
        ("year = '1000'", []),
        ("year != 2020", [0, 2, 3, 4]),
        ("NOT year < 1e9", [3]),
        ("lang IN ('de', 'fr')", [1, 4]),
        ("lang not in ('de', 'fr')", [0, 2, 3]),
        ("year in (1999, 'unknown')", [0, 3]),
        ("lang LIKE 'e_'", [0, 2]),
        ("lang LIKE '%'", [0, 1, 2, 3, 4]),
        ("lang NOT LIKE '%e%'", [3, 4]),
        ("\"my column\" = 'it''s'", [0]),
        ('"my column" = \'say "hi"\'', [3]),
        ("naïve = 'y'", [1, 3]),
        ("lang = 'en' AND year > 2000", [2]),
        ("lang = 'de' OR lang = 'en' AND year > 2000", [1, 2]),
        ("(lang = 'de' OR lang = 'en') AND year > 2000", [1, 2]),
        ("not (lang = 'de' or lang = 'en')", [3, 4]),
        ("NOT lang = 'en' AND year > 2000", [1]),
        ("  lang='en'and year<2000 ", [0]),
        ("year > -5", [0, 1, 2, 4]),
    ],
)
def test_rows_that_pass(condition, expected):
    assert rows(condition) == expected


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "at its end, where a column is wanted"),
        ("lang", "at its end, where =, !=, <, <=, >, >=, IN or LIKE is wanted"),
        ("lang = en", "at 'en', where a number or a text in single quotes is wanted"),
        ('lang = "en"', "where a number or a text in single quotes is wanted"),
        ("lang = 'en", 'cannot read this condition at "\'en"'),
        ("lang = 'en' year = 3", "at 'year = 3', where AND, OR or the end is wanted"),
        ("(lang = 'en'", r"where '\)' is wanted"),
        ("lang IN 'en'", r"where '\(' is wanted"),
        ("lang IN ()", "where a number or a text"),
        ("lang NOT = 'en'", "where IN or LIKE is wanted"),
        ("lang = 'en'; DROP TABLE rows", "cannot read this condition at '; DROP TABLE rows'"),
        ("lang , 'en'", "where =, !=, <, <=, >, >=, IN or LIKE is wanted"),
        ("year = 2020x", "cannot read this condition at '2020x'"),
        ("__import__('os') = 1", "not found|cannot read"),
        ("and = 'x'", "where a column is wanted"),
    ],
)
def test_a_condition_that_cannot_be_read_is_refused_with_its_place(condition, said):
    with pytest.raises(BadInput, match=said):
        rows(condition)


def test_an_unknown_column_is_named():
    with pytest.raises(NotFound, match="column 'langs' not found"):
        rows("langs = 'en'")


def test_endless_parentheses_are_refused():
    with pytest.raises(BadInput, match="more than 100 levels"):
        rows("(" * 100_000)
    with pytest.raises(BadInput, match="more than 100 levels"):
        rows("not " * 5_000 + "lang = 'en'")


conditions = st.recursive(
    st.builds(
        "{} {} {}".format,
        st.sampled_from(["lang", "year", '"my column"']),
        st.sampled_from(["=", "!=", "<", ">=", "in", "not in", "like"]),
        st.sampled_from(["'en'", "'2020'", "''"]),
    ).map(lambda each: each.replace("in '", "in ('") + ")" if " in " in each else each)
    | st.builds("year {} {}".format, st.sampled_from(["=", "<", ">=", "!="]), st.integers(-3000, 3000)),
    lambda inner: st.builds("({} AND {})".format, inner, inner) | st.builds("({} OR {})".format, inner, inner),
    max_leaves=6,
)


@given(conditions, conditions)
def test_a_condition_and_its_opposite_pass_every_row_once(first, second):
    assert sorted(rows(first) + rows(f"NOT ({first})")) == [0, 1, 2, 3, 4]
    assert set(rows(f"{first} AND {second}")) == set(rows(first)) & set(rows(second))
    assert set(rows(f"{first} OR {second}")) == set(rows(first)) | set(rows(second))


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_one_clear_error(text):
    try:
        assert len(passing(text, column)) == 5
    except BadInput as error:
        assert "\n" not in error.what  # noqa: PT017 - either is fine


@given(st.text(max_size=20))
def test_any_text_can_be_asked_for(text):
    cells = pa.chunked_array([pa.array([text, text + "x"], pa.large_string())])
    condition = "c = '{}'".format(text.replace("'", "''"))
    assert passing(condition, lambda _: cells).tolist() == [True, False]
