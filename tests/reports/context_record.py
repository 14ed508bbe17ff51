"""Records of the study of context, made with a made-up reader on made-up sentences."""

import csv
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.studies.contextuality import made_up

from wordworth.progress import SILENT
from wordworth.records import Record, Table
from wordworth.studies.contextuality import study as whole
from wordworth.studies.contextuality.settings import ContextSettings

SETTINGS = ContextSettings(models=("m",), pool=300, sample=20, sentences=100, draws=100)


def example(*, tagged: bool = False) -> Record:
    """One model with a word explorer; where `tagged`, the senses of w0 and of some of w1 are known."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "reader", lambda *_: made_up.MadeUp())
        return whole.study((_tagged if tagged else _plain)(Path(folder)), SETTINGS, SILENT)


def _plain(folder: Path) -> Path:
    path = folder / "texts.txt"
    path.write_text("\n".join(made_up.sentences()))
    return path


def _tagged(folder: Path) -> Path:
    """Each sentence once: w1 now and then, so that few of its senses are known; else w0, else another word."""
    path = folder / "tagged.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["word", "sense", "sentence"])
        for number, text in enumerate(made_up.sentences()):
            words = text.split()
            several = [word for word in (*["w1"] * (number % 14 == 1), "w0") if word in words]
            length = "long" if len(words) > 8 else "short"
            other = next((word for word in words if word != "w1"), "w1")
            rows.writerow([several[0], length, text] if several else [other, "some", text])
    return path


def large(record: Record, *, words: int, occurrences: int, layers: int) -> Record:
    """The record with so many words in its explorer, of so many occurrences and layers, in long sentences."""
    long = {"sense": None, "before": "…" + "b" * 48, "form": "formation", "after": "a" * 48 + "…"}
    curve = [1 - 0.01 * layer for layer in range(layers)]
    entries = [{"entry": entry, "word": f"word{entry}"} for entry in range(words)]
    curves = dict.fromkeys(("self_similarity", "low", "high"), curve)
    rows = {
        "explorer": [{**record.tables["explorer"].rows()[0], **curves, **entry} for entry in entries],
        "occurrences": [
            {**entry, **long, "x": 0.01 * n, "y": 0.02 * (n % 5)} for entry in entries for n in range(occurrences)
        ],
        "neighbours": [{**entry, **long, "words": ["neighbourhood"] * 7} for entry in entries * 2],
        "layers": [{**_baseline(record), "layer": layer} for layer in range(layers)],
        "models": [{**row, "layers": layers - 1} for row in record.tables["models"].rows()],
    }
    made = {name: Table.of(of_table, record.tables[name].describe) for name, of_table in rows.items()}
    return replace(record, tables={**record.tables, "stop_words": Table.of([], {}), **made})


def _baseline(record: Record) -> dict[str, Any]:
    return next(row for row in record.tables["layers"].rows() if row["measure"] == "baseline")
