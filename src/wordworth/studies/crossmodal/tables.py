"""The tables of a study of words and codes: scores, differences, validation, folds, and some captions with sounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.records import Table
from wordworth.studies.crossmodal.evaluation import ALIGNMENT, COMPLETION, MEASURES
from wordworth.studies.crossmodal.folds import Fold
from wordworth.studies.crossmodal.retrieval_examples import example_rows
from wordworth.studies.crossmodal.scores import Scores
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR, SHUFFLED, SYSTEMS, TRAINED, Outcomes
from wordworth.text.captioned_sequences import CaptionedSequences

SCORES = {
    "measure": (
        "alignment: share of judgements that are right, of pairs and as many that do not belong together; word from "
        "codes and the reverse: share of masked tokens whose right answer is the first, or among the first five, with "
        "all of that side masked; codes by words and the reverse: share of searches with a right sequence among the "
        "first, or first five, of a set"
    ),
    "system": (
        "trained on pairs; trained on shuffled pairs; or without the other side: chance, or what is most frequent at "
        "the same position of training pairs"
    ),
    "value": "share over all test sequences, mean over runs",
    "low": "lower end of its 95 % interval over groups and runs",
    "high": "its upper end",
    "answers": "answers of a run",
}
DIFFERENCES = {
    "measure": "as in `scores`",
    "first": "a system",
    "second": "another",
    "difference": "share of the first less that of the second",
    "low": "lower end of its 95 % interval, paired by group and run",
    "high": "its upper end",
}
VALIDATION = {
    "fold": "number of the fold, from 1",
    "measure": "as in `scores`",
    "system": "as in `scores`",
    "value": (
        "share over the validation sequences of the fold, mean over runs; to choose a codebook or another setting by, "
        "as no test sequence is among them"
    ),
}
FOLDS = {
    "fold": "number of the fold, from 1",
    "train": "groups that train",
    "valid": "groups that validate",
    "test": "groups that are tested",
    "train_sequences": "sequences to train",
    "words_alone": "those of them that have words alone",
    "codes_alone": "those of them that have codes alone",
    "valid_sequences": "sequences to validate, all with words and codes",
    "test_sequences": "sequences to test, all with words and codes",
    "steps": "updates after which validation sequences were best, for each run of the system trained on pairs",
    "shuffled_steps": "the same for the one trained on shuffled pairs",
}
GROUPS = {
    "group": "test group",
    "measure": "as in `scores`",
    "system": "as in `scores`",
    "value": "share over the test sequences of the group, mean over runs",
    "answers": "answers of a run",
}
EXAMPLES = {
    "caption": "words that are searched with",
    "rank": "rank of the sequence among the candidates, 1 is nearest",
    "own_caption": "words that belong to the sequence",
    "group": "group of the sequence",
    "right": "whether its words are those that are searched with",
    "sound": "its sound, a WAV in base64; empty without one",
}
COMPARED = ((PAIRED, PRIOR), (PAIRED, SHUFFLED))
BY_GROUP = (ALIGNMENT, *COMPLETION)


def tables_of(
    outcomes: Outcomes, scores: Scores, folds: Sequence[Fold], sequences: CaptionedSequences
) -> dict[str, Table]:
    """Return the tables of a `crossmodal` record by name.

    Args:
        outcomes: the numbers of right answers of all systems.
        scores: the shares of right answers, with intervals.
        folds: the splits into training, validation and test sequences.
        sequences: all sequences with their captions.

    Raises:
        BadInput: the sound file of an example's sequence cannot be read.
    """
    return {
        "scores": Table.of(_score_rows(outcomes, scores), SCORES),
        "differences": Table.of(_difference_rows(scores), DIFFERENCES),
        "groups": Table.of(_group_rows(outcomes, sequences), GROUPS),
        "validation": Table.of(_validation_rows(outcomes), VALIDATION),
        "folds": Table.of(_fold_rows(outcomes, folds, sequences), FOLDS),
        "examples": Table.of(example_rows(outcomes.examples, sequences), EXAMPLES),
    }


def _score_rows(outcomes: Outcomes, scores: Scores) -> list[dict[str, Any]]:
    rows = []
    for column, measure in enumerate(MEASURES):
        for system in SYSTEMS:
            value = scores.value(system, measure)
            row = {"measure": measure, "system": system, "value": value.value, **value.interval.columns()}
            rows.append({**row, "answers": int(outcomes.answers[:, column].sum())})
    return rows


def _difference_rows(scores: Scores) -> list[dict[str, Any]]:
    rows = []
    for measure in MEASURES:
        for first, second in COMPARED:
            value = scores.difference(measure, first, second)
            row = {"measure": measure, "first": first, "second": second, "difference": value.value}
            rows.append({**row, **value.interval.columns()})
    return rows


def _group_rows(outcomes: Outcomes, sequences: CaptionedSequences) -> list[dict[str, Any]]:
    groups = np.array([sequences.groups[row] for row in outcomes.rows.tolist()])
    rows = []
    for group in sorted(set(groups.tolist())):
        own = groups == group
        for measure in BY_GROUP:
            column = MEASURES.index(measure)
            answers = outcomes.answers[own, column].sum()
            for system in SYSTEMS:
                right = float(outcomes.right[system][:, own, column].sum(1).mean())
                row = {"group": group, "measure": measure, "system": system, "answers": int(answers)}
                rows.append({**row, "value": right / answers})
    return rows


def _validation_rows(outcomes: Outcomes) -> list[dict[str, Any]]:
    return [
        {"fold": fold + 1, "measure": measure, "system": system, "value": float(outcomes.valid[system][fold, column])}
        for fold in range(len(outcomes.valid[PAIRED]))
        for column, measure in enumerate(COMPLETION)
        for system in SYSTEMS
    ]


def _fold_rows(outcomes: Outcomes, folds: Sequence[Fold], sequences: CaptionedSequences) -> list[dict[str, Any]]:
    rows = []
    for number, fold in enumerate(folds):
        parts: Mapping[str, Any] = {"train": fold.train, "valid": fold.valid, "test": fold.test}
        row: dict[str, Any] = {"fold": number + 1}
        for name, own in parts.items():
            row[name] = ", ".join(sorted({sequences.groups[each] for each in own.tolist()}))
            row[f"{name}_sequences"] = len(own)
        row["words_alone"] = int(sequences.words_alone[fold.train].sum())
        row["codes_alone"] = int(sequences.codes_alone[fold.train].sum())
        by_system = (outcomes.steps[name] for name in TRAINED)
        runs = [own[number * len(own) // len(folds) : (number + 1) * len(own) // len(folds)] for own in by_system]
        paired, shuffled = (", ".join(map(str, own)) for own in runs)
        rows.append({**row, "steps": paired, "shuffled_steps": shuffled})
    return rows
