"""Warnings about rungs that were skipped, had failed runs or had one run; the terminal prints them under the verdict.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.representations.ladder import requested_names
from wordworth.sentence_formatting import points_phrase
from wordworth.studies.worth.label_grid import DECISIVE_SEEDS
from wordworth.studies.worth.settings import DEFAULT_MODELS, WorthSettings

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult

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


def single_runs(study: StudyResult) -> Iterator[Finding]:
    """Yield a warning for each fine-tuned rung that the verdict compares and that has one run on all labelled examples.

    Two runs of a fine-tuned rung differ by their initial weights and the order of the rows; one run does not show it.
    Where all rows are test rows, one run predicts one fold of them.
    """
    compared = {study.verdict.rung, *study.verdict.compared_pair}
    for result in (each for each in study.measured if each.rung.name in compared):
        rung, run = result.rung, result.run(study.labels, 0)
        if rung.family == "finetuned" and study.scores.seeds_of(rung.name, study.labels) == 1:
            how = "the option quick" if study.grid.quick else "so short a budget"
            part = "" if run is None or run.items is None else f" and predicted {len(run.items):,} texts"
            estimate = f" Its scores on all {len(study.task.test):,} texts are estimated from them." if part else ""
            text = (
                f"{rung.title} was trained once{part}, and a second training may score differently.{estimate} The "
                f"intervals allow for a standard deviation of {points_phrase(rung.assumed_run_sd)} between trainings, "
                f"as on other data sets; without {how} it is trained {DECISIVE_SEEDS} times."
            )
            yield Finding(f"warning.single_run.{rung.name}", text, {"rung": rung.name})
