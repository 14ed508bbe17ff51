"""The findings of a study of codes: how well targets are predicted, what graph and pretraining add, and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, signed_decimal, signed_decimal_with_range, some_of
from wordworth.studies.estimate import Estimate
from wordworth.studies.few_runs_warning import few_runs_warning
from wordworth.studies.medical_codes.baselines import BASELINES
from wordworth.studies.medical_codes.scores import ALL, F1, JACCARD, PRECISION, RARE, Scores
from wordworth.studies.medical_codes.settings import CodesSettings
from wordworth.studies.medical_codes.systems import BOTH, GRAPH, NEITHER, PRETRAINING
from wordworth.text.patient_visits import Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit

_BARE = "the model without both"
"""`NEITHER` in a sentence, where "behind neither" would read as behind none."""
_FEW = 50
"""Test patients below which a difference can hardly be seen."""


def findings(
    settings: CodesSettings, visits: Visits, split: PatientSplit, scores: Scores, tables: Mapping[str, Table]
) -> list[Finding]:
    """Return the findings of a `codes` record: the verdict, the warnings and the description of the method.

    Args:
        settings: the settings of the study.
        visits: the visits of all patients.
        split: the training, validation and test patients.
        scores: the scores of all systems on the test visits.
        tables: the tables of the record, of which `targets` and `runs` are read.
    """
    return [
        _verdict(split, scores),
        *_warnings(settings, visits, split, tables),
        *_method(settings, visits, split),
    ]


def _verdict(split: PatientSplit, scores: Scores) -> Finding:
    own = {measure: scores.value(ALL, measure, BOTH) for measure in (PRECISION, JACCARD, F1)}
    best = max(BASELINES, key=scores.validation.__getitem__)  # test visits judge it and choose nothing
    rival, added = (scores.difference(ALL, PRECISION, BOTH, other) for other in (best, NEITHER))
    headline = (
        f"{BOTH}: average precision {decimal(own[PRECISION].value)}, {best} "
        f"{decimal(scores.value(ALL, PRECISION, best).value)}; difference by graph and "
        f"pretraining {signed_decimal(added.value)}."
    )
    where = f"{count_of(scores.visits[ALL], 'visit')} of {count_of(len(split.test), 'test patient')}"
    alone = [_signed(scores.difference(ALL, PRECISION, system, NEITHER)) for system in (GRAPH, PRETRAINING)]
    text = (
        f"At {where} {BOTH} predicts the targets with average precision {_between(own[PRECISION])}, Jaccard "
        f"{_between(own[JACCARD])} and F1 {_between(own[F1])}.\n"
        f"It is {rival.comparison()} the best baseline by validation visits, {best}: {_signed(rival)} of average "
        "precision.\n"
        f"Graph and pretraining together are {added.comparison()} {_BARE}: {_signed(added)}; the graph alone "
        f"adds {alone[0]}, pretraining alone {alone[1]}."
    )
    numbers = {"difference": added.value, **added.interval.columns()}
    if scores.visits[RARE]:
        rare = scores.difference(RARE, PRECISION, BOTH, NEITHER)
        text += (
            f"\nAmong rare codes alone, at {count_of(scores.visits[RARE], 'visit')} that have some, together they are "
            f"{rare.comparison()} {_BARE}: {_signed(rare)}."
        )
        numbers |= {"rare_difference": rare.value, **rare.interval.columns("rare_")}
    return Finding("verdict", text, {"headline": headline, "best_baseline": best, **numbers})


def _between(value: Estimate) -> str:
    return f"{decimal(value.value)} ({decimal(value.interval.low)} to {decimal(value.interval.high)})"


def _signed(value: Estimate) -> str:
    return signed_decimal_with_range(value.value, value.interval.low, value.interval.high)


def _warnings(
    settings: CodesSettings, visits: Visits, split: PatientSplit, tables: Mapping[str, Table]
) -> Iterator[Finding]:
    """Yield the warnings: made-up or few patients, targets to copy, codes never trained, trainings cut short."""
    if settings.synthetic:
        text = "These are synthetic patients: what holds of them need not hold of people, and advises no treatment."
        yield Finding("warning.synthetic", text)
    if few := few_runs_warning(settings.runs):
        yield few
    if len(split.test) < _FEW:
        text = f"{count_of(len(split.test), 'test patient')}: differences between systems can hardly be seen."
        yield Finding("warning.few_patients", text, {"patients": len(split.test)})
    yield from _copied(visits)
    unseen = [row["code"] for row in tables["targets"].rows() if row["test"] and not row["train"]]
    if unseen:
        which = count_of(len(unseen), "target code of test visits occurs", "target codes of test visits occur")
        text = f"{which} in no training visit, and cannot be learned."
        yield Finding("warning.unseen", text, {"codes": unseen})
    last = f"round {settings.rounds} of {settings.rounds}"
    cut = sum(row["chosen"] == last for row in tables["runs"].rows())
    if settings.rounds > 1 and cut:
        text = f"{count_of(cut, 'training')} did best in the last round: more rounds may give more."
        yield Finding("warning.still_learning", text, {"trainings": cut})


def _copied(visits: Visits) -> Iterator[Finding]:
    """Yield a warning if targets of predicted visits are inputs of the same visit too."""
    column = {code: index for index, code in enumerate(visits.inputs.codes)}
    both = [(index, column[code]) for index, code in enumerate(visits.targets.codes) if code in column]
    targets, inputs = visits.targets.flags[visits.predicted], visits.inputs.flags[visits.predicted]
    copied = sum(int((targets[:, own] & inputs[:, same]).sum()) for own, same in both)
    if copied:
        which = some_of(copied, int(targets.sum()), "targets is an input", "targets are inputs")
        text = f"{which} of the same visit, under the same code: they are copied, not predicted."
        yield Finding("warning.copied", text, {"targets": copied})


def _method(settings: CodesSettings, visits: Visits, split: PatientSplit) -> Iterator[Finding]:
    text = (
        f"A visit is all codes of a patient at one date; visits without {visits.inputs.kind} or without "
        f"{visits.targets.kind} are left out. {visits.targets.kind} codes are predicted at every visit but a patient's "
        f"first, from the {visits.inputs.kind} codes of the visit and from all earlier visits."
    )
    yield Finding("method.visits", text)
    text = (
        f"Patients are in one part alone: {len(split.train):,} train, {len(split.valid):,} validate and "
        f"{len(split.test):,} test; {len(split.pretraining) - len(split.train):,} with a single visit only pretrain. "
        f"Validation visits choose each training's round, each baseline's setting and each threshold."
    )
    yield Finding("method.split", text)
    text = (
        f"Each trained system was trained {count_of(settings.runs, 'time')}. Intervals resample test patients, and "
        "trainings where there are several; differences are paired by patient and training."
    )
    yield Finding("method.intervals", text)
