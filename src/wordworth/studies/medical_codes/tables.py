"""The tables of a study of codes: scores, differences, what was left out of the data, and the target codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags
from wordworth.records import Table
from wordworth.studies.medical_codes.baselines import BASELINES
from wordworth.studies.medical_codes.patient_split import predicted_rows
from wordworth.studies.medical_codes.scores import ALL, COMMON, MEASURES, RARE, Answers, Scores
from wordworth.studies.medical_codes.systems import BOTH, GRAPH, NEITHER, PRETRAINING, TRAINED_SYSTEMS
from wordworth.text.patient_visits import Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit
from wordworth.training.patient_visits.recommendation import rows_of

SCORES = {
    "system": "G-BERT, with the graph alone, with pretraining alone, with neither; or a baseline",
    "codes": "all target codes; the rarest that make up at most a fifth of training targets; or the common others",
    "measure": "average_precision (area under precision and recall), jaccard or f1 of a visit, mean over test visits",
    "value": "mean over runs",
    "low": "lower end of its 95 % interval over test patients and runs",
    "high": "its upper end",
    "visits": "test visits with such codes",
}
DIFFERENCES = {
    "first": "a system",
    "second": "another",
    "codes": "all target codes, the common or the rare ones",
    "measure": "as in `scores`",
    "difference": "score of the first less that of the second",
    "low": "lower end of its 95 % interval, paired by test patient and run",
    "high": "its upper end",
}
FILTERS = {
    "step": "what was left, step by step, then how it was split",
    "rows": "rows of the file",
    "visits": "dates of a patient",
    "patients": "patients",
}
RUNS = {
    "system": "trained system or baseline",
    "run": "number of the training, from 1",
    "threshold": "score above which a code is recommended: the best mean Jaccard on validation visits",
    "chosen": "what else validation visits chose: the round of a training, the setting of a baseline",
}
TARGETS = {
    "code": "target code",
    "train": "training visits with it",
    "test": "predicted test visits with it",
    "rare": "whether it is one of the rare codes",
}


def compared() -> list[tuple[str, str]]:
    """Return the pairs of systems, by name, whose scores are compared; the second is subtracted from the first."""
    pairs = [(BOTH, NEITHER), (GRAPH, NEITHER), (PRETRAINING, NEITHER), (BOTH, GRAPH), (BOTH, PRETRAINING)]
    return [*pairs, *((BOTH, baseline) for baseline in BASELINES)]


def tables_of(
    visits: Visits, split: PatientSplit, answers: Sequence[Answers], scores: Scores, rare: Flags
) -> dict[str, Table]:
    """Return the tables of a `codes` record by name.

    Args:
        visits: the visits of all patients.
        split: the training, validation and test patients.
        answers: the predicted scores of each system.
        scores: the scores of the systems on the test visits.
        rare: bool [codes], which target codes are rare.
    """
    return {
        "scores": Table.of(_score_rows(scores), SCORES),
        "differences": Table.of(_difference_rows(scores), DIFFERENCES),
        "filters": Table.of(_filter_rows(visits, split), FILTERS),
        "runs": Table.of(_run_rows(answers, scores.thresholds), RUNS),
        "targets": Table.of(_target_rows(visits, split, rare), TARGETS),
    }


def _score_rows(scores: Scores) -> list[dict[str, Any]]:
    rows = []
    for system in (*(system.name for system in TRAINED_SYSTEMS), *BASELINES):
        for codes, measure in _there(scores):
            value = scores.value(codes, measure, system)
            row = {"system": system, "codes": codes, "measure": measure, "value": value.value}
            rows.append({**row, **value.interval.columns(), "visits": scores.visits[codes]})
    return rows


def _difference_rows(scores: Scores) -> list[dict[str, Any]]:
    rows = []
    for first, second in compared():
        for codes, measure in _there(scores):
            value = scores.difference(codes, measure, first, second)
            row = {"first": first, "second": second, "codes": codes, "measure": measure}
            rows.append({**row, "difference": value.value, **value.interval.columns()})
    return rows


def _there(scores: Scores) -> list[tuple[str, str]]:
    return [(codes, measure) for codes in (ALL, COMMON, RARE) if scores.visits[codes] for measure in MEASURES]


def _filter_rows(visits: Visits, split: PatientSplit) -> list[dict[str, Any]]:
    """Return the rows of the table `filters`: one for each step of filtering the file, then one for each part."""
    rows = [asdict(step) for step in visits.filters]
    codes = visits.inputs.flags.sum(1) + visits.targets.flags.sum(1)
    for name, patients in (
        ("to pretrain", split.pretraining),
        ("to train", split.train),
        ("to validate", split.valid),
        ("to test", split.test),
    ):
        held = rows_of(visits, patients)
        rows.append({"step": name, "rows": int(codes[held].sum()), "visits": len(held), "patients": len(patients)})
    return rows


def _run_rows(answers: Sequence[Answers], thresholds: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    return [
        {"system": each.system, "run": run, "threshold": threshold, "chosen": chosen}
        for each in answers
        for run, (threshold, chosen) in enumerate(zip(thresholds[each.system], each.chosen, strict=True), start=1)
    ]


def _target_rows(visits: Visits, split: PatientSplit, rare: Flags) -> list[dict[str, Any]]:
    """Return a row for each target code, the most frequent in training first."""
    train, test = (
        visits.targets.flags[rows].sum(0)
        for rows in (rows_of(visits, split.pretraining), predicted_rows(visits, split.test))
    )
    return [
        {
            "code": visits.targets.codes[code],
            "train": int(train[code]),
            "test": int(test[code]),
            "rare": bool(rare[code]),
        }
        for code in np.argsort(-train, kind="stable").tolist()
    ]
