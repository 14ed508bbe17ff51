"""A condition is read by its grammar, whatever it is made into."""

import pytest

from wordworth.errors import BadInput
from wordworth.retrieval.condition_parser import parse


class Words:
    """Makes a condition into words, so that its structure is seen."""

    def among(self, column, values):
        return f"{column} in {values}"

    def compared(self, column, sign, value):
        return f"{column} {sign} {value!r}"

    def like(self, column, pattern):
        return f"{column} like {pattern}"

    def negated(self, condition):
        return f"not({condition})"

    def both(self, first, second):
        return f"({first} & {second})"

    def either(self, first, second):
        return f"({first} | {second})"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a = 'x'", "a in ['x']"),
        ("a != 3 AND b >= -2.5", "(not(a in [3.0]) & b >= -2.5)"),
        ("a = 1 OR b = 2 AND NOT c < 'z'", "(a in [1.0] | (b in [2.0] & not(c < 'z')))"),
        ("(a = 1 OR b = 2) AND \"my \"\"c\" NOT LIKE 'it''s%'", "((a in [1.0] | b in [2.0]) & not(my \"c like it's%))"),
        ("a not in ('x', 2)", "not(a in ['x', 2.0])"),
    ],
)
def test_what_binds_more_is_made_first(condition, expected):
    assert parse(condition, Words()) == expected


@pytest.mark.parametrize("condition", ["", "a", "a =", "a = b", "a = 'x' b", "(a = 1", "NOT", "a IN ()", "a ~ 1"])
def test_what_is_no_condition_is_refused(condition):
    with pytest.raises(BadInput, match="cannot read this condition"):
        parse(condition, Words())
