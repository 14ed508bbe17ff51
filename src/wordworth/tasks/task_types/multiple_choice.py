"""Multiple choice: one of several endings or answers, whose number may vary, fits its context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import softmax

from wordworth.errors import BadInput, nearest
from wordworth.tasks.examples import Examples, Labels
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.tasks.formats.nli_as_multiple_choice import own_choices, pair_columns
from wordworth.tasks.task_types.base import DIGITS, Floats, TaskType
from wordworth.tasks.task_types.prediction_cells import PredictedCell, RowCells
from wordworth.tasks.task_types.wording import Wording
from wordworth.tasks.usual_columns import CONTEXTS, OPTIONS, RIGHT_OPTIONS, usual_column
from wordworth.text.file_formats.jsonl import cell as cell_text
from wordworth.text.file_formats.jsonl import parse_cell
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import RawFile

_LEAST_OPTIONS = 2
_STILL = 0.05
"""Standard deviation of the options' scores below which they count as equal."""


class MultipleChoice(TaskType):
    """The kind of task in which one of several options is right.

    Labels are the numbers of the right options, int64 [n]. Predictions are scores, float64 [n, options]; if an example
    has fewer options than others, the options that it lacks have the score -inf.
    """

    name, former_name = "multiple_choice", "choice"
    label_form, hub_task = "option", "multiple-choice"
    metrics = ("accuracy",)
    wording = Wording(examples="multiple-choice questions", baseline="Guessing", baseline_name="guessing")
    head = "wordworth.training.task_heads.multiple_choice:make_head"
    transformers_head = "MultipleChoice"
    max_tokens = 256
    in_ladder = stratified = False
    file_columns = "context, options and label"
    renamable: tuple[str, ...] = ("text", "text_b", "label")
    exclusive = asks_questions = scores_options = True
    answer_key, answer_columns = "choice", ("option", "probabilities")

    def read_part(self, file: RawFile, named: Mapping[str, Any]) -> Part:
        """Read a file of multiple choice as a part of a data set.

        Its columns are context, options (a list), label (the number of the right option, from 0) and optionally
        question. A file of natural language inference is turned into choices between an entailed and a contradicted
        hypothesis.

        Args:
            file: the file.
            named: role -> the user's name for its column.
        """
        if not isinstance(named["label"], str | None):
            what = f"a task of kind {self.name} has one label column"
            raise BadInput(what, where=file.path, mend="name one --label")
        columns = list(read_table(file).columns)
        if usual_column(columns, OPTIONS) is None and (named["text_b"] or pair_columns(columns)):
            return own_choices(file, named)
        label = named["label"] or _column(file, columns, RIGHT_OPTIONS)
        first = named["text"] or _column(file, columns, CONTEXTS)
        second = named["text_b"] or ("question" if "question" in columns else None)
        return Choices(first=first, second=second, options=(_column(file, columns, OPTIONS),), label=label)(file)

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """Return the contexts of rows with their options, and with questions if the rows have some.

        Args:
            rows: the rows.
            pairs: not used.
        """
        options = tuple(_options(row) for row in rows)
        questions = tuple(row.cell("question", needed=False) for row in rows)
        return Examples(tuple(row.cell("context") for row in rows), questions, options=options)

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase for what is wrong; "" if each example has several options and labels are their numbers.

        Args:
            labels: the labels of all examples.
            examples: the examples with their options.
            classes: not used.
        """
        counts = np.array([len(options) for options in examples.options or ()])
        numbers = np.asarray(labels)
        if len(counts) != len(numbers) or (counts < _LEAST_OPTIONS).any():
            return "examples without two options"
        is_right = numbers.dtype == np.int64 and ((numbers >= 0) & (numbers < counts)).all()
        return "" if is_right else "labels that are not an option's index"

    def plain_value(self, label: Any, classes: Sequence[str]) -> int:
        """Return the number of a gold or predicted option, from 0.

        Args:
            label: the number.
            classes: not used.
        """
        return int(label)

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return the text of a gold or predicted option.

        Args:
            label: the option's number.
            classes: not used.
            options: the options of the example.
        """
        return options[int(label)]

    def probabilities(self, prediction: Any, names: Sequence[str], digits: int) -> list[float]:
        """Return the probability of each option of an example: the softmax of a prediction's scores.

        Args:
            prediction: float64 [most options], the scores; -inf for options that the example lacks.
            names: the options of the example.
            digits: number of decimals to round to.
        """
        shares: list[float] = np.round(softmax(prediction), digits).tolist()
        return shares[: len(names)]

    def answer(self, prediction: Any, classes: Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
        """Return the predicted option's number, its text, and the probabilities of all options.

        Args:
            prediction: float64 [most options], the scores; -inf for options that the example lacks.
            classes: not used.
            options: the options of the example.
        """
        number = self.decide(prediction)
        shares = self.probabilities(prediction, options, DIGITS)
        return {"choice": number, "option": options[number], "probabilities": shares}

    def parse_predictions(
        self, cells: Sequence[PredictedCell], classes: Sequence[str], options: Sequence[Sequence[str]]
    ) -> Floats:
        """Return the predicted options in a file's cells as scores: 1 for the predicted option, else 0.

        If an example has fewer options than others, the options that it lacks get -inf.

        Args:
            cells: one cell for each example, with its place in the file.
            classes: not used.
            options: the options of each example.

        Returns:
            float64 [n, most options].
        """
        counts = [len(each) for each in options]
        scores = np.full((len(cells), max(counts)), -np.inf)
        for row, ((cell, where), count) in enumerate(zip(cells, counts, strict=True)):
            if cell.strip() not in map(str, range(count)):
                what = f"prediction {cell!r:.60} is not one of 0 to {count - 1}"
                raise BadInput(what, where=where, mend="write the option's number, from 0")
            scores[row, :count] = 0
            scores[row, int(cell)] = 1
        return scores

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether a training failed: options hardly differ in score, and accuracy is hardly above chance.

        Options hardly differ in score if their scores have a standard deviation below 0.05 in every example. Accuracy
        is hardly above chance if it is at most two standard deviations above the expected accuracy of guessing. The
        first condition alone proves nothing: scores have no fixed scale, so a trained model's may be close too.

        Args:
            gold: int64 [n], the number of each right option.
            predictions: float64 [n, most options]; -inf for options that an example lacks.
        """
        scores = np.ma.masked_invalid(predictions)
        if scores.std(1).max() >= _STILL:
            return False
        chance = float((1 / scores.count(1)).mean())
        hits = float((scores.argmax(1) == np.asarray(gold)).mean())
        return bool(hits <= chance + 2 * np.sqrt(chance * (1 - chance) / len(gold)))

    def chance_score(self, examples: Examples) -> float:
        """Return the expected accuracy of random guessing."""
        return float(np.mean([1 / len(options) for options in examples.options or ()]))

    def shown_once(self, first: str, second: str) -> tuple[str, str]:
        """Return the context as the key of an example; of examples with equal keys the HTML report lists only one.

        Args:
            first: the context.
            second: the question, which is not used.
        """
        return first, ""


MULTIPLE_CHOICE = MultipleChoice()


def _column(file: RawFile, columns: Sequence[str], names: Sequence[str]) -> str:
    column = usual_column(columns, names)
    if column is None:
        what = f"no column {' or '.join(map(repr, names))}"
        raise BadInput(what, where=file.path, mend=f"rename a column; {nearest(names[0], columns)}")
    return column


def _options(row: RowCells) -> tuple[str, ...]:
    cell = row.cell("options")
    try:
        options = parse_cell(cell)
    except ValueError:
        options = None
    if not isinstance(options, list) or len(options) < _LEAST_OPTIONS:
        raise BadInput("options are a JSON array of two or more texts", where=row.where, mend='write ["one", "two"]')
    return tuple(cell_text(option) for option in options)
