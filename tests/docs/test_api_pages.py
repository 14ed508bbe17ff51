"""The API reference of the site: its names are those of the package, and each has a page that Sphinx can fill."""

from __future__ import annotations

import dataclasses

import api_pages
import docstrings_markdown
import pytest

import wordworth as ww

NAMES = [name for names in api_pages.GROUPS.values() for name in names()]


def test_every_public_name_has_a_page():
    assert {name.rpartition(".")[2] for name in api_pages.public_names()} == set(ww.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_how_its_name_is_imported(name):
    page, last = api_pages.page(name), name.rpartition(".")[2]
    assert page.count(f":: {api_pages.documented(name)}\n") == 1
    assert f"import {last}\n" in page or f"automodule:: {name}\n" in page


def test_settings_are_there_with_the_help_of_each_field():
    assert "wordworth.studies.worth.settings.WorthSettings" in api_pages.settings_classes()
    settings = api_pages.resolve("wordworth.studies.worth.settings.WorthSettings")
    assert dict(api_pages.help_of(settings)).keys() == {field.name for field in dataclasses.fields(settings)}
    assert dict(api_pages.help_of(ww.Record)) == {}


def test_no_name_has_two_pages():
    assert len(NAMES) == len(set(NAMES))


def test_indented_code_and_plurals_of_docstrings_are_translated():
    lines = ["Read `Token`s:", "", "Then", "", "    run()", "", "Args:", "    x: one.", "", "    y: two."]
    assert docstrings_markdown.translate(lines) == [
        r"Read `Token`\ s:",
        "",
        "Then",
        "",
        ".. code-block:: python",
        "",
        *lines[4:],
    ]
