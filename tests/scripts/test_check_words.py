"""Names that say nothing and docstrings that begin in riddles are faults."""

import textwrap

import pytest

from scripts import check_words


@pytest.fixture
def faults_of(tmp_path):
    def write_and_check(code):
        (tmp_path / "module.py").write_text(textwrap.dedent(code))
        return [line.split(": ", 1)[1] for line in check_words.faults(tmp_path / "module.py")]

    return write_and_check


def test_a_local_variable_that_says_nothing_is_named(faults_of):
    assert faults_of("def f():\n    found = 1\n    return found\n") == [
        "the name 'found' says nothing of what it holds"
    ]


def test_a_private_function_and_its_parameters_are_named_but_not_those_of_a_public_one(faults_of):
    assert len(faults_of("def _told(given):\n    return given\n")) == 2
    assert faults_of("def told(given):\n    return given\n") == []


@pytest.mark.parametrize("start", ["Of", "Its", "Whether it", "What it"])
def test_a_docstring_that_does_not_name_the_thing_is_a_fault(faults_of, start):
    (fault,) = faults_of(f'def f():\n    """{start} something."""\n')
    assert "name the thing" in fault


def test_four_parameters_are_explained(faults_of):
    four = 'def f(a, b, c, d):\n    """Return their sum."""\n'
    assert faults_of(four) == ["f has 4 parameters and no 'Args:'"]
    assert faults_of(four.replace("sum.", "sum.\n\n    Args:\n        a: the first.\n    ")) == []


def test_the_command_fails_if_there_is_a_fault(tmp_path, capsys):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("total = 1\n")
    bad.write_text("def f():\n    found = 1\n")
    assert check_words.main([str(good)]) == 0
    assert check_words.main([str(tmp_path)]) == 1
    assert "bad.py:2" in capsys.readouterr().out
