"""Rows as a file, and the task that is read of them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task


def write(path: Path, rows: list[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def task_of(tmp_path: Path, rows: list[Mapping[str, Any]], **settings: Any) -> Task:
    return read_task(write(tmp_path / "rows.jsonl", rows), ReadSettings(**settings))


def warnings(task: Task) -> set[str]:
    return {finding.name for finding in task.warnings if finding.name.startswith("warning.")}


def reviews(n: int = 60, labels: tuple[Any, ...] = ("bad", "good")) -> list[dict[str, Any]]:
    return [{"text": f"review {n} of thing {n * 7919}", "label": labels[n % len(labels)]} for n in range(n)]
