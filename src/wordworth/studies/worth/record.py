"""From the evidence to the record: every table and every finding, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.learning_curves import Extension
from wordworth.measures.metrics import metric
from wordworth.records import Finding, Record, Table
from wordworth.representations.rung import CONTEXTUAL, VocabularyCoverage, Windowed
from wordworth.representations.vector_file import VectorFileRung
from wordworth.studies.environment import environment
from wordworth.studies.worth import tables
from wordworth.studies.worth.break_even import break_even_texts
from wordworth.studies.worth.coverage_warnings import literacies, literacy_findings, literacy_table, unreadable
from wordworth.studies.worth.cuts import cut_findings
from wordworth.studies.worth.decision_map import decision_map
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.difficulty_units import Units, measures, unseen_share
from wordworth.studies.worth.doubling import more_labels_finding
from wordworth.studies.worth.examples import examples_table
from wordworth.studies.worth.guessing import below_guessing, saying
from wordworth.studies.worth.learning_curves import extension_rows, more_labels, multiples_table, telling
from wordworth.studies.worth.method import data_of, method
from wordworth.studies.worth.sensitivity import VerdictInputs, conditions
from wordworth.studies.worth.slices import slices_table
from wordworth.studies.worth.static_share import static_share_findings, static_share_table
from wordworth.studies.worth.verdict import RowCounts, VerdictContext, verdict

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings


@dataclass(frozen=True, slots=True)
class Evidence:
    """All measurements of a study."""

    case: VerdictInputs
    plan: LabelGrid
    scores: Scores
    costs: Table
    seconds: dict[str, float]

    @property
    def measured(self) -> list[RungResult]:
        """The rungs that have a score at the top size, cheapest first."""
        return [entry for entry in self.case.rung_results if self.scores.has(entry.rung.name, self.plan.top)]

    def named(self, *, contextual: bool) -> list[str]:
        """Names of the measured rungs with or without context; the constant rung is neither."""
        sides = [(entry.rung.name, entry.rung.family) for entry in self.measured if entry.rung.family != "constant"]
        return [name for name, family in sides if (family in CONTEXTUAL) == contextual]

    def best(self, names: Sequence[str]) -> RungResult | None:
        """The rung with the highest mean score at the top size."""
        entries = [entry for entry in self.measured if entry.rung.name in names]
        return max(entries, key=lambda entry: self.scores.mean(entry.rung.name, self.plan.top), default=None)

    @property
    def reference(self) -> RungResult | None:
        """The contextual rung that others are compared with: the first frozen one, which has a whole curve.

        An encoder goes before the user's own vectors: only an encoder can read new texts here, and has a window.
        """
        frozen = [entry for entry in self.measured if entry.rung.family == "frozen"]
        frozen.sort(key=lambda entry: isinstance(entry.rung, VectorFileRung))
        return frozen[0] if frozen else self.best(self.named(contextual=True))


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from the evidence and is used in more than one place, each computed once.

    Attributes:
        extensions: each measured rung's curve beyond the labels there are; None where it has too few sizes.
        units: the measures of difficulty on the test part.
        long: bool [rows], the texts longer than the reference encoder's window.
        read: how much of the texts each rung's vocabulary covers.
        kept: the share of their encoder's gain that distilled tables keep.
        against: the contextual rung that the verdict is about; "" where there is none.
    """

    judgement: Verdict
    multiples: Table
    extensions: dict[str, Extension | None]
    units: dict[str, Units]
    long: NDArray[np.bool_]
    read: dict[str, VocabularyCoverage]
    kept: Table
    against: str

    @classmethod
    def of(cls, evidence: Evidence, epsilon: float) -> Derived:
        """Derive everything from the evidence, judged with a margin of `epsilon` on the metric's scale."""
        case, scores = evidence.case, evidence.scores
        cheap, contextual = evidence.named(contextual=False), evidence.named(contextual=True)
        extensions, judgement = _extensions(evidence), judge(scores, case.ladder, evidence.plan.top, epsilon)
        return cls(
            judgement,
            multiples_table(scores, cheap, contextual, extensions),
            extensions,
            measures(case.task),
            windowed(evidence),
            literacies(case.rung_results, case.task.examples),
            static_share_table(case.rung_results, scores, evidence.plan.top),
            _against(evidence, judgement),
        )


def _against(evidence: Evidence, judgement: Verdict) -> str:
    """The contextual rung that the verdict names or compares a cheap one with; else the reference, or "" for none."""
    contextual = evidence.named(contextual=True)
    open_ = judgement.undecided.rival if judgement.undecided else judgement.rung
    rung = next(
        (name for name in (judgement.rung, open_, judgement.of(judgement.rung).rival) if name in contextual), None
    )
    return rung or (evidence.reference.rung.name if evidence.reference else "")


def _extensions(evidence: Evidence) -> dict[str, Extension | None]:
    """Each measured rung's curve beyond the labels there are; tagging's constant learns, as it knows words."""
    task = evidence.case.task
    least = metric(task.metric, task.classes).least
    return {
        entry.rung.name: more_labels(
            evidence.scores,
            entry.rung.name,
            least=least,
            learns=task.kind == "tags" or entry.rung.family != "constant",
        )
        for entry in evidence.measured
    }


def make_record(evidence: Evidence, reading: ReadSettings, settings: WorthSettings) -> Record:
    """The record of a study."""
    derived = Derived.of(evidence, settings.margin)
    return Record(
        kind="worth",
        settings=_settings(reading, settings),
        data=data_of(evidence.case.task, derived.long),
        tables=_tables(evidence, derived),
        findings=_findings(evidence, derived),
        timings=_timings(evidence, derived, settings),
        environment=environment(settings.threads),
    )


def _settings(reading: ReadSettings, settings: WorthSettings) -> dict[str, Any]:
    """Every setting except the number of threads, on which no number depends."""
    values = asdict(reading) | asdict(settings)
    return {name: value for name, value in values.items() if name != "threads"}


def windowed(evidence: Evidence) -> NDArray[np.bool_]:
    """Bool [rows]: the texts longer than the reference encoder's window."""
    examples = evidence.case.task.examples
    learner = evidence.reference.learner if evidence.reference else None
    return learner.beyond_window(examples) if isinstance(learner, Windowed) else np.zeros(len(examples), dtype=np.bool_)


def _tables(evidence: Evidence, derived: Derived) -> dict[str, Table]:
    case, scores, top = evidence.case, evidence.scores, evidence.plan.top
    names = [entry.rung.name for entry in evidence.measured]
    cheap, contextual = evidence.named(contextual=False), evidence.named(contextual=True)
    extended = [
        row
        for name, extension in derived.extensions.items()
        if extension
        for row in extension_rows(scores, name, extension)
    ]
    multiples = {name: telling(derived.multiples, name, derived.against) for name in cheap}
    return {
        "ladder": tables.ladder_table(case.rung_results, scores, derived.judgement, top, multiples),
        "curve": Table.of([*tables.curve_rows(scores, names), *extended], tables.CURVE),
        "runs": tables.runs_table(case.rung_results, scores),
        "gaps": tables.gaps_table(scores, names, contextual),
        "multiples": derived.multiples,
        "metrics": tables.metrics_table(case),
        "slices": slices_table(evidence, derived.units),
        "examples": examples_table(case.task, evidence.best(cheap), evidence.best(contextual), top),
        "classes": tables.classes_table(case.task),
        "literacy": literacy_table(derived.read),
        "static_share": derived.kept,
    }


def _findings(evidence: Evidence, derived: Derived) -> list[Finding]:
    """All findings, the verdict first."""
    case, scores, task, judgement = evidence.case, evidence.scores, evidence.case.task, derived.judgement
    titles = {entry.rung.name: entry.rung.title for entry in case.rung_results}
    blind = unreadable(case.rung_results, derived.read)
    rows = RowCounts.of(task, quick=evidence.plan.quick)
    words = VerdictContext(titles, evidence.plan.top, rows, derived.multiples, blind, saying(task))
    return [
        verdict(judgement, case, scores, words),
        more_labels_finding(case, scores, judgement, derived.extensions),
        *conditions(case, judgement, derived.long[task.test], unseen_share(task, derived.units)),
        *static_share_findings(derived.kept, case.rung_results),
        *below_guessing(judgement, words),
        *task.warnings,
        *literacy_findings(case.rung_results, derived.read),
        *cut_findings(case.rung_results, task),
        *_reasons(case.rung_results),
        *method(evidence),
    ]


def _reasons(rung_results: Sequence[RungResult]) -> list[Finding]:
    """Why a rung was dropped, failed or skipped, or why some of its runs failed."""
    return [
        Finding(f"{entry.state}.{entry.rung.name}", f"{entry.rung.title}: {entry.reason}.", {"rung": entry.rung.name})
        for entry in rung_results
        if entry.reason
    ]


def _timings(evidence: Evidence, derived: Derived, settings: WorthSettings) -> dict[str, Any]:
    """The results that depend on the clock, kept apart from those that the seed decides."""
    cheap = evidence.best(evidence.named(contextual=False))
    multiple = telling(derived.multiples, cheap.rung.name, derived.against) if cheap and derived.against else {}
    return {
        "break_even": break_even_texts(multiple, evidence.costs, evidence.plan.top, settings),
        "costs": asdict(evidence.costs),
        "decision": decision_map(evidence.case, evidence.plan, evidence.scores, evidence.costs, settings),
        "seconds": evidence.seconds,
    }
