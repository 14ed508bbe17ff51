"""Score a user's own file of labels and predictions, for the study `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import some_of
from wordworth.settings_validation import flag_of
from wordworth.studies.evaluate.label_warnings import label_warnings, perfect_score_warnings
from wordworth.studies.evaluate.multi_label_cells import as_cells, gold_labels, predicted_labels
from wordworth.studies.evaluate.official_scores import (
    OfficialScore,
    bootstrap_scores,
    metric_scores,
    span_scores,
    tag_scores,
)
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.studies.evaluate.study import DESCRIBE, make_verdict, score_rows, settings_dict
from wordworth.tasks import task_types
from wordworth.tasks.check_metric import require_metric
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.labels import Labelled
from wordworth.tasks.prediction_readers.align import unique
from wordworth.tasks.reading.infer_columns import TaskColumns
from wordworth.tasks.reading.labelled_rows import LabelledRows, check_present, values
from wordworth.tasks.task import Answer, Examples, span_labels
from wordworth.tasks.task_types import TaskType
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.tasks.task_types.infer import infer, named
from wordworth.tasks.task_types.multilabel import MULTILABEL
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING
from wordworth.tasks.task_types.regression import REGRESSION
from wordworth.tasks.task_types.tagging import is_scheme
from wordworth.tasks.usual_columns import GOLD, IDS, LABELS, PREDICTIONS, usual_column
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

_TEXT = "stand-in text"
_CALLED_PREDICTIONS = PREDICTIONS[:3]
"""Names of columns that surely hold predictions, and not labels."""


def study_custom(labels: Path, predictions: Path | None, settings: EvaluateSettings) -> Record:
    """Score one file with labels and predictions, or a file of labels with a file of predictions.

    Args:
        labels: a table with a column of labels; without `predictions` also with a column of predictions.
        predictions: a table with a column of predictions. Rows are matched by a column `row`, or by a column of ids, if
            both files have it; else by their order.
        settings: the settings of the study.

    Raises:
        BadInput: a column is missing or cannot be guessed, a prediction is missing, or the files do not match.
    """
    table = read_rows(labels)
    other = table if predictions is None else _matched(table, read_rows(predictions))
    gold = _column(table, settings.gold, (*GOLD, *LABELS), "labels", flag_of("gold"))
    predicted = _column(other, settings.prediction, PREDICTIONS, "predictions", flag_of("prediction"))
    if predictions is None and gold == predicted:
        mend = "name them with --gold and --prediction, or give a second file with the predictions"
        raise BadInput(f"column {gold!r} cannot be both the labels and the predictions", where=str(labels), mend=mend)
    if predictions is None and settings.gold is None:
        _require_own_labels(table, gold, predicted)
    _require_other_labels((table, gold), (other, predicted), settings)
    _require_no_empty(other, predicted, settings.kind)
    task_type, lines, notes = _official_scores((table, gold), (other, predicted), settings)
    rows = score_rows(labels.name, lines, bootstrap_scores(lines, np.arange(len(table)), settings.draws, settings.seed))
    files = [table] if predictions is None else [table, other]
    data = {
        "name": labels.name,
        "kind": task_type.name,
        "gold": gold,
        "prediction": predicted,
        "sources": [{"path": source.path, "sha256": source.sha256, "rows": len(source)} for source in files],
    }
    findings = [make_verdict(labels.name, rows), *notes, *perfect_score_warnings(rows)]
    return Record("evaluate", settings_dict(settings), data, {"scores": Table.of(rows, DESCRIBE)}, findings)


def _column(table: TextTable, named: str | None, usual_names: Sequence[str], what: str, option: str) -> str:
    if named is not None:
        table.column(named)
        return named
    name = usual_column(table.columns, usual_names)
    if name is None:
        there = ", ".join(map(repr, list(table.columns)[:5]))
        message = f"cannot tell which column holds the {what}; the file has {there}"
        raise BadInput(message, where=table.path, mend=f"name it with {option}")
    return name


def _require_own_labels(table: TextTable, gold: str, predicted: str) -> None:
    """Check that a guessed column of labels does not hold the answers of a model.

    In the JSON Lines of `wordworth predict`, the columns beside `input` are answers, while labels are inside `input`.

    Args:
        table: the file.
        gold: name of the guessed column of labels.
        predicted: name of the column of predictions.

    Raises:
        BadInput: both columns have the same cells, and the file has a column `input` with JSON objects.
    """
    inputs = table.columns.get("input", [])
    if inputs and inputs[0].startswith("{") and table.columns[gold] == table.columns[predicted]:
        what = f"column {gold!r} holds the model's answers, as {predicted!r} does"
        mend = "give the file of labels first, and this one second, or name the labels with --gold"
        raise BadInput(what, where=table.path, mend=mend)


def _require_other_labels(
    gold: tuple[TextTable, str], predictions: tuple[TextTable, str], settings: EvaluateSettings
) -> None:
    """Check that a guessed column of predictions does not hold the labels themselves.

    The check concerns a second file whose column has a name that is usual for labels.

    Raises:
        BadInput: both files have the same content, or the first file has a column of predictions too.
    """
    (table, gold_name), (other, name) = gold, predictions
    if other is table or settings.prediction is not None or name.strip().lower() not in LABELS:
        return
    own = usual_column([each for each in table.columns if each != gold_name], _CALLED_PREDICTIONS)
    if other.sha256 == table.sha256 or own is not None:
        why = "this is the file of the labels too" if own is None else f"{table.path} has predictions, in {own!r}"
        mend = f"give the file of labels first, or name the column with {flag_of('prediction')}"
        raise BadInput(f"column {name!r} may hold labels, not predictions: {why}", where=other.path, mend=mend)


def _matched(labels: TextTable, predictions: TextTable) -> TextTable:
    """Return the table of predictions with its rows in the order of the rows of labels."""
    name = next((name for name in ("row", *IDS) if name in labels.columns and name in predictions.columns), None)
    if name is None:
        if len(labels) != len(predictions):
            what = f"{len(predictions):,} predictions for the {len(labels):,} rows of {labels.path}"
            mend = "give one prediction for each row, or a column `id` in both files"
            raise BadInput(what, where=predictions.path, mend=mend)
        return predictions
    for table in (labels, predictions):
        unique(table.columns[name], table.path)
    row_of = {cell: row for row, cell in enumerate(predictions.columns[name])}
    lacking = [cell for cell in labels.columns[name] if cell not in row_of]
    if lacking or len(labels) != len(predictions):
        first = f", such as {lacking[0]!r}" if lacking else ""
        theirs = f"rows of {labels.path}"
        which = some_of(len(lacking), len(labels), f"{theirs} has", f"{theirs} have")
        what = f"{which} no prediction here{first}"
        if not lacking:
            what = f"{len(predictions) - len(labels):,} predictions for rows that {labels.path} does not have"
        raise BadInput(what, where=predictions.path, mend=f"give each {name!r} of the labels one prediction")
    order = [row_of[cell] for cell in labels.columns[name]]
    return _reordered(predictions, order)


def _reordered(table: TextTable, order: Sequence[int]) -> TextTable:
    columns = {name: [cells[row] for row in order] for name, cells in table.columns.items()}
    return TextTable(columns, table.path, table.sha256, [table.positions[row] for row in order], table.unit)


def _require_no_empty(table: TextTable, name: str, kind: str | None) -> None:
    """Check that no prediction is empty, unless an empty cell means no label or no answer in this kind of task.

    Raises:
        BadInput: a row has no prediction.
    """
    empty = [row for row, cell in enumerate(table.columns[name]) if not cell.strip()]
    if empty and not (kind and task_types.get(kind).labels_may_be_empty):
        which = some_of(len(empty), len(table), "rows has", "rows have")
        what = f"{which} no prediction ({table.locations(empty)})"
        raise BadInput(what, where=table.path, mend="fill them in, or remove these rows from the file")


def _official_scores(
    gold: tuple[TextTable, str], predictions: tuple[TextTable, str], settings: EvaluateSettings
) -> tuple[TaskType, list[OfficialScore], list[Finding]]:
    """Return the kind of task, the scores, and findings: the reason for an inferred kind, and warnings."""
    wanted = task_types.get(settings.kind) if settings.kind else None
    if wanted is not None and wanted.scorer == QUESTION_ANSWERING.scorer:
        return wanted, _span_scores(gold, predictions), []
    if wanted is not None and wanted.asks_questions:
        wanted = CLASSIFICATION  # without their options, choices are classes
    rows = _labels_only(gold, predictions)
    task_type, why = named(wanted.name, rows) if wanted else _inferred(rows)
    if not task_type.labels_may_be_empty:
        check_present(rows, rows.label[: len(gold[0])])
    if task_type.name == MULTILABEL.name:
        rows = _with_lists(rows)
    labelled, count = task_type.read(rows), len(gold[0])
    metrics = task_type.metrics if settings.metric is None else (settings.metric,)
    if settings.metric is not None:
        require_metric(settings.metric, task_type, labelled.classes)
    if task_type.labels_words:
        scores = _tag_scores(labelled, count, settings.metric)
    else:
        scores = _class_scores(labelled, count, metrics, task_type)
    notes = [] if wanted else [_read_as(task_type, labelled, why)]
    return task_type, scores, [*notes, *label_warnings(labelled, count, [score.name for score in scores])]


def _tag_scores(labelled: Labelled, count: int, wanted: str | None) -> list[OfficialScore]:
    """Score tags: entity tags as conlleval does, other tags by token accuracy.

    Args:
        labelled: the gold tags of all sentences, followed by the predicted tags.
        count: number of sentences.
        wanted: the metric that the user named; None for the usual metric.
    """
    gold, predicted = tuple(labelled.labels[:count]), tuple(labelled.labels[count:])
    if wanted is None and is_scheme(labelled.classes):
        return tag_scores(labelled.classes, gold, predicted)
    return metric_scores(labelled.classes, (wanted or "token_accuracy",), gold, predicted, "sentences")


def _class_scores(labelled: Labelled, count: int, metrics: Sequence[str], task_type: TaskType) -> list[OfficialScore]:
    labels = np.asarray(labelled.labels)
    true, predicted = labels[:count], labels[count:]
    scores = task_type.as_predictions(predicted, labelled.classes)
    return metric_scores(labelled.classes, metrics, true, scores, "rows")


def _labels_only(gold: tuple[TextTable, str], predictions: tuple[TextTable, str]) -> LabelledRows:
    """Return gold labels and predictions as two tables; both have their labels in a column of the same name."""
    texts, name = gold[0].columns[gold[1]], gold[1]  # stand-in texts: a sentence has as many words as tags
    tables = [
        TextTable({_TEXT: list(texts), name: table.columns[own]}, table.path, table.sha256, table.positions, table.unit)
        for table, own in (gold, predictions)
    ]
    return LabelledRows(tuple(tables), TaskColumns(_TEXT, (name,)))


def _inferred(rows: LabelledRows) -> tuple[TaskType, str]:
    """Return the kind of task inferred from gold and predicted labels, and the reason.

    If both together give the kind `classification`, the kind is inferred from the gold labels alone, since these decide
    whether a cell holds several labels. If both give the same kind as the gold labels alone, the reason is the one that
    holds for the gold labels.
    """
    task_type, why = infer(rows)
    gold_type, gold_why = infer(LabelledRows(rows.tables[:1], rows.columns))
    if task_type.name in (CLASSIFICATION.name, gold_type.name):
        return gold_type, gold_why
    if task_type.name == REGRESSION.name and gold_type.name == CLASSIFICATION.name:
        why = "predictions are amounts (the kind classification reads labels as classes)"
    return task_type, why


def _read_as(task_type: TaskType, labelled: Labelled, why: str) -> Finding:
    """Return the finding that names the inferred kind of task and the reason."""
    classes = f", {len(labelled.classes)} classes" if labelled.classes else ""
    text = f"Read as {task_type.name}{classes}: {why}."
    return Finding("method.task", text, {"kind": task_type.legacy_name})


def _with_lists(rows: LabelledRows) -> LabelledRows:
    """Return the rows of a multilabel task with the labels of each cell written as a JSON array."""
    (gold, predicted), name = rows.tables, rows.columns.labels[0]
    true = gold_labels(gold.columns[name], name)
    answers = predicted_labels(predicted.columns[name], {label for row in true for label in row})
    tables = [
        replace(table, columns={_TEXT: table.columns[_TEXT], name: as_cells(labels)})
        for table, labels in ((gold, true), (predicted, answers))
    ]
    return LabelledRows(tuple(tables), rows.columns)


def _span_scores(gold: tuple[TextTable, str], predictions: tuple[TextTable, str]) -> list[OfficialScore]:
    """Score answers as SQuAD's scripts do.

    A gold cell is a text, or a JSON array of texts or of objects with a `text`; [] if there is no answer.
    """
    answers = [[Answer(text, -1) for text in _texts(cell)] for cell in gold[0].columns[gold[1]]]
    part = Part(Examples(tuple("" for _ in answers)), span_labels(answers), ())
    return span_scores(part, predictions[0].columns[predictions[1]], None, 1.0)


def _texts(cell: str) -> list[str]:
    listed = values(cell)
    if listed is None:
        return [cell] if cell.strip() else []
    return [str(parse_json(item)["text"]) if item.startswith('{"') else item for item in listed]
