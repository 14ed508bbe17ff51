"""Score predictions for named tasks, GLUE among them, with their official metrics, for the study `evaluate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.bootstrap import interval
from wordworth.measures.glue_averages import BOARD, PAPER, board_average, paper_average
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Finding, Record, Table
from wordworth.registry import load_object
from wordworth.studies.evaluate.label_warnings import perfect_score_warnings
from wordworth.studies.evaluate.official_scores import OfficialScore, PredictedPart, bootstrap_scores
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.tasks import task_types
from wordworth.tasks.datasets import find_dataset_spec, glue_names
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.prediction_readers.align import ExpectedIds
from wordworth.tasks.stratified_split import cluster_ids
from wordworth.text.file_formats.read import known_suffixes
from wordworth.text.read_compressed_file import check_file, file_sha256, is_file

GLUE = "glue"
_PREFERRED = (".tsv", ".csv", ".jsonl", ".txt")
"""Suffixes of files of predictions that are searched first; files of any other known format follow."""
_SUBMITTED = {
    "cola": "CoLA",
    "sst2": "SST-2",
    "mrpc": "MRPC",
    "stsb": "STS-B",
    "qqp": "QQP",
    "mnli": "MNLI-m",
    "mnli_mm": "MNLI-mm",
    "qnli": "QNLI",
    "rte": "RTE",
    "wnli": "WNLI",
}
"""Name of a GLUE task -> the name of its file in a submission to the leaderboard."""
DESCRIBE = {
    "task": "named task",
    "metric": "as its official scorer calls it",
    "score": "the official number; shares and correlations in percent",
    "low": "lower end of the 95 % interval; null for a number without one",
    "high": "upper end of the 95 % interval",
    "digits": "decimals that the official scorer gives or its reports print",
    "items": "number of items scored",
    "unit": "what the items are called",
}


def study(name: str, predictions: Path, settings: EvaluateSettings) -> Record:
    """Score predictions for a split of one task with its official metrics.

    Args:
        name: name of the task.
        predictions: the file of predictions.
        settings: the settings of the study.

    Raises:
        BadInput: the predictions are no file, the data are missing, or the predictions do not match them.
    """
    check_file(predictions)  # before the data of the task, which may be missing too
    dataset, split, part = _gold(name, settings)
    scores, drawn = scored_part(dataset, split, part, predictions, settings)
    rows = score_rows(name, scores, drawn)
    verdict = make_verdict(f"{name}, {split} part", rows)
    findings = (verdict, *part.notes, *perfect_score_warnings(rows))
    return _record([(name, split, part)], rows, findings, settings, predictions)


def study_glue(folder: Path, settings: EvaluateSettings) -> Record:
    """Score a folder with a file of predictions for each task of GLUE.

    Each of GLUE's two averages is given only if all tasks that it averages have predictions.

    Raises:
        BadInput: no task has a file, the data of a task are missing, or predictions do not match the data.
    """
    file_of = {name: file for name in glue_names() if (file := _file(folder, name)) is not None}
    if not file_of:
        mend = "name the files cola.tsv, sst2.tsv, ... or as the leaderboard does, CoLA.tsv, SST-2.tsv, ..."
        raise BadInput("no predictions for any of GLUE's tasks", where=str(folder), mend=mend)
    rows: list[dict[str, Any]] = []
    parts: list[tuple[str, str, Part]] = []
    points: dict[str, dict[str, Floats]] = {}
    all_draws: dict[str, dict[str, Floats]] = {}
    for name, file in file_of.items():
        dataset, split, part = _gold(name, settings)
        scores, all_draws[name] = scored_part(dataset, split, part, file, settings)
        points[name] = {score.name: np.array(score.score) for score in scores}
        rows += score_rows(name, scores, all_draws[name])
        parts.append((name, split, part))
    notes = [note for _, _, part in parts for note in part.notes] + perfect_score_warnings(rows)
    rows += _averages(points, all_draws)
    missing = [name for name in glue_names() if name not in file_of]
    if missing:
        text = f"No predictions for {', '.join(missing)}: an average is given only where all of its tasks are there."
        notes.append(Finding("warning.missing_tasks", text, {"tasks": missing}))
    return _record(parts, rows, (make_verdict("GLUE", rows), *notes), settings, folder)


def _gold(name: str, settings: EvaluateSettings) -> tuple[DatasetSpec, str, Part]:
    dataset = find_dataset_spec(name)
    split = settings.part or dataset.held_out
    folder = None if settings.data is None else Path(settings.data)
    return dataset, split, dataset.parts((split,), folder)[split]


def scored_part(
    dataset: DatasetSpec, split: str, part: Part, predictions: Path, settings: EvaluateSettings
) -> tuple[list[OfficialScore], dict[str, Floats]]:
    """Score the predictions for one split of a data set.

    Args:
        dataset: the description of the published data set.
        split: name of the split, `dev` or `test`.
        part: the examples and labels of the split.
        predictions: the file of predictions.
        settings: the settings of the study.

    Returns:
        The scores; and name of each score -> its values on resampled splits, float64 [draws].

    Raises:
        BadInput: the predictions do not match the split.
    """
    files = ", ".join(Path(each.path).name for each in part.origins)
    expected = ExpectedIds(f"{dataset.name}'s {split} part ({files})", part.examples.ids or ())
    task_type = task_types.get(dataset.kind)
    if settings.na_probs is not None and not task_type.has_unanswerable(part.labels):
        raise BadInput(f"{dataset.name} has no questions without an answer", where="--na-probs", mend="leave it out")
    scores: list[OfficialScore] = load_object(task_type.scorer)(
        PredictedPart(dataset, part, predictions, expected, settings)
    )
    return scores, bootstrap_scores(scores, cluster_ids(dataset.kind, part.examples), settings.draws, settings.seed)


def score_rows(name: str, scores: Sequence[OfficialScore], drawn: Mapping[str, Floats]) -> list[dict[str, Any]]:
    """Return the rows of the table `scores` for one task.

    Args:
        name: name of the task.
        scores: the official scores of the task.
        drawn: name of each score -> its values on bootstrap resamples of the split, float64 [draws].
    """
    return [
        {"task": name, "metric": score.name, "score": score.score, **_span(drawn.get(score.name))}
        | {"digits": score.digits, "items": score.items, "unit": score.unit}
        for score in scores
    ]


def _averages(
    points: Mapping[str, Mapping[str, Floats]], drawn: Mapping[str, Mapping[str, Floats]]
) -> list[dict[str, Any]]:
    """Return the rows of GLUE's averages; for their intervals, every task is resampled independently."""
    rows = []
    averages = (
        ("average (leaderboard)", board_average, len(BOARD), "tasks"),
        ("average (Devlin et al.)", paper_average, len(PAPER), "columns"),
    )
    for title, average, items, unit in averages:
        point = average(points)
        if point is not None:
            row = {"task": GLUE, "metric": title, "score": float(point), **_span(average(drawn))}
            rows.append(row | {"digits": 1, "items": items, "unit": unit})
    return rows


def _span(drawn: Floats | None) -> dict[str, float | None]:
    if drawn is None:
        return {"low": None, "high": None}
    ends = interval(drawn)
    return {"low": ends.low, "high": ends.high}


def make_verdict(title: str, rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Return the finding `verdict`: a sentence with the first three scores, or with GLUE's average.

    The finding holds all scores as numbers.

    Args:
        title: name of the task and split, with which the sentence begins.
        rows: the rows of the table `scores`.
    """
    listed = rows[-1:] if rows[-1]["task"] == GLUE else rows[:3]
    scores = ", ".join(f"{row['metric']} {row['score']:.{row['digits']}f}" for row in listed)
    numbers = {f"{row['task']}.{row['metric']}": row["score"] for row in rows}
    return Finding("verdict", f"{title}: {scores}.", numbers)


def _record(
    parts: Sequence[tuple[str, str, Part]],
    rows: Sequence[Mapping[str, Any]],
    findings: Sequence[Finding],
    settings: EvaluateSettings,
    predictions: Path,
) -> Record:
    files = sorted(predictions.iterdir()) if predictions.is_dir() else [predictions]
    data = {
        "parts": [{"task": name, "part": split, "rows": len(part)} for name, split, part in parts],
        "sources": [asdict(origin) for _, _, part in parts for origin in part.origins],
        "predictions": [{"path": str(file), "sha256": file_sha256(file)} for file in files if is_file(file)],
    }
    return Record("evaluate", settings_dict(settings), data, {"scores": Table.of(rows, DESCRIBE)}, list(findings))


def settings_dict(settings: EvaluateSettings) -> dict[str, Any]:
    """Return the settings as name -> value for the record, paths as strings."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(settings).items()}


def _file(folder: Path, name: str) -> Path | None:
    stems = (name, _SUBMITTED[name])
    suffixes = dict.fromkeys((*_PREFERRED, *known_suffixes()))
    files = (folder / f"{stem}{suffix}" for stem in stems for suffix in suffixes)
    return next((file for file in files if file.is_file()), None)
