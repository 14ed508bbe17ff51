"""A public docstring that leaves its reader to guess is a fault; one that names, explains and shapes is none."""

import textwrap

import pytest

from scripts import check_docstrings


@pytest.fixture
def faults_of(tmp_path):
    def write_and_check(code):
        path = tmp_path / "module.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        return [line.split(": ", 1)[1] for line in check_docstrings.faults(path)]

    return write_and_check


def function(signature, docstring):
    return f'def {signature}:\n    """{docstring}"""\n'


@pytest.mark.parametrize("signature", ["cut(text: str, most: Sizes, end: Ends)", "cut(text: Text, most: int)"])
def test_parameters_are_explained_one_by_one(faults_of, signature):
    (fault,) = faults_of(function(signature, "Shorten a text."))
    assert fault.startswith("cut: parameters without a line under 'Args:': text, most")


def test_every_parameter_has_a_line_once_there_are_lines(faults_of):
    code = function("cut(text: str, most: int)", "Shorten a text.\n\n    Args:\n        text: the text.\n    ")
    assert faults_of(code) == ["cut: parameters without a line under 'Args:': most"]


@pytest.mark.parametrize(
    "code",
    [
        function("cut(text: Text, end: Ends)", "Shorten a text."),
        function("cut(text: str, end: str)", "Shorten a text, with an end."),
        function("cut(text: str, _: int)", "Shorten a text."),
        function("_cut(text: str, most: int)", "Shorten."),
        "@documented_by(Settings)\n" + function("cut(text: str, *, most: int, end: str)", "Shorten a text."),
        "@command(name='cut')\n" + function("command(text: str, most: int, end: str)", "Shorten a text."),
        function("cut(a: int, b: int)", "Cut it.\n\n    Args:\n        a: the first.\n        b: the last.\n    "),
    ],
)
def test_parameters_that_say_it_themselves_need_no_line(faults_of, code):
    assert faults_of(code) == []


def test_two_plain_parameters_and_a_single_count_are_named(faults_of):
    assert faults_of(function("cut(text: str, end: str)", "Shorten a text.")) == [
        "cut: parameters that the text does not name: end"
    ]
    assert faults_of(function("first(most: int)", "Return the start.")) == [
        "first: parameters that the text does not name: most"
    ]


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        (function("unit(vectors: Vectors) -> Floats", "Scale the vectors."), 2),
        (function("unit(vectors: Vectors) -> Floats", "Scale the vectors, [n, d], to length 1."), 0),
        (function("unit(vectors: Vectors) -> Floats", "Scale the vectors, of any shape."), 0),
        (function("named() -> dict[str, Tensor]", "Return the weights."), 0),
        ('class Pool:\n    """A pool."""\n    sums: Floats\n', 1),
        (
            'class Pool:\n    """A pool.\n\n    Attributes:\n        sums: [n], the sums.\n    """\n    sums: Floats\n',
            0,
        ),
    ],
)
def test_arrays_have_a_shape(faults_of, code, faults):
    assert sum("without a shape" in fault for fault in faults_of(code)) == faults


@pytest.mark.parametrize(
    "text",
    [
        "Return the best score: that of the first run.",
        "Sort the runs. Those of a grid search come last.",
        "Sort the runs; they are compared by their scores.",
        "Return how one run differs from another.",
        "Return the best run; None if there is none.",
        "Return the best run, if the study has none.",
        f"Return {'one more ' * 18}run.",
    ],
)
def test_words_that_stand_for_others_and_long_sentences_are_faults(faults_of, text):
    assert len(faults_of(function("best()", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Return the run that scores best, of those runs that ended.",
        "Read the runs one by one.",
        f"Return {'one more ' * 9}run; {'one more ' * 9}run.",
        'Return the best run.\n\n    >>> best()\n    "there is no run: if none, that of another"\n    ',
    ],
)
def test_plain_sentences_hold(faults_of, text):
    assert faults_of(function("best()", text)) == []


def test_a_docstring_says_more_than_the_name(faults_of):
    assert faults_of(function("best_run()", "Return the best run.")) == [
        "best_run: the docstring says no more than the name"
    ]


EXPLAINED = '"""Fit rungs.\n\nA rung is a model that\n`worth` compares.\n"""\n'


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ('"""Fit rungs."""\n', 1),
        (function("fit()", "Fit every rung, and return the scores."), 1),
        (function("fit()", "Fit the ladder, from the cheap rungs on."), 3),
        (EXPLAINED + function("fit()", "Fit every rung, and return the scores."), 0),
        (EXPLAINED + function("fit()", "Fit every contextual rung."), 1),
        (function("fit()", "Fit every model, and return the scores."), 0),
    ],
)
def test_a_module_explains_the_words_that_are_not_of_the_field(faults_of, code, faults):
    assert sum("is not explained" in fault for fault in faults_of(code)) == faults


@pytest.mark.parametrize(
    ("second", "faults"),
    [("It is sorted.", 1), ("They are sorted.", 1), ("Both are sorted.", 1), ("These scores differ.", 0)],
)
def test_a_paragraph_begins_with_a_noun(faults_of, second, faults):
    code = function("best()", f"Return the run with the highest score.\n\n    {second}\n    ")
    assert sum("begins a paragraph" in fault for fault in faults_of(code)) == faults


def test_main_prints_the_faults_and_fails(tmp_path, capsys):
    (tmp_path / "good.py").write_text(function("best()", "Return the run with the highest score."))
    assert check_docstrings.main([str(tmp_path)]) == 0
    (tmp_path / "bad.py").write_text(function("best()", "Return the best."))
    assert check_docstrings.main([str(tmp_path)]) == 1
    assert "bad.py:1: best: the docstring says no more than the name" in capsys.readouterr().out
