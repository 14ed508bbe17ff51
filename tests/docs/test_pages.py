"""The pages of the documentation: their Python examples run in order, on made-up data, but for a few with a reason."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import click
import pytest
from tests.docs import made_up
from tests.studies.worth.made_up import scores, sentence

import wordworth as ww
from wordworth.studies.worth.study_result import StudyResult

ROOT = Path(__file__).parents[2]
EXTENDING = ROOT / "docs" / "extending"  # `test_extending.py` runs them
TRANSLATION = ROOT / "README.zh.md"  # `check_docs.py` holds its code to that of README.md
EXAMPLE = re.compile(r"(?:<!-- not run: (.+?) -->\n+)?^( *)```python\n(.*?)^\2```", re.DOTALL | re.MULTILINE)
MOST_NOT_RUN = 6
OUR_PACKAGES = {"wordworth", "numpy", "pandas", "sklearn", "torch"}
SLOW = {
    ROOT / "README.md",
    *(ROOT / "docs" / page for page in ("attention.md", "geometry.md", "integrations/model-card.md", "static.md")),
}
"""Whole studies, with encoders."""
MINUTES = 10


def examples(page: Path) -> list[tuple[str, str]]:
    """The reason why an example is not run ("" if it is) and the code, of each example of a page."""
    return [(reason, dedent(code)) for reason, _, code in EXAMPLE.findall(page.read_text(encoding="utf-8"))]


def peers(page: Path) -> set[str]:
    """The packages that a page's examples import and that do not come with Wordworth."""
    nodes = [node for _, code in examples(page) for node in ast.walk(ast.parse(code))]
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - OUR_PACKAGES - sys.stdlib_module_names


def marks(page: Path) -> list:
    return [pytest.mark.slow] * (page in SLOW) + [pytest.mark.peers] * bool(peers(page))


def pages() -> list:
    """Every page with examples, marked where they take long or need another library."""
    found = {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {TRANSLATION, *EXTENDING.glob("*.md")}
    return [
        pytest.param(page, id=str(page.relative_to(ROOT)), marks=marks(page))
        for page in sorted(found)
        if examples(page)
    ]


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    return made_up.write(tmp_path_factory.mktemp("data") / "docs")


@pytest.mark.timeout(60 * MINUTES)
@pytest.mark.parametrize("page", pages())
def test_the_examples_of_a_page_run_in_order(page, data, tmp_path):
    """In a process of its own, in a folder where every file that the pages name is there."""
    folder = shutil.copytree(data, tmp_path / "here")
    script = tmp_path / "examples.py"
    script.write_text("\n\n".join(code for reason, code in examples(page) if not reason), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, script],
        cwd=folder,
        env=os.environ | {"WORDWORTH_DATA": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_few_examples_are_not_run_and_each_has_its_reason():
    left_out = [reason for page in pages() for reason, _ in examples(page.values[0]) if reason]
    assert len(left_out) <= MOST_NOT_RUN, left_out


def test_no_example_escapes_by_its_form():
    """A block of Python that the pattern of the examples does not know would never run."""
    for page in [page.values[0] for page in pages()]:
        fences = re.findall(
            r"^ *(?:```|~~~)[ \t]*(?:python|py|pycon)\b", page.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert len(fences) == len(examples(page)), page


def test_an_example_that_is_not_run_gives_its_reason_before_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- not run: wants a GPU -->\n```python\na = 1\n```\n\n1. Then:\n\n   ```python\n   b = 2\n   ```\n"
    )
    assert examples(page) == [("wants a GPU", "a = 1\n"), ("", "b = 2\n")]


def test_the_guides_name_a_page_for_every_command():
    from wordworth.cli.app import app

    named = set(re.findall(r"\| `([a-z -]+)` \|", (ROOT / "docs" / "guides.md").read_text(encoding="utf-8")))
    context = app.make_context("wordworth", ["models"])
    commands = set()
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        several = command.list_commands(context) if isinstance(command, click.Group) else ()
        commands |= {f"{name} {each}" for each in several} or {name}
    assert named == commands


def test_the_page_on_python_explains_every_key_of_a_verdict(monkeypatch):
    table = (
        (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8").partition("| key |")[2].partition("\n\n")[0]
    )
    keys = {key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    monkeypatch.setattr(StudyResult, "unreadable", {"MiniLM": 0.9})
    monkeypatch.setattr(StudyResult, "spelled", {"MiniLM": 4.9})
    ladders = [
        {"tfidf": (60, 1), "minilm": (95, 1)},
        {"tfidf": (69, 5), "minilm": (70, 5)},
        {"majority": (67, 0.1), "tfidf": (67.2, 0.2), "minilm": (67.1, 0.2)},
    ]
    found = [sentence(scores(**ladder)).numbers for ladder in ladders]
    answers = ["contextual is worth it", "cannot tell yet", "cheap suffices"]
    assert [numbers["answer"] for numbers in found] == answers
    assert keys == set().union(*found)


def test_the_record_of_the_examples_compares_two_encoders(data):
    gaps = ww.read_record(data / "run").table("gaps")
    assert len(gaps[(gaps["rung"] == "encoder") & (gaps["against"] == "minilm")]) > 1
