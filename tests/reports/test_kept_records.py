"""Every record that is kept in the docs can be drawn."""

import json
from pathlib import Path

import pytest

from wordworth.records import read
from wordworth.reports import render

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "records"
KEPT = [path for path in sorted(FOLDER.glob("*.json")) if "kind" in json.loads(path.read_text(encoding="utf-8"))]


def test_records_of_several_kinds_are_kept():
    assert {read(path).kind for path in KEPT} >= {"context", "senses"}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_record_has_a_page(path):
    assert render(read(path)).startswith("<!doctype html>")
