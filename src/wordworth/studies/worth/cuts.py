"""Which rungs read long texts in part only: what a text loses, no score of such a rung can rest on."""

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
    """A warning for each rung that cut texts: how many of both parts, and how many of the test part."""
    found = []
    for entry in rung_results:
        learner: object = entry.learner
        if isinstance(learner, Cutting):
            found += _findings(entry, learner, task)
    return found


def _findings(entry: RungResult, learner: Cutting, task: Task) -> list[Finding]:
    test = learner.cut(task.test)
    both, texts = learner.cut(task.train) + test, len(task.train) + len(task.test)
    if not both:
        return []
    numbers = {"cut": both, "texts": texts, "cut_test": test, "test": len(task.test), "most_tokens": learner.limit}
    told = (
        f"{inline_title(entry.rung.title)} reads at most {learner.limit:,} tokens of a text: of {both:,} of the "
        f"{texts:,} texts ({test:,} of the {len(task.test):,} to test on) it saw the beginning and the end only."
    )
    return [Finding(f"warning.cut.{entry.rung.name}", told, numbers)]
