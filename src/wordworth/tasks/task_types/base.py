"""`TaskType`: everything that depends on the kind of a task, from its label column to the words of its reports."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import LabelForm, errors
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.labels import Labelled
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task_types.prediction_cells import PredictedCell, RowCells
from wordworth.tasks.task_types.wording import Wording
from wordworth.text.read_compressed_file import RawFile

Floats = NDArray[np.float64]
Mark = tuple[int, int, str, str]
"""A marked span of a text: its start and end in characters, whether it is gold, predicted or both, and its type."""
ClassFlags = tuple[str, NDArray[np.bool_], NDArray[np.bool_]]
"""The name of a class, which items have the class (bool [items]), and which are predicted to have it."""
DIGITS = 4
"""Digits of a probability in an answer."""


class TaskType:
    """A kind of task: how its labels are read, learned, predicted, scored and reported.

    A new kind derives from the type whose labels and predictions it shares, and overrides what differs. Every model or
    head (a model's classifier) that learns that type can then learn the new one.
    `docs/extending/task-type.md` has an example.

    Attributes:
        name: what users and records call the kind of task.
        former_name: the name of the kind in earlier versions, which keys of stored runs contain; "" if it is the same.
        label_form: the form of labels and predictions; each metric declares which forms it measures. None if only
            metrics that name this kind measure it.
        metrics: the usual metrics, the default first.
        wording: the words that reports use.
        head: "module:attribute" of the factory of the task head (see `training.task_heads.head_for`).
        transformers_head: the suffix of the names of transformers' classes with such a head.
        hub_task: the Hugging Face hub's name of such tasks; "" if model cards have the kind's own name.
        problem_type: the `problem_type` of the kind in a transformers config; None if transformers does not name it.
        scorer: "module:attribute" of the function that scores a file of predictions as the official scorer does.
        max_tokens: the default maximal number of tokens of an example in fine-tuning.
        paper_dropout: the dropout probability in the recipe of Devlin et al. 2019.
        in_ladder: whether the models that `worth` compares can learn the kind; else encoders are only fine-tuned on it.
        file_columns: a phrase that names the columns of a file of such examples, where the kind fixes their names.
        renamable: the settings by which a user may give other names for the columns of `file_columns`.
        takes_pairs: whether an example may have two texts.
        takes_label_columns: whether a file may have several label columns.
        labels_may_be_empty: whether an empty cell of labels or predictions is a label (such as "no label").
        numeric: whether labels are numbers, float64 [n].
        multiclass: whether an example has exactly one of the classes.
        exclusive: whether predictions are scores of alternatives, of which the highest is the predicted label.
        labels_words: whether every word has a label.
        stratified: whether training and test rows are drawn so that each label keeps its share.
        pooled: whether the head scores one vector for a whole sequence of tokens.
        reads_windows: whether a long context is read in several windows instead of being cut.
        asks_questions: whether examples are questions on a context.
        fills_masks: whether the model's pretrained head over its vocabulary makes the scores, without a new layer.
        scores_options: whether a new layer scores each option of an example.
        class_probabilities: whether predictions have a probability for each class.
        predicts_blank: whether a model outputs a label even for a text without characters; this label is then dropped.
        answer_key: the key of the predicted label in the dict that `answer` returns.
        answer_columns: further keys of the dict that `answer` returns, each a column in a table of answers.
        text_role: the role of the column that holds the texts to predict: `text`, `words` or `context`.
        wrong_from, right_to: the HTML report lists an example as wrong if its error (`error_sizes`) is above
            `wrong_from`, and as right if its error is at most `right_to`.
    """

    name: str = ""
    former_name: str = ""
    label_form: LabelForm | None = None
    metrics: tuple[str, ...] = ("accuracy",)
    wording = Wording()
    head = "wordworth.training.task_heads.sequence_classification:make_head"
    transformers_head = "SequenceClassification"
    hub_task: str = ""
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
    fills_masks = False
    scores_options = False
    class_probabilities = False
    predicts_blank = True
    answer_key = "label"
    answer_columns: tuple[str, ...] = ()
    text_role = "text"
    wrong_from, right_to = 0.0, 0.0

    @property
    def legacy_name(self) -> str:
        """The name of this kind of task in earlier versions, which the keys of stored files still contain."""
        return self.former_name or self.name

    @property
    def learned_as(self) -> tuple[str, ...]:
        """The names of this kind of task and its base kinds.

        A model that learns one of them can learn this kind.
        """
        bases = [base for base in type(self).__mro__ if issubclass(base, TaskType)]
        return tuple(dict.fromkeys(name for base in bases if (name := base.__dict__.get("name", ""))))

    # How a file becomes examples and labels.

    def examples(self, rows: LabelledRows) -> Examples:
        """Return the inputs of rows as examples of this kind of task; by default the first text of each row."""
        return Examples(tuple(rows.first))

    def read(self, rows: LabelledRows) -> Labelled:
        """Read the labels of all rows, in the form that this kind of task has.

        Raises:
            BadInput: the labels do not fit this kind of task.
        """
        raise NotImplementedError

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """Return (metric, reason): the metric that practitioners usually take for such labels, and why.

        Args:
            labels: the labels of all rows.
            classes: the names of the classes or tags.
            train: int64 [rows], the indices of the training rows.

        Returns:
            The name of the metric, and a phrase for a report.
        """
        return self.metrics[0], "the usual metric of this kind of task"

    def read_part(self, file: RawFile, named: Mapping[str, Any]) -> Part:
        """Read a file of questions as a part of a data set; only for kinds of task that `in_ladder` excludes.

        Args:
            file: the file.
            named: the user's names of the columns `text`, `text_b` and `label`; None for columns that are not named.

        Raises:
            BadInput: the file does not hold such questions.
        """
        raise NotImplementedError

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """Return the examples of rows without labels, to predict them.

        Args:
            rows: the rows.
            pairs: whether each example has two texts.

        Raises:
            BadInput: a row lacks a column that this kind of task needs.
        """
        first = tuple(row.cell("text") for row in rows)
        return Examples(first, tuple(row.cell("second") for row in rows) if pairs else None)

    # What holds for its labels.

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if they have the form described in `Task.labels`.

        Args:
            labels: the labels of all examples.
            examples: the examples.
            classes: the names of the task's classes.
        """
        raise NotImplementedError

    def clusters(self, examples: Examples) -> Sequence[Hashable]:
        """Return a key for each example; examples with equal keys depend on each other and are resampled together.

        By default the key is the example's first text.
        """
        return examples.first

    def learnable(self, labels: Labels) -> NDArray[np.bool_]:
        """Return whether training can use each labelled example, bool [n]; by default all of them."""
        return np.ones(len(labels), dtype=np.bool_)

    def has_unanswerable(self, labels: Labels) -> bool:
        """Return whether at least one question has no gold answer; False for kinds of task without questions."""
        return False

    def further_metrics(self, gold: Labels) -> tuple[str, ...]:
        """Return names of metrics that score a subset of the examples with the labels `gold`; by default none."""
        return ()

    # Predictions.

    def decide(self, prediction: Any) -> Any:
        """Return the label that is predicted for an example, given the prediction in the form that metrics take.

        If the prediction holds the scores of alternatives, the label is the index of the highest score.
        """
        return int(np.argmax(prediction)) if self.exclusive else prediction

    def plain_value(self, label: Any, classes: Sequence[str]) -> str | float | int | list[str]:
        """Return a gold or predicted label as in files of labels: a name of `classes`, a list of names, or a number."""
        return classes[int(label)]

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return a gold or predicted label as text for readers.

        Args:
            label: one entry of `Task.labels`, or a prediction of that form.
            classes: the names of the task's classes.
            options: the example's options; empty for kinds without options.
        """
        return str(self.plain_value(label, classes))

    def probabilities(self, prediction: Any, names: Sequence[str], digits: int) -> Any:
        """Return the probabilities in a prediction: a dict by class, or a list by option; None if it has scores only.

        Args:
            prediction: the prediction of one example, in the form that metrics take.
            names: the names of the classes.
            digits: number of decimals to round to.
        """
        return None

    def answer(self, prediction: Any, classes: Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
        """Return the prediction for an example in the form in which `wordworth predict` writes it, a dict.

        Args:
            prediction: the prediction of one example, in the form that metrics take.
            classes: the names of the task's classes.
            options: the example's options; empty for kinds without options.
        """
        values = {self.answer_key: self.plain_value(self.decide(prediction), classes)}
        shares = self.probabilities(prediction, options or classes, DIGITS)
        return values if shares is None else {**values, "probabilities": shares}

    def parse_predictions(
        self, cells: Sequence[PredictedCell], classes: Sequence[str], options: Sequence[Sequence[str]]
    ) -> Floats:
        """Return a file's predictions in the form that metrics take, such as scores, float64 [n, classes].

        Args:
            cells: one cell for each example.
            classes: the names of the task's classes.
            options: the options of each example; empty for kinds without options.

        Raises:
            BadInput: a cell does not hold a prediction of this kind.
        """
        raise NotImplementedError

    def as_predictions(self, labels: np.ndarray, classes: Sequence[str]) -> np.ndarray:
        """Return predictions that agree with some labels, in the form that metrics take.

        Args:
            labels: the labels that are to be predicted, in the shape that `Task.labels` describes.
            classes: the names of the task's classes.
        """
        return labels

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether a training failed: all predictions are the same though the gold labels differ.

        Mosbach et al. 2021, section 4, call such a run failed or degenerate.
        """
        raise NotImplementedError

    # What needs no model.

    def constant_scores(self, gold: np.ndarray, classes: Sequence[str]) -> Floats:
        """Return what a constant model fitted to the training labels predicts for any example, float64 [classes] or [].

        Args:
            gold: the labels of the training rows, in the shape that `Task.labels` describes.
            classes: the names of the task's classes.
        """
        raise NotImplementedError

    def constant_candidates(self, gold: np.ndarray, classes: Sequence[str]) -> Iterable[Floats]:
        """Return several constant predictions, float64 [classes] or [] each, among them the best by each metric.

        The first is the prediction of `constant_scores`.

        Args:
            gold: the labels of the training rows, in the shape that `Task.labels` describes.
            classes: the names of the task's classes.
        """
        return [self.constant_scores(gold, classes)]

    def constant_text(self, scores: Any, classes: Sequence[str]) -> str:
        """Return a phrase for a constant prediction, to complete a sentence that begins "better than".

        Args:
            scores: the prediction, as `constant_scores` returns it.
            classes: the names of the task's classes.
        """
        raise NotImplementedError

    def baseline_predictions(self, labels: Labels, classes: Sequence[str], size: int) -> Any:
        """Return the predictions of a baseline, the same for every example; None if the kind has no baseline.

        Args:
            labels: the labels of the training rows.
            classes: the names of the task's classes.
            size: number of examples to predict.
        """
        return None

    def chance_score(self, examples: Examples) -> float | None:
        """Return the expected score of random guessing; None if guessing is not the baseline of this kind of task."""
        return None

    # What the page of a fine-tuning shows.

    def error_sizes(self, gold: Labels, predictions: Any) -> Floats:
        """Return how large the error of each prediction is, compared with the gold label, float64 [n].

        The HTML report sorts examples by these sizes if predictions have no probabilities.
        """
        return errors(gold, predictions)

    def shown_once(self, first: str, second: str) -> tuple[str, str]:
        """Return a key of an example; of examples with equal keys the HTML report lists only one.

        By default the key is both texts. Kinds of task with questions return the context alone, so that it is not
        listed with many questions.

        Args:
            first: the first text of the example.
            second: the second text; "" for an example with one text.
        """
        return first, second

    def texts(self, first: str, second: str, words: Sequence[str] = ()) -> tuple[str, str]:
        """Return (main text, other text) of an example; the HTML report marks labelled spans in the main text.

        By default they are `first` and `second`.

        Args:
            first: the first text of the example.
            second: the second text; "" for an example with one text.
            words: the words of a sentence to tag.
        """
        return first, second

    def marks(self, text: Any, sides: tuple[Any, Any], classes: Sequence[str]) -> list[Mark]:
        """Return the marks of the labelled spans of a text in the HTML report.

        The list is empty for kinds of task that label whole texts.

        Args:
            text: the text, or the words of a sentence to tag, which the report joins by spaces.
            sides: (gold label, prediction) of the example.
            classes: the names of the task's classes.
        """
        return []

    def class_pairs(
        self, gold: Any, predictions: Any, classes: Sequence[str]
    ) -> tuple[NDArray[np.int64], tuple[str, ...]] | None:
        """Return the gold and the predicted class of each item, for a confusion matrix; None for kinds without classes.

        Args:
            gold: the gold labels.
            predictions: the predictions for the same examples.
            classes: the names of the task's classes.

        Returns:
            (int64 [items, 2], gold and predicted class of each example, or in tagging of each span; class names).
        """
        return None

    def class_flags(self, gold: Any, predictions: Any, classes: Sequence[str]) -> list[ClassFlags]:
        """Return for each class which items have it and for which it is predicted, to count its errors.

        Each entry is (name of the class, bool [items] whether it is the gold class, bool [items] whether it is
        predicted). The list is empty for kinds of task without classes.

        Args:
            gold: the gold labels of all examples.
            predictions: the predictions for all examples.
            classes: the names of the task's classes.
        """
        pairs, names = self.class_pairs(gold, predictions, classes) or (np.zeros((0, 2), np.int64), ())
        return [(name, pairs[:, 0] == number, pairs[:, 1] == number) for number, name in enumerate(names)]
