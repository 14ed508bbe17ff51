"""Find label leakage: another column, or a single word of the text, that predicts the label almost alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from wordworth.records import Finding
from wordworth.sentence_formatting import percent
from wordworth.tasks.labels import Integers
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Task

_MOST_COLUMNS = 50
_MOST_WRONG, _MOST_OF_CHANCE = 0.02, 0.1
_LOOKED_AT, _LEAST_ROWS = 5_000, 20
_NEARLY_ALL, _RARELY = 0.9, 0.1
_MOST, _ALMOST_NEVER = 0.5, 0.02
_CORRELATED = 0.98
_TAKE_OUT = "If it will not be there in real use, take it out."
_READ, _WORD = 1_000, re.compile(r"\w+")


def leaks(task: Task, rows: LabelledRows) -> Iterator[Finding]:
    """Yield a finding for each unused column, and one for words of the texts, that predict the label almost alone.

    The columns are those that the task does not use. Words are searched only if each example has exactly one class.

    Args:
        task: the task.
        rows: the rows of the task's files; example i of the task is row i.
    """
    for name in rows.others[:_MOST_COLUMNS]:
        cells = rows.cells(name)
        right = _correlation(task, cells) if task.type.numeric else _predicted(task, cells)
        if right is not None:
            text = (
                f"Column {name!r} gives the label away ({percent(right, 1)}): it is not used; keep it out of the text."
            )
            yield Finding("warning.leak_column", text, {"column": name, "right": right})
    if task.type.multiclass:
        yield from islice(chain(_names_in_texts(task), _words_in_texts(task)), 1)


def _predicted(task: Task, cells: Sequence[str]) -> float | None:
    """Return the share of test rows whose label a column predicts; None if the share is too small for a leak.

    The prediction is the most frequent training label of a cell or, if more rows are then right, thresholds on numbers.

    Args:
        task: the task.
        cells: the column's cell of each row.
    """
    labels = _as_numbers(task)
    known: dict[str, Counter[int]] = defaultdict(Counter)
    for row in task.train:
        known[cells[row]][int(labels[row])] += 1
    usual = Counter(labels[task.train].tolist()).most_common(1)[0][0]
    answer = {cell: counts.most_common(1)[0][0] for cell, counts in known.items()}
    right = float(np.mean([answer.get(cells[row], usual) == labels[row] for row in task.test]))
    wrong = 1 - max(right, _threshold(task, labels, cells))
    chance = float(np.mean(labels[task.test] != usual))
    return 1 - wrong if wrong <= min(_MOST_WRONG, _MOST_OF_CHANCE * chance) else None


def _threshold(task: Task, labels: Integers, cells: Sequence[str]) -> float:
    """Return the share of test rows whose label a small decision tree on one numeric column predicts.

    The tree is fitted on the training rows. The result is 0 if the column is not numeric or has one value.

    Args:
        task: the task.
        labels: int64 [n], a number for each row's label.
        cells: the column's cell of each row.
    """
    values = _numbers(cells)
    if values is None or len(set(cells)) <= 1:
        return 0.0
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(values[task.train, None], labels[task.train])
    return float(tree.score(values[task.test, None], labels[task.test]))


def _correlation(task: Task, cells: Sequence[str]) -> float | None:
    values = _numbers(cells)
    if values is None or np.ptp(values) == 0:
        return None
    correlation = abs(float(np.corrcoef(values, np.asarray(task.labels))[0, 1]))
    return correlation if correlation >= _CORRELATED else None


def _numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        values = np.array([float(cell) for cell in cells])
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _as_numbers(task: Task) -> Integers:
    """Return a number for each row's label, int64 [n]; rows with equal labels have the same number."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(np.asarray(label).tobytes(), len(seen)) for label in task.labels], dtype=np.int64)


def _names_in_texts(task: Task) -> Iterator[Finding]:
    """Report classes whose name is in most texts of the class, and in hardly any other text.

    A leak is reported if this holds for all classes, or for all but one. If it holds for fewer classes, the reason may
    be that texts about traffic mention "traffic"; for the same reason one class alone needs nearly all of its texts.
    """
    rows = np.arange(0, len(task.examples), max(1, len(task.examples) // _LOOKED_AT))
    labels = np.asarray(task.labels)[rows]
    named = _named([task.examples.first[row] for row in rows], task.classes)
    own = labels[:, None] == np.arange(len(task.classes))
    inside, outside = _share(named, own), _share(named, ~own)
    enough, but_one = own.sum(axis=0) >= _LEAST_ROWS, len(task.classes) - 1
    for least, most, classes in ((_NEARLY_ALL, _RARELY, max(1, but_one)), (_MOST, _ALMOST_NEVER, max(2, but_one))):
        given_away = np.flatnonzero((inside >= least) & (outside <= most) & enough)
        if len(given_away) >= classes:
            example_class = task.classes[given_away[0]]
            share, others = float(inside[given_away[0]]), float(outside[given_away[0]])
            text = (
                f"The label is in the text: {percent(share)} of the texts of {example_class!r} hold that word, "
                f"{percent(others)} of the others. {_TAKE_OUT}"
            )
            yield Finding("warning.leak_text", text, {"class": example_class, "own": share, "others": others})
            return


def _words_in_texts(task: Task) -> Iterator[Finding]:
    """Report words of which each is in nearly all texts of one class, and in hardly any other text.

    A leak is reported if all classes, or all but one, have such a word.
    """
    rows = task.train[:: max(1, len(task.train) // _READ)]
    labels = np.asarray(task.labels)[rows]
    texts = [set(_WORD.findall(task.examples.first[row].casefold())) for row in rows]
    text_counts = Counter(word for words in texts for word in words)
    telling = []
    for number, name in enumerate(task.classes):
        own = [words for words, label in zip(texts, labels, strict=True) if label == number]
        inside = Counter(word for words in own for word in words)
        rest = max(1, len(texts) - len(own))
        if len(own) < _LEAST_ROWS or not inside:
            continue
        by_word = sorted(inside.items())  # so that of equal words the first in the alphabet is named, in every process
        word, count = max(by_word, key=lambda item: item[1] / len(own) - (text_counts[item[0]] - item[1]) / rest)
        share, others = count / len(own), (text_counts[word] - count) / rest
        if share >= _NEARLY_ALL and others <= _RARELY:
            telling.append((name, word, share, others))
    if len(telling) >= max(1, len(task.classes) - 1):
        name, word, share, others = telling[0]
        text = (
            f"A word gives the label away: {percent(share)} of the texts of {name!r} hold {word!r}, "
            f"{percent(others)} of the others. {_TAKE_OUT}"
        )
        yield Finding("warning.leak_text", text, {"class": name, "word": word, "own": share, "others": others})


def _named(texts: Sequence[str], classes: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each text contains each class's name as a whole word, in any case, bool [texts, classes]."""
    names = [name.casefold() for name in classes]
    longest_first = sorted(set(names), key=len, reverse=True)
    name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    names_in_texts = [set(name.findall(text.casefold())) for text in texts]
    return np.array([[wanted in present for wanted in names] for present in names_in_texts], dtype=np.bool_)


def _share(named: NDArray[np.bool_], among: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return, for each class, the share of chosen texts in which `named` is true, float64 [classes].

    Args:
        named: bool [texts, classes].
        among: bool [texts, classes], whether a text is chosen for a class.
    """
    return np.asarray((named & among).sum(axis=0) / np.maximum(among.sum(axis=0), 1))
