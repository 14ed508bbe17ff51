"""Warnings for rungs that truncate long texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.representations.rung import Cutting
from wordworth.text_format import inline_title

if TYPE_CHECKING:
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.tasks.task import Task


def cut_findings(rung_results: Sequence[RungResult], task: Task) -> list[Finding]:
    """A warning for each rung that truncated texts, with their number in both parts and in the test part."""
    findings = []
    for entry in rung_results:
        learner: object = entry.learner
        if isinstance(learner, Cutting):
            findings += _findings(entry, learner, task)
    return findings


def _findings(entry: RungResult, learner: Cutting, task: Task) -> list[Finding]:
    test = learner.cut(task.test)
    truncated, texts = learner.cut(task.train) + test, len(task.train) + len(task.test)
    if not truncated:
        return []
    numbers = {"cut": truncated, "texts": texts, "cut_test": test, "test": len(task.test), "most_tokens": learner.limit}
    text = (
        f"{inline_title(entry.rung.title)} reads at most {learner.limit:,} tokens of a text: it saw only the beginning "
        f"and the end of {truncated:,} of the {texts:,} texts ({test:,} of the {len(task.test):,} test texts)."
    )
    return [Finding(f"warning.cut.{entry.rung.name}", text, numbers)]
