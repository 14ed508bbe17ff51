"""Labelled data sets that the cheap rungs and a specialist's models answer: how each is read, by what it is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.tasks.task import Examples, Kind, Rows, Task

MOST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A labelled data set.

    Attributes:
        train: its file of labels, inside the folder of data sets.
        test: its file of test texts; where there is none, they are drawn from the labels' file.
        metric: what it is scored by, as `wordworth.measures.metrics.metric` names it.
        columns: of the text or texts.
        most_classes: the labels kept where there are many (multilabel), the most frequent first.
        tested: most test texts, and at most a third of the file.
        new_test: whether each draw of the labels has test texts of its own. Where scores are near chance, luck on few
            fixed texts favours one model in every draw.
    """

    train: str
    metric: str
    test: str | None = None
    kind: Kind = "classification"
    columns: tuple[str, ...] = ("text",)
    label: str = "label"
    most_classes: int = 30
    tested: int = 2_000
    new_test: bool = False


def _single(folder: str, metric: str, train: str = "all.csv.xz", test: str | None = None, **more: Any) -> DataSet:
    return DataSet(train=f"{folder}/{train}", test=None if test is None else f"{folder}/{test}", metric=metric, **more)


def _pair(folder: str, metric: str, train: str = "train.csv.xz", test: str | None = None, **more: Any) -> DataSet:
    return _single(
        folder, metric, train, test, **({"kind": "pair_classification", "columns": ("text_a", "text_b")} | more)
    )


_NUMBERS = {"kind": "regression", "label": "score"}
SETS: Mapping[str, DataSet] = {
    "mr": _single("mr", "accuracy"),
    "cr": _single("cr", "accuracy"),
    "mpqa": _single("mpqa", "accuracy"),
    "subj": _single("subj", "accuracy"),
    "trec": _single("trec", "accuracy", "train.csv.xz", "test.csv"),
    "sst2": _single("sst2", "accuracy", "train.csv.xz", "test.csv"),
    "ag_news": _single("ag_news", "accuracy", "train_sample.csv.xz", "test.csv.xz"),
    "snips": _single("snips", "accuracy", "train.csv.xz", "test.csv"),
    "chnsenticorp": _single("chnsenticorp", "accuracy", "train.csv.xz", "test.csv.xz"),
    "cola": _single("cola", "matthews", "train.csv.xz", "dev.csv"),
    "tweet_emotion": _single("tweet_emotion", "macro_f1", "train.csv.xz", "test.csv"),
    "tweet_hate": _single("tweet_hate", "macro_f1", "train.csv.xz"),
    "tweet_sentiment": _single("tweet_sentiment_multi", "macro_f1", "train.csv.xz", "test.csv.xz"),
    "hate_offensive": _single("hate_offensive", "macro_f1", tested=10_000),
    "hate_offensive, hate": _single("hate_offensive", "f1:hate", tested=10_000),  # in 2,000 hardly 120
    "legal_roles": _single("legal_roles", "macro_f1"),
    "acl_arc": _single("acl_arc", "macro_f1", "train.csv.xz"),
    "chemprot": _single("chemprot", "micro_f1", "train.csv.xz", "test.csv.xz"),
    "sms_spam": _single("sms_spam", "f1:spam"),
    "mrpc": _pair("mrpc", "f1:1", test="test.csv.xz"),
    "qqp": _pair("qqp", "f1:1"),
    "rte": _pair("rte", "accuracy", new_test=True),
    "qnli": _pair("qnli", "accuracy", test="dev.csv.xz"),
    "snli": _pair("snli", "accuracy"),
    "pan_paraphrase": _pair("pan_paraphrase", "accuracy", test="test.csv.xz"),
    "stsb": _pair("stsb", "pearson", test="test.csv", **_NUMBERS),
    "stsb, German": _pair("stsb_multi", "spearman", "de_train.csv.xz", "de_test.csv", **_NUMBERS),
    "sst5, a number": _single("sst5", "spearman", "train.csv.xz", "test.csv.xz", kind="regression"),
    "goemotions": _single("goemotions", "micro_f1", "train.csv.xz", "test.csv.xz", kind="multilabel", label="labels"),
    "reuters": _single(
        "reuters", "macro_f1", "train.csv.xz", "test.csv.xz", kind="multilabel", label="labels", most_classes=10
    ),
}


def task(name: str, data: Path, draw: int = 0) -> Task:
    """Draw a task of up to 2,000 labels, in the order in which smaller sizes take them, and up to 2,000 test texts.

    The test texts are the same in every draw of the labels, unless `new_test` is set.
    """
    of = SETS[name]
    labelled = _table(data / of.train)
    test_draw = (draw,) if of.new_test else ()
    drawn = child(0, "specialists", name, *test_draw).permutation(len(labelled))
    if of.test is None:
        tested = min(of.tested, len(labelled) // 3)
        table, test, pool = labelled, drawn[:tested], drawn[tested:]
    else:
        other = _table(data / of.test)
        table = pd.concat([labelled, other], ignore_index=True)
        test = len(labelled) + child(0, "specialists", name, "test").permutation(len(other))[: of.tested]
        pool = drawn
    train = child(0, "specialists", name, draw).permutation(pool)[:MOST]
    labels, classes = _labels(table, of)
    first, *second = (tuple(table[column].astype(str)) for column in of.columns)
    taken = np.concatenate([train, test]).astype(np.int64)
    rows = np.arange(len(taken), dtype=np.int64)
    return Task(
        name=name,
        kind=of.kind,
        examples=Examples(first, second[0] if second else None).take(taken),
        labels=labels[taken],
        classes=classes,
        train=rows[: len(train)],
        test=rows[len(train) :],
        metric=of.metric,
    )


def _table(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, keep_default_na=False, dtype=str)


def _labels(table: pd.DataFrame, of: DataSet) -> tuple[NDArray[Any], tuple[str, ...]]:
    cells = table[of.label]
    if of.kind == "regression":
        return cells.astype(float).to_numpy(), ()
    if of.kind == "multilabel":
        every = cells.str.split()
        counts = every.explode().value_counts()
        classes = tuple(sorted(counts.index[: of.most_classes]))
        return np.array([[label in own for label in classes] for own in every.map(set)]), classes
    classes = tuple(sorted(set(cells)))
    return cells.map({label: number for number, label in enumerate(classes)}).to_numpy(np.int64), classes


def rows_of(of_set: Task, labels: int) -> Rows:
    """Return the first `labels` rows of the draw."""
    return of_set.train[:labels]
