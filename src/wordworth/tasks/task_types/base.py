"""`TaskType`: everything that depends on the kind of a task, from its label column to the words of its reports."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import errors
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.formats.part import Part
from wordworth.tasks.labels import Labelled
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.text.raw_file import RawFile

Floats = NDArray[np.float64]
Mark = tuple[int, int, str, str]
"""Start and end in characters of a text, whose it is (gold, predicted or both), and its type."""
ClassFlags = tuple[str, NDArray[np.bool_], NDArray[np.bool_]]
"""A class, which items have it, and which are predicted to have it."""
DIGITS = 4
"""Digits of a probability in an answer."""


class PredictedCell(NamedTuple):
    """A cell with a prediction, and its location for messages."""

    text: str
    where: str


class RowCells(Protocol):
    """A row without labels, whose cells are known by their role."""

    @property
    def where(self) -> str:
        """The location of the row, for messages."""
        ...

    def cell(self, role: str, *, needed: bool = True) -> str:
        """The cell with this role; "" where there is none and it is not needed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words of reports on a kind of task.

    Attributes:
        examples: what several examples are called.
        to_learn: what they are called where the ladder learns from them.
        classes: what the classes are called.
        constant: the title of the rung that reads no text.
        baseline: what the baseline of a fine-tuning does.
        baseline_name: the same in two or three words.
        wrong, right: titles of examples on the page, where predictions have no probability.
    """

    examples: str = "texts"
    to_learn: str = "texts to classify"
    classes: str = "classes"
    constant: str = "majority class"
    baseline: str = "Predicting the most frequent class for every example"
    baseline_name: str = "the same of all"
    wrong: str = "Most confident and wrong"
    right: str = "Most confident and right"


class TaskType:
    """A kind of task: how its labels are read, learned, predicted, scored and reported.

    A new kind derives from the type whose labels and predictions it shares, and changes what differs: whatever learns
    that type learns the new one too. `docs/extending/task-type.md` shows one.

    Attributes:
        name: what users and records call it.
        former_name: what earlier versions called it, if otherwise; keys of stored runs are made of it.
        metrics: the usual metrics, the default first.
        wording: the words of reports.
        head: "module:attribute" of the factory of its task head (see `training.task_heads.head_for`).
        transformers_head: the end of the names of transformers' classes with such a head.
        problem_type: the same in a transformers config, where it has a word for it.
        scorer: "module:attribute" of the function that scores a file of predictions as the official scorer does.
        max_tokens: how many tokens of an example fine-tuning reads at most, where the user sets nothing.
        paper_dropout: dropout in the recipe of Devlin et al. 2019.
        in_ladder: whether the rungs of the ladder can learn it from rows of a file; else it is only fine-tuned.
        file_columns: the columns of a file of such examples, in words, where these are fixed.
        renamable: the settings by which a user may name these columns otherwise.
        takes_pairs: whether an example may have two texts.
        takes_label_columns: whether there may be several label columns.
        labels_may_be_empty: whether an empty cell of labels or predictions means something.
        numeric: whether labels are numbers, float64 [n].
        multiclass: whether an example has exactly one of the classes.
        exclusive: whether predictions are scores of alternatives, the highest of which is meant.
        labels_words: whether every word has a label.
        stratified: whether parts are drawn by label.
        pooled: whether a sequence is read as one vector.
        reads_windows: whether long contexts are read in windows, whole.
        asks_questions: whether examples are questions on a context.
        class_probabilities: whether predictions have a probability for each class.
        predicts_blank: whether a text without characters gets no prediction; else its prediction is empty anyway.
        answer_key: the key of the prediction in an answer.
        answer_columns: further keys of an answer that a table of answers has columns for.
        text_role: the role of the column that holds the texts: `text`, `words` or `context`.
        wrong_from, right_to: an error above the first counts as wrong, one up to the second as right, on the page.
    """

    name: str = ""
    former_name: str = ""
    metrics: tuple[str, ...] = ("accuracy",)
    wording = Wording()
    head = "wordworth.training.task_heads.sequence_classification:make_head"
    transformers_head = "SequenceClassification"
    problem_type: str | None = None
    scorer = "wordworth.studies.evaluate.official_scores:score_table"
    max_tokens = 128
    paper_dropout = 0.1
    in_ladder = True
    file_columns = ""
    renamable: tuple[str, ...] = ()
    takes_pairs = False
    takes_label_columns = False
    labels_may_be_empty = False
    numeric = False
    multiclass = False
    exclusive = False
    labels_words = False
    stratified = True
    pooled = True
    reads_windows = False
    asks_questions = False
    class_probabilities = False
    predicts_blank = True
    answer_key = "label"
    answer_columns: tuple[str, ...] = ()
    text_role = "text"
    wrong_from, right_to = 0.0, 0.0

    @property
    def legacy_name(self) -> str:
        """The name under which earlier versions stored runs and arrays; keys are made of it, so that they stay."""
        return self.former_name or self.name

    @property
    def learned_as(self) -> tuple[str, ...]:
        """The name, and the names of the types that it derives from: whatever learns one of them learns it."""
        bases = [base for base in type(self).__mro__ if issubclass(base, TaskType)]
        return tuple(dict.fromkeys(name for base in bases if (name := base.__dict__.get("name", ""))))

    # How a file becomes examples and labels.

    def examples(self, rows: LabelledRows) -> Examples:
        """The inputs of the rows; here their texts."""
        return Examples(tuple(rows.first))

    def read(self, rows: LabelledRows) -> Labelled:
        """The labels of all rows.

        Raises:
            BadInput: they do not fit this kind of task.
        """
        raise NotImplementedError

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """The metric that a practitioner expects, and the reason."""
        return self.metrics[0], "the usual metric of this kind of task"

    def read_part(self, stored: RawFile, named: Mapping[str, Any]) -> Part:
        """The questions of a file; only for kinds that are not in the ladder.

        Args:
            stored: the file.
            named: the user's names of the columns `text`, `text_b` and `label`; None for one that is not named.

        Raises:
            BadInput: the file does not hold such questions.
        """
        raise NotImplementedError

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """The examples of rows without labels, which are to be predicted; `pairs` tells whether there are two texts.

        Raises:
            BadInput: a row lacks a column that this kind of task needs.
        """
        first = tuple(row.cell("text") for row in rows)
        return Examples(first, tuple(row.cell("second") for row in rows) if pairs else None)

    # What holds for its labels.

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """What is wrong with labels, in words; "" if they are as `Task.labels` describes them."""
        raise NotImplementedError

    def clusters(self, examples: Examples) -> Sequence[Hashable]:
        """What each example depends on: examples with the same value are resampled together; here the first text."""
        return examples.first

    def learnable(self, labels: Labels) -> NDArray[np.bool_]:
        """Bool [n]: which labels can be learned from."""
        return np.ones(len(labels), dtype=np.bool_)

    def has_unanswerable(self, labels: Labels) -> bool:
        """Whether there are questions without an answer."""
        return False

    def further_metrics(self, gold: Labels) -> tuple[str, ...]:
        """Metrics that apply to some gold labels only."""
        return ()

    # Predictions.

    def decide(self, prediction: Any) -> Any:
        """The label that the prediction of one example means: the best of its scores, if these are exclusive."""
        return int(np.argmax(prediction)) if self.exclusive else prediction

    def plain_value(self, label: Any, classes: Sequence[str]) -> str | float | int | list[str]:
        """A label, gold or predicted, as files of labels hold it: a class name, a number, or a list."""
        return classes[int(label)]

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """A label, gold or predicted, as text for readers.

        Args:
            label: one entry of `Task.labels`, or a prediction of that form.
            classes: of the task.
            options: of the example, where there are some to choose from.
        """
        return str(self.plain_value(label, classes))

    def probabilities(self, prediction: Any, names: Sequence[str], digits: int) -> Any:
        """The probability of each class by name, or of each option, rounded; None where predictions have none."""
        return None

    def answer(self, prediction: Any, classes: Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
        """The prediction of one example as `predict` writes it: names and values.

        Args:
            prediction: of one example.
            classes: of the task.
            options: of the example, where there are some to choose from.
        """
        values = {self.answer_key: self.plain_value(self.decide(prediction), classes)}
        shares = self.probabilities(prediction, options or classes, DIGITS)
        return values if shares is None else {**values, "probabilities": shares}

    def parse_predictions(
        self, cells: Sequence[PredictedCell], classes: Sequence[str], options: Sequence[Sequence[str]]
    ) -> Floats:
        """The predictions in the cells of a file, in the form that metrics take.

        Args:
            cells: one for each example.
            classes: of the task.
            options: of each example, where there are some to choose from.

        Raises:
            BadInput: a cell is no prediction of this kind.
        """
        raise NotImplementedError

    def as_predictions(self, labels: np.ndarray, classes: Sequence[str]) -> np.ndarray:
        """Labels as predictions that are sure of them, in the form that metrics take."""
        return labels

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Whether predictions do not depend on the input though the labels differ (Mosbach et al. 2021, section 4)."""
        raise NotImplementedError

    # What needs no model.

    def constant_scores(self, gold: np.ndarray, classes: Sequence[str]) -> Floats:
        """The best prediction that is the same for every example, from the labels to learn from."""
        raise NotImplementedError

    def constant_text(self, gold: Any, classes: Sequence[str]) -> str:
        """What that prediction is, as the object of a comparison."""
        raise NotImplementedError

    def baseline_predictions(self, labels: Labels, classes: Sequence[str], size: int) -> Any:
        """The same prediction for `size` examples, from the labels to learn from; None where there is none."""
        return None

    def chance_score(self, examples: Examples) -> float | None:
        """The score of guessing, where that is the baseline."""
        return None

    # What the page of a fine-tuning shows.

    def error_sizes(self, gold: Labels, predictions: Any) -> Floats:
        """float64 [n]: how wrong each prediction is; the largest are shown first where there are no probabilities."""
        return errors(gold, predictions)

    def shown_once(self, first: str, second: str) -> tuple[str, str]:
        """What a reader need not read twice of an example's texts."""
        return first, second

    def texts(self, first: str, second: str, words: Sequence[str] = ()) -> tuple[str, str]:
        """The text in which labels are marked, and the other text."""
        return first, second

    def marks(self, shown: Any, sides: tuple[Any, Any], classes: Sequence[str]) -> list[Mark]:
        """The labels that stand at characters of a text.

        Args:
            shown: the text, or the words of a sentence to tag, which spaces will join.
            sides: the label of the example, and its prediction.
            classes: of the task.
        """
        return []

    def class_pairs(
        self,
        gold: Any,
        predictions: Any,
        classes: Sequence[str],
    ) -> tuple[NDArray[np.int64], tuple[str, ...]] | None:
        """Gold and predicted class of each item, int64 [items, 2], and their names; None where an item has not one."""
        return None

    def class_flags(self, gold: Any, predictions: Any, classes: Sequence[str]) -> list[ClassFlags]:
        """For each class which items have it, and which are predicted to; empty for kinds without classes."""
        pairs, names = self.class_pairs(gold, predictions, classes) or (np.zeros((0, 2), np.int64), ())
        return [(name, pairs[:, 0] == number, pairs[:, 1] == number) for number, name in enumerate(names)]
