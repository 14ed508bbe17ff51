"""The units on which three measures of difficulty (complexity, ambiguity, unseen words) are defined in the test part.

In tasks that label texts, a unit is a text. In tagging the units are smaller, as in Arora et al. (2020): entities for
complexity, and the words of entities for ambiguity and unseen words. Words outside entities are left out, since nearly
all of them are tagged right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import MissingExtra, require_package
from wordworth.measures import input_difficulty
from wordworth.measures.chunk_f1 import missed, mistagged, scheme
from wordworth.measures.metrics import errors
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.progress import SILENT, Progress
from wordworth.text.english_detection import is_english
from wordworth.text.word_boundaries import words

if TYPE_CHECKING:
    from wordworth.representations.rung import Predictions
    from wordworth.tasks.task import Rows, Task

_ARCS = "mean words from a word to its syntactic head, by a small parser of English (the first 100 words of a text)"
_CLAUSES = "words between punctuation marks, which stand in for the structure of sentences (no parser was used)"
Value = TypeVar("Value")
Loss = Callable[["Predictions"], Floats]


@dataclass(frozen=True, slots=True)
class Units:
    """The units on which a measure of difficulty is defined: texts, entities or words of the test part.

    Attributes:
        values: float64 [units], the difficulty of each unit: the larger, the harder; NaN if undefined.
        test_item: int64 [units], the test item that each unit belongs to and is resampled with.
        covariates: float64 [2, units], two quantities that measures of difficulty correlate with: the length of the
            unit's text in words, and the frequency of the unit's words in training (mean of log(1 + count)).
        loss: function that takes the predictions of one run for the test part, and returns the error of each unit, from
            0 to 1, float64 [units].
        meaning: a description of how the difficulty was measured, for the record.
    """

    values: Floats
    test_item: NDArray[np.int64]
    covariates: Floats
    loss: Loss
    meaning: str


def measures(task: Task, *, parse: bool = True, progress: Progress = SILENT) -> dict[str, Units]:
    """Return name of each of the three measures of difficulty -> its values on texts, entities or words.

    For ambiguity and unseen words, a text is compared with the training rows of the split in which it is a test text.

    Args:
        task: the task.
        parse: whether English texts may be parsed to measure complexity. False saves the time, if no table of slices
            (easy and hard halves of the test part) is to be made.
        progress: receives the progress of the parser.
    """
    return _tag_measures(task) if task.type.labels_words else _text_measures(task, progress, parse=parse)


def unseen_share(task: Task, units: Mapping[str, Units]) -> Floats:
    """Return the share of each test text's words that do not occur in the training part, float64 [test items].

    Args:
        task: the task.
        units: the measures of difficulty, as `measures` returns them.
    """
    if task.type.labels_words:
        return np.array([np.isinf(rarity).mean() if len(rarity) else 0.0 for rarity in _rarity(task)])
    return units["unseen"].values


def _by_item(task: Task, learn: Callable[[Rows, Rows], Sequence[Value]]) -> list[Value]:
    """Return a value for each test item, learned from the training rows of the split that tests it.

    Args:
        task: the task.
        learn: takes training rows and test rows, and returns a value for each test row, learned from the training rows.
    """
    values: dict[int, Value] = {}
    for train, test in task.splits:
        values.update(zip(test.tolist(), learn(train, test), strict=True))
    return [values[row] for row in task.test.tolist()]


def _rarity(task: Task) -> list[Floats]:
    """Return 1 / (times seen in training) of each word, float64 [words] per test sentence; infinite if never seen."""

    def learn(train: Rows, test: Rows) -> list[Floats]:
        return input_difficulty.rarity(_tagged_words(task, test), _tagged_words(task, train))

    return _by_item(task, learn)


def lower_case_words(task: Task, rows: Rows) -> list[list[str]]:
    """Return the list of lower-case words of each example in `rows`; for a pair, of both texts in one list.

    Args:
        task: the task.
        rows: int64 [n], the indices of the examples in the task.
    """
    examples = task.examples.take(rows)
    first = [_words(text) for text in examples.first]
    return (
        first if examples.second is None else input_difficulty.joined(first, [_words(text) for text in examples.second])
    )


def _words(text: str) -> list[str]:
    return [text[start:end].lower() for start, end in words(text)]


def _known_words(task: Task) -> Floats:
    """Return ambiguity, share of unseen words and mean log frequency of words of each test text, float64 [3, items]."""
    assert not isinstance(task.labels, tuple)  # noqa: S101 - not a tagging task
    labels = task.labels

    def learn(train: Rows, test: Rows) -> Sequence[Floats]:
        texts = lower_case_words(task, test)
        known = input_difficulty.lexicon(lower_case_words(task, train), labels[train], len(task.classes))
        of_texts = (
            input_difficulty.ambiguity(texts, known),
            input_difficulty.unseen(texts, known),
            input_difficulty.frequency(texts, known),
        )
        return list(np.stack(of_texts, axis=1))

    return np.stack(_by_item(task, learn), axis=1)


def _text_measures(task: Task, progress: Progress, *, parse: bool) -> dict[str, Units]:
    test, gold = lower_case_words(task, task.test), task.gold(task.test)
    ambiguity, unseen, frequency = _known_words(task)
    item = np.arange(len(test))
    examples = task.examples.take(task.test)
    whole = (
        examples.first
        if examples.second is None
        else [" ".join(pair) for pair in zip(examples.first, examples.second, strict=True)]
    )
    complexity, meaning = _complexity(whole, progress, parse=parse)
    usual = np.stack([floats([len(text) for text in test]), frequency])

    def loss(predictions: Predictions) -> Floats:
        return errors(gold, predictions)

    return {
        "complexity": Units(complexity, item, usual, loss, meaning),
        "ambiguity": Units(
            ambiguity,
            item,
            usual,
            loss,
            "how evenly its words are spread over the labels in training; 0 where one has them all (entropy, bits)",
        ),
        "unseen": Units(unseen, item, usual, loss, "share of words never seen in training"),
    }


def _complexity(texts: Sequence[str], progress: Progress, *, parse: bool) -> tuple[Floats, str]:
    """Return the complexity of each text, float64 [texts], and a description of the measure.

    The complexity is the length of syntactic arcs for English texts if torch is installed, else the length of clauses.
    """
    spans = [words(text) for text in texts]
    if parse and is_english([[text[a:b].lower() for a, b in each] for text, each in zip(texts, spans, strict=True)]):
        try:
            require_package("torch", "torch")
            from wordworth.inference.dependency_arc_lengths import arc_lengths

            written = [[text[start:end] for start, end in each] for text, each in zip(texts, spans, strict=True)]
            return arc_lengths(written, progress=progress), _ARCS
        except MissingExtra:
            pass
    without_marks = [
        [span for span in each if any(map(str.isalnum, text[slice(*span)]))]
        for text, each in zip(texts, spans, strict=True)
    ]
    return input_difficulty.clause_lengths(texts, without_marks), _CLAUSES


def _tagged_words(task: Task, rows: Rows) -> list[tuple[str, ...]]:
    assert task.examples.words is not None  # noqa: S101 - tagging tasks have words
    return [task.examples.words[row] for row in rows]


def _tag_ambiguity(task: Task, train: Rows, test: Rows) -> list[Floats]:
    tags = task.gold(train)
    assert isinstance(tags, tuple)  # noqa: S101 - tagging tasks
    return input_difficulty.tag_ambiguity(_tagged_words(task, test), _tagged_words(task, train), tags, task.classes)


def _tag_measures(task: Task) -> dict[str, Units]:
    gold, test = task.gold(task.test), _tagged_words(task, task.test)
    assert isinstance(gold, tuple)  # noqa: S101 - tagging tasks
    entities, _ = missed(gold, gold, task.classes)
    item, _ = mistagged(gold, gold)
    inside = np.flatnonzero(scheme(task.classes).kind[np.concatenate(gold)] >= 0)

    def entity_loss(predictions: Predictions) -> Floats:
        return missed(gold, predictions, task.classes)[1]

    def word_loss(predictions: Predictions) -> Floats:
        return mistagged(gold, predictions)[1][inside]

    ambiguity, by_sentence = np.concatenate(_by_item(task, partial(_tag_ambiguity, task)))[inside], _rarity(task)
    rarity = np.concatenate(by_sentence)[inside]
    frequency = np.log1p(1 / np.concatenate(by_sentence))  # 0 for an unseen word: log(1 + 1 / inf)
    lengths = floats([len(sentence) for sentence in test])
    usual = np.stack([lengths[item[inside]], frequency[inside]])
    spans = zip(entities.start, entities.end, strict=True)  # positions of words, all sentences end to end
    entity_frequency = floats([frequency[start:end].mean() for start, end in spans])
    types, seen = "types the word had in training", "one over the times the word was seen in training"
    return {
        "complexity": Units(
            floats(entities.lengths),
            entities.sentence,
            np.stack([lengths[entities.sentence], entity_frequency]),
            entity_loss,
            "words of the entity",
        ),
        "ambiguity": Units(ambiguity, item[inside], usual, word_loss, f"{types}, words of entities only"),
        "unseen": Units(rarity, item[inside], usual, word_loss, f"{seen}, words of entities only"),
    }
