"""The pages that Sphinx fills say the same in plain lists, for readers of a code host."""

import re
from pathlib import Path

import plain_lists
import pytest

import wordworth as ww

DOCS = Path(plain_lists.__file__).resolve().parents[1]


@pytest.mark.parametrize("page", plain_lists.PAGES, ids=lambda page: page.name)
def test_the_lists_are_those_of_the_package(page):
    text = page.read_text(encoding="utf-8")
    assert plain_lists.with_lists(text) == text, "run PYTHONPATH=src python docs/_extensions/plain_lists.py"


def test_every_public_name_has_a_line_that_says_what_it_is():
    text = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    lines = dict(re.findall(r"^wordworth\.(\w+): (.+\.)$", text, re.MULTILINE))
    assert lines.keys() >= set(ww.__all__)


def test_every_command_has_a_line():
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    guides = (DOCS / "guides.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\| `([a-z -]+)` \|", guides))
    assert set(re.findall(r"^wordworth ([a-z -]+): \S", text, re.MULTILINE)) == named


def test_a_list_out_of_date_is_written_anew():
    page = "Names.\n\n```{api-group} types\nwordworth.gone: No more.\n```\n\nMore.\n"
    assert "gone" not in plain_lists.with_lists(page)
    assert plain_lists.with_lists(page).endswith(".\n```\n\nMore.\n")
