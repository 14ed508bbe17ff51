"""Warnings about rungs that were skipped or whose runs failed; the terminal prints them under the verdict.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.representations.ladder import requested_names
from wordworth.studies.worth.settings import DEFAULT_MODELS, WorthSettings

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult

NAME = "warning.rung"
"""The beginning of the names of these warnings."""
_WORDS = {"failed": "failed and has no score", "skipped": "was skipped and has no score"}


def requested_rungs(settings: WorthSettings) -> frozenset[str]:
    """Return the names of the rungs that the user asked for.

    The default encoder is not among them: if its files are missing, the study goes on and the verdict says so.
    """
    models = () if settings.models == DEFAULT_MODELS else settings.models
    return requested_names(models, settings.vectors, settings.rungs)


def incomplete_rungs(rung_results: Sequence[RungResult], requested: Collection[str]) -> Iterator[Finding]:
    """Yield a warning for each rung with failed runs, and for each rung that was requested but skipped.

    Args:
        rung_results: the rungs after the ladder was run.
        requested: names of the rungs that the user asked for.
    """
    for result in rung_results:
        name, failed = result.rung.name, any(run.error for run in result.runs)
        if failed or (result.state == "skipped" and name in requested):
            what = f" {_WORDS[result.state]}" if result.state in _WORDS else ""
            numbers = {"rung": name, "state": result.state}
            yield Finding(f"{NAME}.{name}", f"{result.rung.title}{what}: {result.reason}.", numbers)
