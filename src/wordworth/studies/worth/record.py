"""From evidence to record: every table and every sentence, in the order a reader meets them."""

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
    """All that was measured."""

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
        """Names of the measured rungs of one side of the ladder; the constant belongs to neither."""
        sides = [(entry.rung.name, entry.rung.family) for entry in self.measured if entry.rung.family != "constant"]
        return [name for name, family in sides if (family in CONTEXTUAL) == contextual]

    def best(self, names: Sequence[str]) -> RungResult | None:
        """The rung with the highest mean score at the top size."""
        entries = [entry for entry in self.measured if entry.rung.name in names]
        return max(entries, key=lambda entry: self.scores.mean(entry.rung.name, self.plan.top), default=None)

    @property
    def reference(self) -> RungResult | None:
        """The contextual rung others are compared with: the first frozen one, which has a whole curve.

        An encoder before vectors that a user brings: only it can read new texts here and has a window.
        """
        frozen = [entry for entry in self.measured if entry.rung.family == "frozen"]
        frozen.sort(key=lambda entry: isinstance(entry.rung, VectorFileRung))
        return frozen[0] if frozen else self.best(self.named(contextual=True))


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from the evidence and is told in more than one place, each computed once.

    Attributes:
        extensions: each measured rung's curve beyond the labels there are; None where it has too few sizes.
        units: the measures of difficulty on the test part.
        long: bool [rows], the texts past the reference encoder's window.
        read: how much of the texts each rung's vocabulary holds.
        kept: what tables distilled from encoders keep of their gain.
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
        """From the evidence, judged with a margin of `epsilon` on the metric's scale."""
        case, scores = evidence.case, evidence.scores
        cheap, contextual = evidence.named(contextual=False), evidence.named(contextual=True)
        extensions, judged = _extensions(evidence), judge(scores, case.ladder, evidence.plan.top, epsilon)
        return cls(
            judged,
            multiples_table(scores, cheap, contextual, extensions),
            extensions,
            measures(case.task),
            windowed(evidence),
            literacies(case.rung_results, case.task.examples),
            static_share_table(case.rung_results, scores, evidence.plan.top),
            _against(evidence, judged),
        )


def _against(evidence: Evidence, judged: Verdict) -> str:
    """The contextual rung that the verdict names, or sets a cheap one against; else the reference, or "" for none."""
    contextual = evidence.named(contextual=True)
    open_ = judged.undecided.rival if judged.undecided else judged.rung
    rung = next((name for name in (judged.rung, open_, judged.of(judged.rung).rival) if name in contextual), None)
    return rung or (evidence.reference.rung.name if evidence.reference else "")


def _extensions(evidence: Evidence) -> dict[str, Extension | None]:
    """Each measured rung's curve beyond the labels there are; tagging's constant knows words, and learns."""
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
    """Every choice but the number of threads, on which no number depends."""
    chosen = asdict(reading) | asdict(settings)
    return {name: value for name, value in chosen.items() if name != "threads"}


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
        row for name, found in derived.extensions.items() if found for row in extension_rows(scores, name, found)
    ]
    told = {name: telling(derived.multiples, name, derived.against) for name in cheap}
    return {
        "ladder": tables.ladder_table(case.rung_results, scores, derived.judgement, top, told),
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
    """Every sentence."""
    case, scores, task, judgement = evidence.case, evidence.scores, evidence.case.task, derived.judgement
    titles = {entry.rung.name: entry.rung.title for entry in case.rung_results}
    blinded = unreadable(case.rung_results, derived.read)
    rows = RowCounts.of(task, quick=evidence.plan.quick)
    words = VerdictContext(titles, evidence.plan.top, rows, derived.multiples, blinded, saying(task))
    return [
        verdict(judgement, case, scores, words),
        more_labels_finding(case, scores, judgement, derived.extensions),
        *conditions(case, judgement, derived.long[task.test], unseen_share(task, derived.units)),
        *static_share_findings(derived.kept, case.rung_results),
        *below_guessing(judgement, words),
        *task.warnings,
        *literacy_findings(case.rung_results, derived.read),
        *cut_findings(case.rung_results, task),
        *_fates(case.rung_results),
        *method(evidence),
    ]


def _fates(rung_results: Sequence[RungResult]) -> list[Finding]:
    """What became of the rungs that are not simply measured."""
    return [
        Finding(f"{entry.state}.{entry.rung.name}", f"{entry.rung.title}: {entry.reason}.", {"rung": entry.rung.name})
        for entry in rung_results
        if entry.reason
    ]


def _timings(evidence: Evidence, derived: Derived, settings: WorthSettings) -> dict[str, Any]:
    """What the clock decides; apart from everything that the seed does."""
    cheap = evidence.best(evidence.named(contextual=False))
    told = telling(derived.multiples, cheap.rung.name, derived.against) if cheap and derived.against else {}
    return {
        "break_even": break_even_texts(told, evidence.costs, evidence.plan.top, settings),
        "costs": asdict(evidence.costs),
        "decision": decision_map(evidence.case, evidence.plan, evidence.scores, evidence.costs, settings),
        "seconds": evidence.seconds,
    }
