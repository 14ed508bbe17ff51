"""`worth` where half of the texts or labels are blank: a verdict or one clear error, in whatever layout."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from wordworth.cli.app import app
from wordworth.errors import BadInput
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.tfidf import Tfidf
from wordworth.studies.worth import rungs as rungs_module

REAL = [(f"text {number} of {('good', 'bad', 'fair')[number % 3]} words", "ab"[number % 2]) for number in range(30)]
NAMES = [label for _, label in REAL]
BLANK = {
    "texts": [("", label) for label in NAMES],
    "spaces": [("  ", label) for label in NAMES],
    "texts of one class": [("", "a")] * 30,
    "texts of a third class": [("", "c")] * 30,
    "labels": [(f"more {number}", "") for number in range(30)],
    "both": [("", "")] * 30,
    "missing": [(None, None)] * 30,
}


@pytest.fixture(autouse=True)
def counts_alone(monkeypatch):
    monkeypatch.setattr(rungs_module, "default_ladder", lambda *_, **__: [Majority(), RepresentationRung(Tfidf())])


def written(path, rows):
    """The rows as a file of the form that its name says."""
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *rows])
    else:
        path.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows))
    return path


def worth(path, *options):
    """What `wordworth worth` prints; its error where it refuses."""
    command = ["worth", str(path), "--text", "text", "--label", "label", "--model", "none", "--seeds", "2"]
    result = CliRunner().invoke(app, [*command, *options, "--out", str(path.parent / "run")])
    if result.exception is not None and not isinstance(result.exception, BadInput):
        raise result.exception
    return str(result.exception or result.output)


@pytest.mark.parametrize("name", ["data.csv", "data.jsonl"])
@pytest.mark.parametrize("blank", BLANK)
def test_half_of_the_rows_blank(tmp_path, name, blank):
    path = written(tmp_path / name, REAL + BLANK[blank])
    unusable = blank in {"labels", "both", "missing"}
    said = worth(path)
    assert ("30 of 60 rows have no label" in said) == unusable
    assert "Before you trust it" in (worth(path, "--skip-unusable") if unusable else said)


@pytest.mark.parametrize("kind", ["single", "regression", "multilabel"])
def test_texts_that_are_all_the_same_or_blank(tmp_path, kind):
    """Equal texts stay together, so a fold may learn of blank ones alone, in which there is nothing to count."""
    labels = {"single": NAMES, "regression": [number % 7 for number in range(30)], "multilabel": ["a", "a;b", "b"] * 10}
    rows = [(text, label) for text in ("the same text", "") for label in labels[kind]]
    assert "30 texts are empty" in worth(written(tmp_path / "data.csv", rows), "--kind", kind)


def test_texts_that_are_all_blank_are_refused(tmp_path):
    assert "every text in column 'text' is empty" in worth(written(tmp_path / "data.csv", 2 * BLANK["texts"]))
