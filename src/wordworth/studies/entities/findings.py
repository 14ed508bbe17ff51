"""The findings of a record of kind `entities`: what entities add, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent, points, signed
from wordworth.studies.entities.comparison import DEV, SystemRuns
from wordworth.studies.entities.systems import CONTROL, LINKED, SHUFFLED, UNLINKED, LinkCounts, texts_of
from wordworth.studies.estimate import Estimate
from wordworth.studies.few_runs_warning import few_runs_warning
from wordworth.studies.finetune.findings import REMEDIES, baseline_warning
from wordworth.tasks.task import Task
from wordworth.text.entity_links import unclosed_links
from wordworth.training.finetuning.dev_split import LEAST_DEV

_FEW_LINKED = 0.5
_NAMES = {
    LINKED: "the links of the texts",
    SHUFFLED: "exchanged entities",
    UNLINKED: "no entities",
    CONTROL: "the control model",
}


def findings(
    systems: Sequence[SystemRuns],
    differences: Mapping[str, Estimate],
    counts: Sequence[LinkCounts],
    facts: Mapping[str, Any],
    task: Task,
) -> list[Finding]:
    """Return the findings of an `entities` record: the verdict, the warnings and the description of the method.

    Args:
        systems: the runs of every system; the first is the system with the links of the texts.
        differences: name of each other system -> the score of the system with the texts' links minus the other system's
            score.
        counts: the numbers of links in the training and in the test rows.
        facts: the description of the data in the record.
        task: the rows, with links in their texts.
    """
    unlearned = [baseline_warning(task, each.scored) for each in systems]
    verdict = _verdict(systems, differences, facts, all_unlearned=None not in unlearned)
    return [verdict, *filter(None, unlearned[:1]), *_warnings(systems, counts, task), *_method(systems, facts)]


def _verdict(
    systems: Sequence[SystemRuns],
    differences: Mapping[str, Estimate],
    facts: Mapping[str, Any],
    *,
    all_unlearned: bool,
) -> Finding:
    linked, title = systems[0], str(facts["metric_title"])
    if not len(linked.scored.values) or UNLINKED not in differences:
        text = f"Every run with entities, or every run without, failed. {REMEDIES}"
        return Finding("verdict", text, {"headline": "No run ended."})
    score, added = float(linked.scored.values.mean()), differences[UNLINKED]
    ended = count_of(len(linked.scored.values), "run")
    span = f"{points(linked.scored.low)} to {points(linked.scored.high)}"
    lines = [
        f"With entities, {title} is {points(score)} in the mean of {ended} ({span}) on {facts['test']:,} test rows."
    ]
    lines += [f"It is {each.comparison()} {_NAMES[name]}: {each.in_points()}." for name, each in differences.items()]
    headline = (
        f"With entities {signed(added.value)} points: {'a' if added.is_significant else 'not a'} sure difference."
    )
    if all_unlearned:
        headline = "No system is surely above a baseline without a model."
    numbers = {"score": score, "added": added.value, **added.interval.columns("added_"), "sure": added.is_significant}
    return Finding("verdict", "\n".join(lines), {"headline": headline, **numbers})


def _warnings(systems: Sequence[SystemRuns], counts: Sequence[LinkCounts], task: Task) -> Iterator[Finding]:
    if text := unclosed_links([" ".join(texts) for texts in texts_of(task)]):
        yield Finding("warning.links", f"{text}.")
    if few := few_runs_warning(len(systems[0].results)):
        yield few
    collapsed = [each.system for each in systems if any(run.state != "finished" for run in each.results)]
    if collapsed:
        names = ", ".join(_NAMES[name] for name in collapsed)
        text = f"Runs with {names} predict the same for every row, or failed. {REMEDIES}"
        yield Finding("warning.collapsed", text, {"systems": collapsed})
    test = counts[-1]
    if test.linked_rows < _FEW_LINKED * test.rows:
        text = (
            f"Only {percent(test.linked_rows / test.rows)} of the test rows have an entity: entities add no more than "
            "what they add there."
        )
        yield Finding("warning.few_links", text, {"share": test.linked_rows / test.rows})


def _method(systems: Sequence[SystemRuns], facts: Mapping[str, Any]) -> Iterator[Finding]:
    point = systems[0].point
    text = (
        f"Every system is fine-tuned on the same {facts['train']:,} rows with the same seeds, at a rate of "
        f"{point.learning_rate:g} in batches of {point.batch_size} for {point.epochs:g} passes, embeddings included. "
        f"{_chosen_by(systems[0].dev, facts['train'])}; test rows choose nothing."
    )
    yield Finding("method.training", text)
    text = (
        "Exchanged entities keep every link and its marker: each entity has the vector of another one, the same "
        "everywhere. The model can still tell entities apart, but their vectors are wrong: what links add to that is "
        "due to what the vectors say. Without entities, markers stay."
    )
    yield Finding("method.systems", text)
    text = (
        "Intervals are of 95 %, over runs and test rows; differences are paired by seed and row, and sure at a level "
        "corrected for the number of comparisons. Pretraining is not repeated: other pretrainings may differ."
    )
    yield Finding("method.intervals", text)


def _chosen_by(dev: int, rows: int) -> str:
    if dev:
        return f"{dev:,} of them are kept apart as a dev part, which chooses the step whose weights predict"
    few = f"{percent(DEV)} of {rows:,} rows is fewer than {LEAST_DEV}"
    return f"There was no dev part ({few}): each run keeps its last weights"
