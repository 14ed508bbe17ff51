"""Every script of recipes/, benchmarks/ and scripts/ starts: its imports are there, and --help says what it does."""

import argparse
import ast
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from scripts.check_docs import COMMAND, SCRIPT, refusal, script_refusal

from wordworth.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]
PEERS = ("sentence_transformers", "transformers", "pycrfsuite", "onnxruntime", "setfit", "ray", "faiss", "bm25s")
"""Packages that some benchmarks import: the extra `peers`."""


def scripts():
    """The files that are run, not only imported."""
    files = [path for folder in ("recipes", "benchmarks", "scripts") for path in (ROOT / folder).glob("*.py")]
    return sorted(path for path in files if '__name__ == "__main__"' in path.read_text("utf-8"))


def imported(path):
    """The packages and modules that a file imports at its top."""
    body = ast.parse(path.read_text("utf-8")).body
    names = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
    return [*names, *(node.module for node in body if isinstance(node, ast.ImportFrom))]


def wanted(path):
    """The packages of other libraries that a script needs in order to start, by way of the scripts that it imports."""
    beside = [path.with_name(f"{name}.py") for name in imported(path)]
    own = {name.split(".")[0] for name in imported(path)} & set(PEERS)
    return own.union(*(wanted(other) for other in beside if other.exists()))


def parameter(path):
    """A script as a parameter of the test; one that needs other libraries is started with the tests that have them."""
    return pytest.param(path, id=f"{path.parent.name}/{path.name}", marks=pytest.mark.peers if wanted(path) else ())


def require_libraries(script):
    """Skip the test where a library that the script imports is not installed."""
    missing = [name for name in wanted(script) if find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")


@pytest.mark.parametrize("script", [parameter(path) for path in scripts()])
@pytest.mark.filterwarnings("ignore")
def test_a_script_starts_and_says_what_it_does(script, monkeypatch, capsys):
    require_libraries(script)
    monkeypatch.setattr(sys, "argv", [str(script), "--help"])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(script), run_name="__main__")
    help_words = capsys.readouterr().out.split()
    first = (ast.get_docstring(ast.parse(script.read_text("utf-8"))) or "").splitlines()[0].split()
    assert stopped.value.code == 0
    assert help_words[0] == "usage:"
    assert "".join(first) in "".join(help_words)


def recipes_and_benchmarks():
    """The scripts that end as `wordworth` does; that of other backends runs where wordworth is not installed."""
    return [
        path for path in scripts() if path.parent.name != "scripts" and path.stem != "sentence_transformers_backends"
    ]


@pytest.mark.parametrize("script", [parameter(path) for path in recipes_and_benchmarks()])
@pytest.mark.filterwarnings("ignore")
def test_bad_input_to_a_script_is_one_line_and_exit_code_2(script, monkeypatch, capsys):
    def refuse(*_):
        raise BadInput("damaged", where="a.json")

    require_libraries(script)
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", refuse)
    monkeypatch.setattr(sys, "argv", [str(script)])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(script), run_name="__main__")
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith(f"{script}: a.json: damaged")


@pytest.mark.parametrize("script", [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in scripts()])
def test_the_commands_in_a_scripts_description_are_accepted(script):
    lines = [line.strip() for line in (ast.get_docstring(ast.parse(script.read_text("utf-8"))) or "").splitlines()]
    text = "\n".join(line.replace("[", "").replace("]", "") for line in lines if "$" not in line)
    refused = [(line, refusal(line)) for line in COMMAND.findall(text)]
    refused += [(line, script_refusal(line)) for line in SCRIPT.findall(text)]
    assert not [(line, reason) for line, reason in refused if reason]
