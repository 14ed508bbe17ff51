"""Read the training rows of sentence vectors, and the dev rows by which the best step is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, some_of
from wordworth.tasks.reading.parse_numbers_with_units import are_amounts
from wordworth.tasks.reading.sentence_rows import (
    Floats,
    SentenceColumns,
    SentenceRows,
    holds_scores,
    read_sentences,
    sentences_of,
    single_texts,
    with_positives,
)
from wordworth.text.file_formats.read import read_rows
from wordworth.training.sentences.hard_negatives import with_hard_negatives
from wordworth.training.sentences.losses.base import SentenceLoss
from wordworth.training.sentences.settings import SentenceTrainingSettings

LEAST_ROWS, LEAST_DEV, _MOST_DEV = 2, 20, 1_000


@dataclass(frozen=True, slots=True)
class SentenceData:
    """The training rows and the dev rows for training a sentence encoder.

    Attributes:
        train: the training rows.
        dev: the rows by which the best step is chosen; None without dev rows.
        scores: float64 [dev rows], gold scores with which cosines of dev rows are compared to choose the best step;
            None if the step with the lowest loss is chosen.
        classes: names of the classes; empty if the loss needs none.
        scale: the number by which scores are divided, so that they lie between -1 and 1.
        notes: findings about the rows.
    """

    train: SentenceRows
    dev: SentenceRows | None
    scores: Floats | None
    classes: tuple[str, ...]
    scale: float
    notes: tuple[Finding, ...]

    def targets(self, rows: SentenceRows, loss: type[SentenceLoss]) -> Tensor | None:
        """Return the targets that a loss needs besides the texts of rows: classes, scores from -1 to 1, or None.

        Args:
            rows: the rows.
            loss: the class of the loss.

        Returns:
            int64 [rows], float32 [rows], or None.

        Raises:
            BadInput: a row has a class that the training rows lack.
        """
        if loss.target == "score":
            return torch.from_numpy((rows.scores / self.scale).astype(np.float32))
        if loss.target in {"none", "vector"}:
            return None
        number = {name: index for index, name in enumerate(self.classes)}
        labels = rows.labels
        unknown = next((row for row, label in enumerate(labels) if label not in number), None)
        if unknown is not None:
            what = f"the label {labels[unknown]!r:.60} is none of the training rows"
            raise BadInput(what, where=rows.table.where(unknown), mend="remove such rows")
        return torch.tensor([number[label] for label in labels])


def read_data(
    path: Path, settings: SentenceTrainingSettings, loss: type[SentenceLoss], progress: Progress = SILENT
) -> SentenceData:
    """Read the training rows and the dev file, if any; find hard negatives if the settings say so.

    Args:
        path: the file of training rows.
        settings: the settings of the training.
        loss: the loss of the training.
        progress: receives the progress of finding hard negatives.

    Raises:
        BadInput: a file cannot be read, or lacks what the loss needs.
    """
    columns = SentenceColumns(**{name: getattr(settings, name) for name in ("text", "text_b", "text_c", "label")})
    of_teacher = loss.target == "vector"
    read = single_texts(path, settings.text) if of_teacher else read_sentences(path, columns)
    rows = _fitting(read, settings, loss)
    if settings.dev_file is None:
        train, dev = _split(rows, settings.dev_share or 0.0, settings.seed)
        scores = dev.scores if dev is not None and loss.target == "score" else None
    else:
        # the column of texts to learn from says nothing of the pairs of a dev file
        train, dev = rows, _read_dev(settings.dev_file, SentenceColumns() if of_teacher else columns)
        scores = _gold_scores(dev, train, settings, loss)
        dev = dev if scores is not None else _fitting(dev, settings, loss)
    if settings.negatives_from is not None:
        train = _complete(with_hard_negatives(train, settings.negatives_from, progress), settings, loss)
        if dev is not None and scores is None:
            dev = _complete(with_hard_negatives(dev, settings.negatives_from, progress), settings, loss)
    if len(train) < LEAST_ROWS:
        what = f"{count_of(len(train), 'row is', 'rows are')} left to learn from"
        raise BadInput(what, where=rows.table.path, mend="give more rows: a batch compares at least two")
    if loss.least_rows > 1:
        _require_negatives(train)
        if dev is not None and scores is None:
            _require_negatives(dev)
    classes = _classes(train) if loss.target == "class" else ()
    scale = _scale(rows) if loss.target == "score" else 1.0
    return SentenceData(train, dev, scores, classes, scale, (*train.notes, *_scaled(rows, scale)))


def _fitting(rows: SentenceRows, settings: SentenceTrainingSettings, loss: type[SentenceLoss]) -> SentenceRows:
    """Return the rows that a loss learns from.

    For a loss without targets, these are the rows whose label says that their texts are alike (`with_positives`). If
    the loss needs a third text and no hard negatives are to be found, only those of them that have one are returned.
    """
    if loss.target != "none":
        return rows
    alike = with_positives(rows, settings.positive)
    return alike if settings.negatives_from is not None else _complete(alike, settings, loss)


def _complete(rows: SentenceRows, settings: SentenceTrainingSettings, loss: type[SentenceLoss]) -> SentenceRows:
    """Return the rows with a third text, for a loss that needs one; else all rows."""
    if not loss.third:
        return rows
    whole = [row for row, third in enumerate(rows.third) if third]
    if not whole:
        what = f"the loss {settings.loss} needs a third text in each row, one that the first is unlike"
        mend = "name its column with --text-c, have such texts found with --negatives-from, or choose --loss ranking"
        raise BadInput(what, where=rows.table.path, mend=mend)
    if len(whole) == len(rows):
        return rows
    left_out = len(rows) - len(whole)
    lacking = ("rows has no third text and is left out", "rows have no third text and are left out")
    text = some_of(left_out, len(rows), *lacking)
    note = Finding("warning.no_third", f"{text}.", {"rows": left_out, "of": len(rows)})
    return replace(rows.take(whole), notes=(*rows.notes, note))


def _read_dev(dev_file: str, columns: SentenceColumns) -> SentenceRows:
    """Read a dev file; a column that the user named but the file lacks is replaced by one that is guessed."""
    table = read_rows(dev_file)
    named = {role: name if name in table.columns else None for role, name in asdict(columns).items()}
    return sentences_of(table, SentenceColumns(**named))


def _gold_scores(
    dev: SentenceRows, train: SentenceRows, settings: SentenceTrainingSettings, loss: type[SentenceLoss]
) -> Floats | None:
    """Return the gold scores of dev rows, float64 [rows]; None if their labels are classes.

    Classes may be written as numbers, such as 0 to 2 in NLI.
    """
    if loss.target == "class" and set(dev.labels) <= set(train.labels):
        return None
    if loss.target == "none" and settings.positive is not None and settings.positive in dev.labels:
        return None
    return dev.scores if holds_scores(dev) else None


def _split(rows: SentenceRows, share: float, seed: int) -> tuple[SentenceRows, SentenceRows | None]:
    """Split rows at random into (training rows, dev rows); no first text is in both.

    There are no dev rows (None) if too few would be left for either part.
    """
    wanted = min(_MOST_DEV, round(share * len(rows)))
    if wanted < LEAST_DEV:
        return rows, None
    _, text = np.unique(np.array(rows.first, dtype=object).astype(str), return_inverse=True)
    order = seeds.child(seed, "dev").permutation(int(text.max()) + 1)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    by_text = np.argsort(rank[text], kind="stable")
    last = rank[text][by_text[wanted - 1]]
    is_dev = rank[text] <= last
    if is_dev.all():
        return rows, None
    return rows.take(np.flatnonzero(~is_dev)), rows.take(np.flatnonzero(is_dev))


def _require_negatives(rows: SentenceRows) -> None:
    """Refuse rows none of which has a negative, by the rule of `RankingLoss`.

    A negative of a row is a second or third text of any row that is neither the row's first text nor the second text of
    a row with the same first text.
    """
    candidates = {*rows.second, *rows.third} - {""}
    excluded: dict[str, set[str]] = {}
    for first, second in zip(rows.first, rows.second, strict=True):
        excluded.setdefault(first, {first}).add(second)
    if all(candidates <= own for own in excluded.values()):
        what = "no row has a negative: every second text belongs to every first text, so there is nothing to learn"
        raise BadInput(what, where=rows.table.path, mend="give rows of other texts, or third texts with --text-c")


def _classes(rows: SentenceRows) -> tuple[str, ...]:
    """Return the distinct labels of rows, sorted, as the classes.

    Raises:
        BadInput: there is one label only, or the labels are scores.
    """
    classes = tuple(sorted(set(rows.labels)))
    if len(classes) == 1:
        what = f"every row has the label {classes[0]!r:.60}: there is nothing to tell apart"
        raise BadInput(what, where=rows.table.path, mend="give rows of two or more labels, or --loss ranking")
    if are_amounts(classes):
        what = f"{rows.label!r} holds scores, and this loss learns from classes"
        raise BadInput(what, where=rows.table.path, mend="choose --loss cosine, which learns from scores")
    return classes


def _scale(rows: SentenceRows) -> float:
    """Return the number by which scores are divided to be cosines: 1 if none is above 1, else the highest score.

    Raises:
        BadInput: scores are below -1, some are below 0 and others above 1, or all are equal.
    """
    scores = rows.scores
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        what = f"every row has the score {high:g}: there is nothing to learn"
        raise BadInput(what, where=rows.table.path, mend="name another column with --label")
    if low < -1 or (low < 0 and high > 1):
        what = f"scores from {low:g} to {high:g} are not on the scale of a cosine"
        raise BadInput(what, where=rows.table.path, mend="give scores from 0 up, or from -1 to 1")
    return max(1.0, high)


def _scaled(rows: SentenceRows, scale: float) -> Iterator[Finding]:
    """Yield a finding on the number by which scores are divided, and a warning if it is over twice any other score.

    Nothing is yielded if the number is 1.
    """
    if scale == 1:
        return
    yield Finding("method.scale", f"Scores are divided by {scale:g}, the highest of them.", {"scale": scale})
    scores = rows.scores
    row = int(scores.argmax())
    next_highest = float(np.delete(scores, row).max())
    if 2 * next_highest < scale:
        where = rows.table.position(row)
        text = f"The score {scale:.12g} ({where}) is more than twice any other: divided by it, all others are at most "
        yield Finding("warning.scale", f"{text}{next_highest / scale:.2g}.", {"scale": scale, "next": next_highest})
