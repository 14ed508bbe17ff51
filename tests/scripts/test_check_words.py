"""Names that say nothing, private words in texts, and docstrings that begin in riddles are faults."""

import re
import textwrap
from pathlib import Path

import pytest
from private_words import ALLOWED, API_NAMES, NAMES, TEXT, is_allowed

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


def test_functions_and_parameters_are_named_be_they_private_or_public(faults_of):
    assert len(faults_of("def _told(given):\n    return given\n")) == 2
    assert len(faults_of("def told(a, *, given):\n    return given\n")) == 2
    assert len(faults_of("class Told:\n    def given(self):\n        return 1\n")) == 2


def test_fields_of_classes_are_named_declared_or_set(faults_of):
    assert faults_of("class Table:\n    told: int\n    rows: int = 0\n") == [
        "the name 'told' says nothing of what it holds"
    ]
    assert len(faults_of("class Table:\n    def __init__(self):\n        self._kept, self.rows = 1, 2\n")) == 1


def test_a_word_may_be_too_vague_for_a_field_and_right_for_a_local_variable(faults_of):
    assert faults_of("def f(rows):\n    kept = [row for row in rows if row]\n    return kept\n") == []
    assert len(faults_of("def f(kept):\n    return kept\n")) == 1


@pytest.mark.parametrize(
    "code",
    [
        '"""What the crew of threads does."""\n',
        'class Loop:\n    steps: int\n    """The steps of a sitting."""\n',
        "def f():\n    raise BadInput('no such desk', where='x')\n",
        "def f(n):\n    raise BadInput(f'{n} crew', mend='fewer')\n",
        "def f(n):\n    raise BadInput('x', mend='ask whoever' if n else 'y')\n",
        "def f():\n    what = 'the model was told'\n    return what\n",
        "rows: int = setting(1, 'Rows that are spoken of.')\n",
        "option('--rows', help='Number of looks, or of several looks.')\n",
    ],
)
def test_docstrings_help_and_messages_are_read(faults_of, code):
    (fault,) = faults_of(code)
    assert "say it in plain words" in fault


def test_the_line_is_that_of_the_word_in_a_long_docstring(tmp_path):
    (tmp_path / "module.py").write_text('"""A title.\n\nHere stands a crew.\n"""\n')
    (fault,) = check_words.faults(tmp_path / "module.py")
    assert "module.py:3: " in fault


@pytest.mark.parametrize(
    "sentence", ["it looks like Chinese", "a text looks at the next one", "cannot be told apart from it", "Yes."]
)
def test_plain_english_with_the_same_words_passes(faults_of, sentence):
    assert faults_of(f"def f():\n    raise BadInput({sentence!r})\n") == []


def test_strings_that_no_user_reads_may_hold_former_names(faults_of):
    assert faults_of("FORMER = {'looks': 'evaluations', 'told': 'counts'}\n") == []


def test_a_word_that_is_right_in_one_room_is_allowed_there_alone():
    study, other = (Path("src/wordworth") / name for name in ("studies/worth/sequential_looks.py", "training/loop.py"))
    assert is_allowed("looks", study)
    assert not is_allowed("looks", other)
    assert not is_allowed("told", study)


def test_every_allowed_word_is_still_needed():
    for allowed in ALLOWED:
        where = Path(allowed.where)
        files = sorted(where.rglob("*.py")) if where.is_dir() else [where]
        assert allowed.word in {*NAMES, *API_NAMES, *TEXT}, allowed
        assert any(re.search(rf"\b_?{allowed.word}", path.read_text(), re.IGNORECASE) for path in files), allowed


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


def test_helpers_of_tests_are_held_to_the_words_and_tests_are_not(tmp_path):
    for name in ("helper.py", "test_helper.py"):
        (tmp_path / name).write_text("def f(found):\n    return found\n")
    assert [path.name for path in check_words.files_in(tmp_path)] == ["helper.py"]


def test_functions_that_only_tests_call_need_not_explain_their_parameters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = 'def f(a, b, c, d):\n    """Add four numbers."""\n'
    for folder in ("tests", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper.py").write_text(code)
    assert list(check_words.faults(Path("tests/helper.py"))) == []
    assert len(list(check_words.faults(Path("src/helper.py")))) == 1
