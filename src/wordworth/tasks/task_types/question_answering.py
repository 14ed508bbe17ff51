"""Extractive question answering: which words of a context answer a question, if any do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.examples import Examples, Labels
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.squad import learnable, read_questions
from wordworth.tasks.task_types.base import Mark, TaskType
from wordworth.tasks.task_types.classification import constant
from wordworth.tasks.task_types.prediction_cells import RowCells
from wordworth.tasks.task_types.wording import Wording
from wordworth.text.read_compressed_file import RawFile


class QuestionAnswering(TaskType):
    """The kind of task in which a question on a context is answered by a span of the context, or has no answer.

    Labels are object [n], each a tuple of the gold `Answer`s of a question; predictions are texts, "" for no answer.
    """

    name, former_name = "question_answering", "span"
    label_form, hub_task = "answers", "question-answering"
    metrics = ("span_f1", "exact_match")
    wording = Wording(
        examples="questions",
        baseline="Predicting no answer for every question",
        wrong="Answered wrongly",
        right="Answered rightly",
    )
    head = "wordworth.training.task_heads.question_answering:make_head"
    transformers_head = "QuestionAnswering"
    scorer = "wordworth.studies.evaluate.official_scores:score_answers"
    max_tokens = 384
    paper_dropout = 0.0  # run_squad.py has none there
    in_ladder = stratified = pooled = predicts_blank = False
    file_columns = "question, context and answers"
    labels_may_be_empty = reads_windows = asks_questions = True
    answer_key, answer_columns = "answer", ("start", "no_answer")

    def read_part(self, file: RawFile, named: Mapping[str, Any]) -> Part:
        """Read a file of questions as a part of a data set: a SQuAD `.json`, or a table.

        The columns of a table are question, context, answers and optionally id.

        Args:
            file: the file.
            named: not used.
        """
        return read_questions(file)

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """Return questions with their contexts and ids as examples.

        Args:
            rows: the rows with a question each.
            pairs: not used.
        """
        first, second = (tuple(row.cell(role) for row in rows) for role in ("question", "context"))
        return Examples(first, second, ids=tuple(row.cell("id", needed=False) or row.where for row in rows))

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if each answer is at its position in its context.

        Args:
            labels: the gold answers of each question.
            examples: the questions with their contexts.
            classes: not used.
        """
        wrong = [
            answer
            for context, answers in zip(examples.second or (), labels, strict=True)
            for answer in answers
            if answer.start >= 0 and not context.startswith(answer.text, answer.start)
        ]
        return f"an answer that is not in its context at its start: {wrong[0]}" if wrong else ""

    def clusters(self, examples: Examples) -> Sequence[Hashable]:
        """Return the context of each question: questions on one context are resampled together."""
        return examples.first if examples.second is None else examples.second

    def learnable(self, labels: Labels) -> NDArray[np.bool_]:
        """Return whether training can use each question, bool [n]: it has an answer of known position, or no answer."""
        return np.array([learnable(tuple(answers)) for answers in labels], dtype=np.bool_)

    def has_unanswerable(self, labels: Labels) -> bool:
        """Return whether at least one question has no gold answer."""
        return not all(labels)

    def further_metrics(self, gold: Labels) -> tuple[str, ...]:
        """Return the names of two further metrics: F1 on questions with an answer, and F1 on the rest.

        Nothing is returned unless both kinds of question occur.

        Args:
            gold: the gold answers of each question.
        """
        return ("has_answer_f1", "no_answer_f1") if len({len(answers) > 0 for answers in gold}) > 1 else ()

    def plain_value(self, label: Any, classes: Sequence[str]) -> str | list[str]:
        """Return a predicted answer as text, or the gold answers of a question as a list of texts.

        Args:
            label: the predicted answer, or the gold answers.
            classes: not used.
        """
        return str(label) if isinstance(label, str) else [answer.text for answer in label]

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return the different answers to a question, separated by slashes.

        Args:
            label: the gold answers, or a predicted answer.
            classes: not used.
            options: not used.
        """
        value = self.plain_value(label, classes)
        return " / ".join(dict.fromkeys([value] if isinstance(value, str) else value)) or "no answer"

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether a training failed: all predicted answers are equal, though only some questions have an answer.

        Args:
            gold: the gold answers of each question.
            predictions: the predicted answer to each question.
        """
        return constant(np.array(predictions)) and not constant([len(answers) > 0 for answers in gold])

    def baseline_predictions(self, labels: Labels, classes: Sequence[str], size: int) -> Any:
        """Return "" (no answer) for every question; None where every training question has an answer.

        Args:
            labels: the gold answers of the training questions.
            classes: not used.
            size: number of questions to predict.
        """
        return np.full(size, "", dtype=object) if self.has_unanswerable(labels) else None

    def shown_once(self, first: str, second: str) -> tuple[str, str]:
        """Return the context as the key of an example; of examples with equal keys the HTML report lists only one.

        Args:
            first: the question, which is not used.
            second: the context.
        """
        return "", second

    def texts(self, first: str, second: str, words: Sequence[str] = ()) -> tuple[str, str]:
        """Return (context, question) to show an example; the HTML report marks answers in the context.

        Args:
            first: the question.
            second: the context.
            words: not used.
        """
        return second, first

    def marks(self, text: Any, sides: tuple[Any, Any], classes: Sequence[str]) -> list[Mark]:
        """Return the marks of the first gold answer and of the predicted answer in a context, for the HTML report.

        If the predicted text occurs several times, the occurrence nearest to the gold answer is marked.

        Args:
            text: the context.
            sides: (gold answers, predicted answer).
            classes: not used.
        """
        (gold, prediction), text = sides, str(text)
        predicted = str(prediction)
        true = [(answer.start, answer.start + len(answer.text)) for answer in gold if answer.start >= 0][:1]
        focus = true[0][0] if true else 0
        starts = [start for start in range(len(text)) if predicted and text.startswith(predicted, start)]
        closest = sorted(starts, key=lambda start: abs(start - focus))[:1]
        guessed = [(start, start + len(predicted)) for start in closest]
        if true == guessed:
            return [(*span, "both", "answer") for span in true]
        return [(*span, "gold", "answer") for span in true] + [(*span, "predicted", "answer") for span in guessed]


QUESTION_ANSWERING = QuestionAnswering()
