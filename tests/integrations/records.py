"""Records of every kind that an earlier version wrote, and drawn ones."""

import tarfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from wordworth.records import Finding, Record, Table, read

ARCHIVE = Path(__file__).parents[1] / "compat" / "v0" / "records.tar.xz"
WORTH = ("worth-single", "worth-pair", "worth-multilabel", "worth-regression", "worth-tags", "worth-quick")
OTHERS = ("senses", "words", "context")


@cache
def record(name: str) -> Record:
    """The record of that name."""
    with TemporaryDirectory() as folder, tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
        return read(Path(folder) / "records" / name)


def finetuned() -> Record:
    """A record of a fine-tuning, with a run whose weights were saved."""
    row = {"metric": "accuracy", "title": "accuracy", "runs": 3, "mean": 0.8, "deviation": 0.01, "least": 0.79}
    row |= {"most": 0.81, "low": 0.75, "high": 0.85, "best": 0.81}
    data = {"name": "reviews.csv", "kind": "classification", "metric": "accuracy", "classes": ["bad", "good"]}
    data |= {"test": 48, "sources": [{"path": "/home/me/reviews.csv", "sha256": "ab" * 32, "rows": 120}]}
    findings = [Finding("verdict", "MiniLM scores 81.0.", {"mean": 0.8, "best": None})]
    return Record(
        "finetune", {"seed": 0}, data | {"model": "MiniLM"}, {"scores": Table.of([row], {n: n for n in row})}, findings
    )


def evaluated() -> Record:
    """A record of official scores of two named tasks."""
    rows = [
        {
            "task": task,
            "metric": metric,
            "score": score,
            "low": low,
            "high": high,
            "digits": 1,
            "items": 9,
            "unit": "sentences",
        }
        for task, metric, score, low, high in (
            ("cola", "Matthews correlation", 61.2, 58.0, 64.0),
            ("squad1", "exact match", 80.1, None, None),
        )
    ]
    parts = [{"task": task, "part": "dev", "rows": 9} for task in ("cola", "squad1")]
    findings = [Finding("verdict", "GLUE: 61.2.", {"cola.Matthews correlation": 61.2})]
    return Record(
        "evaluate", {}, {"parts": parts, "sources": []}, {"scores": Table.of(rows, {n: n for n in rows[0]})}, findings
    )
