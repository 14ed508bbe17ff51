"""The facts that every record states about its task."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wordworth.measures.metrics import metric
from wordworth.tasks.task import Task


def facts(task: Task) -> dict[str, Any]:
    """The task's name, kind, metric, classes, size of the test part, and each file with its hash."""
    return {
        "name": task.name,
        "kind": task.kind,
        "metric": task.metric,
        "metric_title": metric(task.metric, task.classes).title,
        "classes": list(task.classes),
        "test": len(task.test),
        "sources": [asdict(origin) for origin in task.origins],
    }
