"""Help: there for every command, with examples, and fast because nothing heavy is imported for it."""

import subprocess
import sys

import pytest
from tests.cli.terminal import wordworth

from wordworth.cli.app import COMMANDS

LOADED = """
import sys
sys.argv = ["wordworth", *{words!r}]
from wordworth.cli import main
try:
    main()
except SystemExit:
    print("loaded", *sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


def loaded(*words: str) -> set[str]:
    """The packages that a fresh process has imported after a command."""
    code = LOADED.format(words=list(words))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("loaded ")[2].split())


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["wroth"]], ids=" ".join)
def test_help_imports_nothing_heavy(words):
    heavy = {"torch", "numpy", "scipy", "sklearn", "pandas", "pyarrow", "tokenizers", "transformers", "rich", "jinja2"}
    assert loaded(*words) & heavy == set()


def test_no_command_needs_torch_to_explain_itself():
    for command in COMMANDS:
        assert "torch" not in loaded(command, "--help")


def test_help_lists_every_command_and_shows_examples_a_line_each():
    shown = wordworth("--help")
    assert shown.code == 0
    assert all(name in shown.out for name in COMMANDS)
    assert "\n    wordworth worth reviews.csv --text text --label label --out run/\n" in shown.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_examples_of_itself(command):
    shown = wordworth(command, "--help")
    assert shown.code == 0
    assert f"\n    wordworth {command}" in shown.out
    assert "\b" not in shown.out


def test_without_a_command_help_is_shown():
    shown = wordworth()
    assert shown.code == 2
    assert "Commands:" in shown.err


def test_python_m_is_the_same_command_line():
    done = subprocess.run([sys.executable, "-m", "wordworth", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("wordworth, version ")


def test_every_option_of_worth_says_what_it_is_for():
    lines = wordworth("worth", "--help").out.partition("Options:")[2].splitlines()
    named = [line for line in lines if line.lstrip().startswith("-")]
    assert len(named) > 15
    assert all(len(line.split()) > 2 for line in named)


def test_a_machine_without_a_temporary_folder_is_told_to_name_one():
    code = (
        "import sys, tempfile; from wordworth.cli.app import main; import wordworth.cli.models as models\n"
        "tempfile._candidate_tempdir_list = lambda: []\n"
        "models.command.callback = lambda **_: tempfile.gettempdir()\n"
        "sys.argv[1:] = ['models']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("wordworth: no temporary folder can be written; name one in the variable TMPDIR")
