"""From evidence to record: every table and every sentence, in the order a reader meets them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.records import Finding, Record, Table
from wordworth.representations.rung import Literacy, Windowed
from wordworth.studies.worth import tables
from wordworth.studies.worth.conditions import Case, conditions
from wordworth.studies.worth.decision import decision_map
from wordworth.studies.worth.environment import environment
from wordworth.studies.worth.examples import examples_table
from wordworth.studies.worth.growth import extension_rows, more_labels, more_labels_finding, multiples_table, telling
from wordworth.studies.worth.judge import CONTEXTUAL, Judgement, judge
from wordworth.studies.worth.literacy import blind, literacies, literacy_findings, literacy_table
from wordworth.studies.worth.method import data_of, method
from wordworth.studies.worth.slices import slices_table, unseen_share
from wordworth.studies.worth.verdict import Words, verdict

if TYPE_CHECKING:
    from wordworth.studies.worth.climb import Climbed
    from wordworth.studies.worth.plan import Plan
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was measured."""

    case: Case
    plan: Plan
    scores: Scores
    costs: Table
    seconds: dict[str, float]

    @property
    def measured(self) -> list[Climbed]:
        """The rungs that have a score at the top size, cheapest first."""
        return [entry for entry in self.case.climbed if self.scores.has(entry.rung.name, self.plan.top)]

    def named(self, *, contextual: bool) -> list[str]:
        """Names of the measured rungs of one side of the ladder; the constant belongs to neither."""
        sides = [(entry.rung.name, entry.rung.family) for entry in self.measured if entry.rung.family != "constant"]
        return [name for name, family in sides if (family in CONTEXTUAL) == contextual]

    def best(self, names: Sequence[str]) -> Climbed | None:
        """The rung with the highest mean score at the top size."""
        entries = [entry for entry in self.measured if entry.rung.name in names]
        return max(entries, key=lambda entry: self.scores.mean(entry.rung.name, self.plan.top), default=None)

    @property
    def reference(self) -> Climbed | None:
        """The contextual rung others are compared with: the first frozen one, which has a whole curve."""
        contextual = self.named(contextual=True)
        frozen = [entry for entry in self.measured if entry.rung.family == "frozen"]
        return frozen[0] if frozen else self.best(contextual)


def assemble(evidence: Evidence, reading: ReadSettings, settings: WorthSettings) -> Record:
    """The record of a study."""
    case, scores = evidence.case, evidence.scores
    judgement = judge(scores, case.ladder, evidence.plan.top, settings.margin)
    cheap, contextual = evidence.named(contextual=False), evidence.named(contextual=True)
    multiples = multiples_table(scores, cheap, contextual)
    long, read = windowed(evidence), literacies(case.climbed, case.task.examples)
    return Record(
        kind="worth",
        settings=_settings(reading, settings),
        data=data_of(case.task, long),
        tables=_tables(evidence, judgement, multiples) | {"literacy": literacy_table(read)},
        findings=_findings(evidence, judgement, multiples, (long[case.task.test], read)),
        timings=_timings(evidence, settings),
        environment=environment(settings.threads),
    )


def _settings(reading: ReadSettings, settings: WorthSettings) -> dict[str, Any]:
    """Every choice but the number of threads, on which no number depends."""
    chosen = asdict(reading) | asdict(settings)
    return {name: value for name, value in chosen.items() if name != "threads"}


def windowed(evidence: Evidence) -> NDArray[np.bool_]:
    """Bool [rows]: the texts longer than the reference encoder's window."""
    examples = evidence.case.task.examples
    learner = evidence.reference.learner if evidence.reference else None
    return learner.beyond_window(examples) if isinstance(learner, Windowed) else np.zeros(len(examples), dtype=np.bool_)


def _tables(evidence: Evidence, judgement: Judgement, multiples: Table) -> dict[str, Table]:
    case, scores, top = evidence.case, evidence.scores, evidence.plan.top
    names = [entry.rung.name for entry in evidence.measured]
    cheap, contextual = evidence.named(contextual=False), evidence.named(contextual=True)
    reference = evidence.reference.rung.name if evidence.reference else ""
    extended = [
        row for name in names if (found := more_labels(scores, name)) for row in extension_rows(scores, name, found)
    ]
    told = {name: telling(multiples, name, reference) for name in cheap}
    return {
        "ladder": tables.ladder_table(case.climbed, scores, judgement, top, told),
        "curve": Table.of([*tables.curve_rows(scores, names), *extended], tables.CURVE),
        "runs": tables.runs_table(case.climbed, scores),
        "gaps": tables.gaps_table(scores, names, contextual),
        "multiples": multiples,
        "metrics": tables.metrics_table(case),
        "slices": slices_table(evidence),
        "examples": examples_table(case.task, evidence.best(cheap), evidence.best(contextual), top),
        "classes": tables.classes_table(case.task),
    }


def _findings(
    evidence: Evidence, judgement: Judgement, multiples: Table, texts: tuple[NDArray[np.bool_], dict[str, Literacy]]
) -> list[Finding]:
    """Every sentence; `texts` says which of the test texts are past the window, and what each rung can read."""
    long, read = texts
    case, scores, task = evidence.case, evidence.scores, evidence.case.task
    titles = {entry.rung.name: entry.rung.title for entry in case.climbed}
    words = Words(titles, evidence.plan.top, len(task.examples), multiples, blind(case.climbed, read))
    growth = more_labels_finding(scores, judgement.rung, titles[judgement.rung], more_labels(scores, judgement.rung))
    return [
        verdict(judgement, case, scores, words),
        growth,
        *conditions(case, judgement, long, unseen_share(task)),
        *task.warnings,
        *literacy_findings(case.climbed, read),
        *_fates(case.climbed),
        *method(evidence),
    ]


def _fates(climbed: Sequence[Climbed]) -> list[Finding]:
    """What became of the rungs that are not simply measured."""
    return [
        Finding(f"{entry.state}.{entry.rung.name}", f"{entry.rung.title}: {entry.reason}.", {"rung": entry.rung.name})
        for entry in climbed
        if entry.reason
    ]


def _timings(evidence: Evidence, settings: WorthSettings) -> dict[str, Any]:
    """What the clock decides; apart from everything that the seed does."""
    return {
        "costs": asdict(evidence.costs),
        "decision": decision_map(evidence.case, evidence.plan, evidence.scores, evidence.costs, settings),
        "seconds": evidence.seconds,
    }
