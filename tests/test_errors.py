"""Errors for users: a bad input is a `ValueError`, as other libraries raise, and travels between processes whole."""

import pickle

import pytest

from wordworth.errors import BadInput, NotEnoughMemory, NotFound, nearest_of_few


def test_bad_input_is_a_value_error():
    with pytest.raises(ValueError, match=r"reviews.csv: no column 'text'; give `text`"):
        raise BadInput("no column 'text'", where="reviews.csv", mend="give --text")


def test_an_unknown_name_is_a_value_error_and_a_lookup_error():
    assert issubclass(NotFound, ValueError)
    assert issubclass(NotFound, LookupError)
    assert not issubclass(NotEnoughMemory, ValueError)


def test_an_error_arrives_whole_from_another_process():
    error = pickle.loads(pickle.dumps(NotFound("no table", where="record", mend="did you mean 'scores'?")))  # noqa: S301
    assert (str(error), error.what, error.mend) == (
        "record: no table; did you mean 'scores'?",
        "no table",
        "did you mean 'scores'?",
    )


@pytest.mark.parametrize(
    ("error", "in_flags", "in_python"),
    [
        (BadInput("a", where="--dev 0", mend="give --dev 1"), "--dev 0: a; give --dev 1", "`dev` 0: a; give `dev` 1"),
        (BadInput("no --text-b"), "no --text-b", "no `text_b`"),
        (BadInput("a", mend="`wordworth x --out y`"), "a; `wordworth x --out y`", "a; `wordworth x --out y`"),
        (BadInput("a", mend="wordworth x --out y"), "a; wordworth x --out y", "a; wordworth x --out y"),
        (BadInput("a", mend="pip install --no-deps b, or --out"), None, "a; pip install --no-deps b, or `out`"),
        (BadInput("no class '--text'", where="my--file.csv"), None, "my--file.csv: no class '--text'"),
    ],
)  # fmt: skip
def test_the_command_line_names_flags_and_python_keywords(error, in_flags, in_python):
    assert str(error) == in_python
    assert error.in_flags == (in_flags or error.in_flags)
    assert str(pickle.loads(pickle.dumps(error))) == in_python  # noqa: S301


def test_of_few_choices_all_are_named_beside_the_likeliest():
    assert nearest_of_few("float16", ["float32", "bfloat16"]).endswith("(available: 'float32', 'bfloat16')")
    assert nearest_of_few("x", ["a", "b"]) == "available: 'a', 'b'"
