"""The findings of a record of kind `entities`: what entities add, what misleads, and how it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.studies.distill.comparison import Difference
from wordworth.studies.entities.comparison import DEV, SystemRuns
from wordworth.studies.entities.systems import CONTROL, SHUFFLED, UNLINKED, LinkCounts
from wordworth.text_format import count_of, percent, points, signed, signed_with_range

_FEW_RUNS, _FEW_LINKED = 3, 0.5
_NAMES = {SHUFFLED: "exchanged entities", UNLINKED: "no entities", CONTROL: "the control model"}


def findings(
    systems: Sequence[SystemRuns],
    differences: Mapping[str, Difference],
    counts: Sequence[LinkCounts],
    facts: Mapping[str, Any],
) -> list[Finding]:
    """Return the findings of an `entities` record: the verdict, the warnings and the description of the method.

    Args:
        systems: the runs of every system; the first is that with the links of the texts.
        differences: name of each other system -> the score of the system with the texts' links minus its score.
        counts: the numbers of links in the training and in the test rows.
        facts: the description of the data in the record.
    """
    return [_verdict(systems, differences, facts), *_warnings(systems, counts), *_method(systems, facts)]


def _verdict(systems: Sequence[SystemRuns], differences: Mapping[str, Difference], facts: Mapping[str, Any]) -> Finding:
    linked, title = systems[0], str(facts["metric_title"])
    if not len(linked.scored.values) or UNLINKED not in differences:
        text = "Every run with entities, or every run without, failed. A lower learning rate helps."
        return Finding("verdict", text, {"headline": "No run ended."})
    score, added = float(linked.scored.values.mean()), differences[UNLINKED]
    ended = count_of(len(linked.scored.values), "run")
    span = f"{points(linked.scored.low)} to {points(linked.scored.high)}"
    lines = [
        f"With entities, {title} is {points(score)} in the mean of {ended} ({span}) on {facts['test']:,} test rows."
    ]
    lines += [f"It is {_certainty(each)} {_NAMES[name]}: {_points(each)}." for name, each in differences.items()]
    headline = f"Entities: {signed(added.value)} points beside none, which is {'' if added.sure else 'not '}sure."
    numbers = {"score": score, "added": added.value, **added.interval.columns("added_"), "sure": added.sure}
    return Finding("verdict", "\n".join(lines), {"headline": headline, **numbers})


def _certainty(difference: Difference) -> str:
    if not difference.sure:
        return "not surely different from"
    return "surely ahead of" if difference.value > 0 else "surely behind"


def _points(difference: Difference) -> str:
    span = difference.interval
    return signed_with_range(difference.value, span.low, span.high)


def _warnings(systems: Sequence[SystemRuns], counts: Sequence[LinkCounts]) -> Iterator[Finding]:
    if len(systems[0].results) < _FEW_RUNS:
        text = f"{count_of(len(systems[0].results), 'run')} a system: intervals hardly speak of other runs."
        yield Finding("warning.few_runs", text, {"runs": len(systems[0].results)})
    collapsed = [each.system for each in systems if any(run.state != "finished" for run in each.results)]
    if collapsed:
        text = f"Runs collapsed or failed: {', '.join(collapsed)}. A lower learning rate may help."
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
        f"Of the training rows, {percent(DEV)} choose the step whose weights predict; test rows choose nothing."
    )
    yield Finding("method.training", text)
    text = (
        "Exchanged entities keep every link and its marker: each entity has the vector of another one, the same "
        "everywhere. So they tell what the vectors say from what it helps to tell entities apart. Without entities, "
        "markers stay."
    )
    yield Finding("method.systems", text)
    text = (
        "Intervals are of 95 %, over runs and test rows; differences are paired by seed and row, and sure at a level "
        "corrected for the number of comparisons. Pretraining is not repeated: other pretrainings may differ."
    )
    yield Finding("method.intervals", text)
