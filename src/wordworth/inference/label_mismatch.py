"""`label_mismatch`: the error for a label column that holds another kind of labels than a fine-tuned model predicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from wordworth.errors import BadInput
from wordworth.inference.predictor_base import PredictorBase
from wordworth.measures.metrics import LabelForm
from wordworth.tasks.reading.labelled_rows import LabelledRows, words
from wordworth.tasks.reading.parse_numbers_with_units import amounts
from wordworth.tasks.task_types.infer import infer

_HELD: Final[Mapping[LabelForm, str]] = {
    "class": "classes",
    "value": "amounts",
    "tags": "a tag for each word",
    "flags": "several labels a row",
}
"""Form of labels -> what a column of such labels holds."""
_NEEDED: Final[Mapping[LabelForm, str]] = {
    "class": "one of these classes each",
    "value": "a number each",
    "tags": "one of these tags for each word",
    "flags": "some of these labels each",
}
"""Form of labels -> what each row needs for a model of such labels."""
_SHOWN = 3
"""Most classes that an error names."""


def label_mismatch(predictor: PredictorBase, rows: LabelledRows) -> BadInput | None:
    """Return the error that says what the label column holds and what the model was fine-tuned for.

    Return None if the labels may be of the kind that the model predicts. In this case single rows are at fault, and the
    error about the first such row tells the user more.

    Args:
        predictor: the model.
        rows: the rows of a file that could not be read as the model's kind of task.
    """
    needed, form = predictor.task_type.label_form, infer(rows)[0].label_form
    if needed is None or form is None or form == needed or not _HELD.keys() >= {needed, form}:
        return None
    if _may_hold(needed, form, rows):
        return None
    column, example = rows.columns.labels[0], rows.label[0]
    column_holds = f"label column {column!r} holds {_HELD[form]}, such as {example!r:.60}"
    what = f"{column_holds}, and the model was fine-tuned for {described(predictor)}"
    mend = f"give rows with {_NEEDED[needed]}, name another --label, or fine-tune a model on rows like these"
    return BadInput(what, where=rows.tables[0].path, mend=mend)


def described(predictor: PredictorBase) -> str:
    """Return a model's kind of task and the names of its first few classes, in words for an error message.

    Args:
        predictor: the model.
    """
    kind, classes = predictor.task_type.name.replace("_", " "), predictor.classes
    named = ", ".join(map(repr, classes[:_SHOWN])) + (", …" if len(classes) > _SHOWN else "")
    return f"{kind} ({named})" if classes else kind


def _may_hold(needed: LabelForm, form: LabelForm, rows: LabelledRows) -> bool:
    """Return whether the labels may have the form that the model needs, although they look like another form.

    Labels that look like classes may be values or tags if at least half of the cells can be parsed as such, and may
    have any other form. For several label columns the result is True, since another error reports them.
    """
    if len(rows.columns.labels) > 1:
        return True
    if form != "class":
        return False
    if needed == "value":
        fits = [amounts([cell]) is not None for cell in rows.label]
    elif needed == "tags":
        fits = [len(words(text)) == len(words(cell)) for text, cell in zip(rows.first, rows.label, strict=True)]
    else:
        return True
    return 2 * sum(fits) >= len(fits)
