"""Split a task read from files: choose the rows to use, and which of them are training, dev and test rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import some_of
from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.group_split import hold_out_groups
from wordworth.tasks.labels import Integers, strata, take
from wordworth.tasks.reading.group_column import group_findings, group_folds
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.reading.settings import ReadSettings, part_to_test
from wordworth.tasks.reading.split_by_time import SMALLER_TEST_SHARE, Times
from wordworth.tasks.reading.unseen_classes import TrainingClasses
from wordworth.tasks.stratified_split import (
    LEAST_TEST,
    MOST_TEST,
    USUAL_SHARE,
    fold,
    rows_to_test,
    sample,
    split_groups,
    stratified_group_split,
)
from wordworth.tasks.task import Rows, Task

LEAST_PART = 10
MOST_TESTED = 20_000
"""Maximal number of rows read from a test file; more would hardly narrow an interval, and take long to encode."""
LEAST_GROUPS = 20
"""Minimal number of documents or first texts to draw a test part from; with fewer, it would depend too much on
chance."""


def split_task(whole: Task, rows: LabelledRows, settings: ReadSettings) -> tuple[Task, LabelledRows]:
    """Split a task over all rows of its files.

    Args:
        whole: the task over all rows, without a split.
        rows: the rows of the task's files.
        settings: the settings of reading, which give the test part, the limit of rows, the seed, and whether unusable
            rows are skipped.

    Returns:
        (task, rows): the task over the rows that are used, with findings about the split and still without a metric;
        and the rows that are used.

    Raises:
        BadInput: a part has too few rows, has only one label, shares too many texts with the other part, or has too
            many rows of classes that the training part lacks.
    """
    cross_fitted = settings.folds > 0 and settings.test is None and settings.time is None
    parts = _folds(whole, rows, settings) if cross_fitted else _train_and_test(whole, rows, settings)
    train, test = parts.train, parts.test
    for learned in parts.trained:
        _check_labels(whole, rows, learned, train)
    classes, skip = TrainingClasses.of(whole, train), settings.skip_unusable
    usable_test, test_notes = classes.usable(test, "test", rows, skip=skip)
    _check_sizes(whole, rows, settings, (train, usable_test))
    dev, dev_notes = classes.usable(np.array(rows.dev, dtype=np.int64), "dev", rows, skip=skip)
    used = np.union1d(np.union1d(train, usable_test), dev)
    task = _restricted(classes.restricted(), used, train, usable_test, dev if "dev" in rows.parts else None)
    task = replace(task, folds=tuple(np.searchsorted(used, fold) for fold in parts.folds))
    findings = (
        *_split_findings(task, rows, len(np.union1d(train, test)), parts),
        *_sampled_test(rows, test),
        *test_notes,
        *dev_notes,
        *dev_shared(task),
        *group_findings(task, settings.group),
        *(() if parts.times is None else (parts.times.finding(train, usable_test),)),
        *parts.notes,
    )
    return replace(task, warnings=findings), rows.without(np.setdiff1d(np.arange(len(rows)), used).tolist())


@dataclass(frozen=True, slots=True)
class _Parts:
    """A split of the rows of a task into a training and a test part, or into folds.

    Attributes:
        train, test: int64, the row indices of each part; with folds, all rows that are used.
        separated: nouns for groupings of the rows (`document`, `text`). No group of the first grouping is in several
            parts. Groups of the other groupings should not be either, but are.
        folds: the row indices of each fold, int64; empty without folds.
        times: the times of all rows, if the rows were split by time; else None.
        notes: warnings about the split.
    """

    train: Rows
    test: Rows
    separated: tuple[str, ...] = ()
    folds: tuple[Rows, ...] = ()
    times: Times | None = None
    notes: tuple[Finding, ...] = ()

    @property
    def trained(self) -> tuple[Rows, ...]:
        """The rows that the models of each fold learn from; the training part where there are no folds."""
        return tuple(np.setdiff1d(self.train, fold) for fold in self.folds) or (self.train,)


def _folds(whole: Task, rows: LabelledRows, settings: ReadSettings) -> _Parts:
    """Divide the rows that are used into folds."""
    stratum, separated, folds = strata(whole.labels), tuple[str, ...](), tuple[Rows, ...]()
    count = rows.dev.start
    drawn = sample(np.arange(count), stratum, settings.limit or count, seeds.child(settings.seed, "sample"))
    if settings.group is not None:
        group = np.array(whole.examples.groups)[drawn]
        folds = group_folds(group, stratum[drawn], settings, rows.tables[0].path)
        return _Parts(drawn, drawn, (repr(settings.group),), tuple(drawn[part] for part in folds))
    for name, group in split_groups(whole.examples.take(drawn)):
        folds = fold(group, stratum[drawn], settings.folds, seeds.child(settings.seed, "folds"))
        separated = (name, *separated)
        expected = len(drawn) / settings.folds
        if all(_is_usable_split(group, len(part), expected) for part in folds):
            break
    if not all(map(len, folds)):
        raise _too_few_texts(whole, drawn, rows.tables[0].path, settings)
    return _Parts(drawn, drawn, separated, tuple(drawn[part] for part in folds))


def _too_few_texts(whole: Task, drawn: Rows, path: str, settings: ReadSettings) -> BadInput:
    """Return the error for rows that do not fill the folds; equal texts are in the same fold."""
    _, by_text = split_groups(whole.examples.take(drawn))[-1]
    distinct = len(np.unique(by_text))
    column = "".join(f" of column {name!r}" for name in whole.columns[:1])
    what = f"{len(drawn)} rows with {distinct} different texts{column} are too few for {settings.folds} folds"
    mend = "give fewer --seeds, name a test part with --test, or name the column of the texts with --text"
    return BadInput(what, where=path, mend=mend)


def _train_and_test(whole: Task, rows: LabelledRows, settings: ReadSettings) -> _Parts:
    """Divide the rows that are used into a training and a test part."""
    labelled_rows, first = rows.dev.start, len(rows.tables[0])
    stratum, rng = strata(whole.labels), seeds.child(settings.seed, "sample")
    limit = settings.limit or labelled_rows
    if rows.test_table is not None:
        train = sample(np.arange(first), stratum, limit, rng)
        return _Parts(train, sample(np.arange(first, labelled_rows), stratum, MOST_TESTED, rng))
    drawn = sample(np.arange(labelled_rows), stratum, limit, rng)
    _, share = part_to_test(settings)
    count = round(share * len(drawn)) if share else rows_to_test(len(drawn), settings.test_share)
    notes = () if share else _another_share(len(drawn), count, settings.test_share)
    labels, separated = take(whole.labels, drawn), tuple[str, ...]()
    if (times := Times.of(rows)) is not None:
        train, test = times.split(drawn, count)
        return _Parts(train, test, times=times, notes=(*times.uneven(drawn, test, count), *notes))
    if settings.group is not None:
        group = np.array(whole.examples.groups)[drawn]
        rng = seeds.child(settings.seed, "split")
        train, test = hold_out_groups(group, labels, stratum[drawn], count / len(drawn), rng)
        return _Parts(drawn[train], drawn[test], (repr(settings.group),), notes=notes)
    for name, group in split_groups(whole.examples.take(drawn)):
        train, test = stratified_group_split(group, labels, stratum[drawn], count, seeds.child(settings.seed, "split"))
        separated = (name, *separated)
        if _is_usable_split(group, len(test), count):
            break
    return _Parts(drawn[train], drawn[test], separated, notes=notes)


def _another_share(rows: int, count: int, share: float | None) -> tuple[Finding, ...]:
    """Return a finding if the number of test rows is not the requested share, which the limits on it explain.

    Args:
        rows: number of rows that are split.
        count: number of test rows.
        share: the requested share of test rows; None is the usual share.
    """
    expected = round((share or USUAL_SHARE) * rows)
    if count == expected:
        return ()
    text = (
        f"{count:,} of {rows:,} rows are tested on, and not {expected:,}: a test part has {LEAST_TEST} to "
        f"{MOST_TEST:,} rows, but no more than two fifths of all."
    )
    return (Finding("method.test_share", text, {"test": count, "rows": rows, "expected": expected}),)


def _is_usable_split(group: Integers, tested: int, count: float) -> bool:
    """Return whether there are enough groups to draw from, and `tested` test rows are about the requested `count`."""
    return group.max() + 1 >= LEAST_GROUPS and count / 2 <= tested <= 2 * count


def _restricted(task: Task, used: Rows, train: Rows, test: Rows, dev: Rows | None) -> Task:
    """Return the task over some of its rows, with a split.

    Args:
        task: the task over all rows.
        used: int64, the indices of the rows to keep, ascending, among them all of `train`, `test` and `dev`.
        train: int64, the indices of the training rows in `task`.
        test: int64, the indices of the test rows in `task`.
        dev: int64, the indices of the dev rows in `task`, or None.
    """
    return replace(
        task,
        examples=task.examples.take(used),
        labels=take(task.labels, used),
        train=np.searchsorted(used, train),
        test=np.searchsorted(used, test),
        dev=None if dev is None else np.searchsorted(used, dev),
        numbers=None if task.numbers is None else task.numbers[used],
    )


def _split_findings(task: Task, rows: LabelledRows, used: int, parts: _Parts) -> tuple[Finding, ...]:
    labelled_rows, separated = rows.dev.start, parts.separated
    numbers = {"train": len(task.train), "test": len(task.test), "file_rows": labelled_rows}
    drawn = "drawn by class" if task.type.multiclass else "drawn"
    how = f"{drawn} from the seed, no {separated[0]} in both parts" if separated else "in a separate file"
    if parts.times is not None:
        how = f"the latest by {parts.times.column!r}"
    text = f"{len(task.train):,} rows for training and {len(task.test):,} for testing, {how}."
    if task.folds:
        text = (
            f"{len(task.test):,} rows in {len(task.folds)} folds, {drawn} from the seed, no {separated[0]} in two: "
            "models that learned from the other folds predict each fold, so that every row is a test row."
        )
        numbers |= {"train": min(len(train) for train, _ in task.splits), "folds": len(task.folds)}
    findings = (
        Finding("method.split", text, numbers),
        *_shared_groups(separated[1:]),
        *(_shared_first_texts(task) if not separated or task.examples.groups is not None else ()),
    )
    return (*findings, *_limited(task, rows, used, drawn))


def _limited(task: Task, rows: LabelledRows, used: int, drawn: str) -> tuple[Finding, ...]:
    """Return a warning if only a sample of the rows was used (with a test file: of the training rows).

    Args:
        task: the task of the rows that were used.
        rows: all labelled rows.
        used: number of rows that were used.
        drawn: how the sample was drawn, in words.
    """
    labelled_rows, learned = rows.dev.start, len(task.train)
    if rows.test_table is None:
        text, numbers, is_limited = f"{used:,} of {labelled_rows:,} rows", {}, used < labelled_rows
    else:
        labelled = len(rows.tables[0])
        text, numbers = f"{learned:,} of {labelled:,} rows to learn from", {"learned": learned}
        is_limited = learned < labelled
    if not is_limited:
        return ()
    text = f"{text} were used, {drawn} at random."
    return (Finding("warning.limit", text, {"used": used, "file_rows": labelled_rows} | numbers),)


def dev_shared(task: Task) -> tuple[Finding, ...]:
    """Return warnings about texts of a dev file that are also in the training or the test part."""
    if task.dev is None:
        return ()
    group_of, findings = groups(plain(task.examples)), []
    for name, rows, effect in (
        ("training", task.train, "model selection may favour runs that memorised them"),
        ("test", task.test, "models are selected on test texts, so that the score may be too high"),
    ):
        if known := int(np.isin(group_of[task.dev], group_of[rows]).sum()):
            which = some_of(known, len(task.dev), "texts of the dev file is", "texts of the dev file are")
            text = f"{which} also in the {name} part: {effect}."
            findings.append(Finding(f"warning.dev_in_{name}", text, {"rows": known, "dev": len(task.dev)}))
    return tuple(findings)


def _sampled_test(rows: LabelledRows, test: Rows) -> tuple[Finding, ...]:
    """Return a warning if only a sample of the test file's rows, `test`, is used: it makes intervals wider."""
    if rows.test_table is None or len(test) == len(rows.test_table):
        return ()
    whole = len(rows.test_table)
    wider = math.sqrt(whole / len(test))
    text = (
        f"{len(test):,} of the test file's {whole:,} rows were used, drawn at random: intervals are about {wider:.1f} "
        "times as wide as all of them would make them."
    )
    return (Finding("warning.test_rows", text, {"used": len(test), "file_rows": whole, "wider": round(wider, 2)}),)


def _shared_groups(names: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return a warning for each grouping, named by a noun such as `document`, with groups in both parts."""
    why = "are too few to hold some out, and are in both parts: scores on new ones may be lower."
    return tuple(Finding(f"warning.shared_{name.replace(' ', '_')}s", f"The {name}s {why}") for name in names)


def _shared_first_texts(task: Task) -> tuple[Finding, ...]:
    """Return a warning if test pairs have a first text that training pairs have too; else nothing."""
    if task.examples.second is None:
        return ()
    firsts = groups(plain(replace(task.examples, second=None)))
    wording = SharedWording(
        "first_texts", "pairs", "test pairs has a first text that is", "test pairs have a first text that is"
    )
    return shared_with_train_warning(firsts, task.splits, wording)


class SharedWording(NamedTuple):
    """The words of a warning about test rows that belong to the same group as training rows.

    Attributes:
        groups: a plural noun for the groups, which ends the name of the warning (`warning.shared_<noun>`).
        rows: a plural noun for the test rows, the key of their number in the finding.
        singular: the beginning of the warning's sentence for one such row.
        plural: the beginning of the warning's sentence for several such rows.
    """

    groups: str
    rows: str
    singular: str
    plural: str


def shared_with_train_warning(
    group: Integers, splits: Sequence[tuple[Rows, Rows]], wording: SharedWording
) -> tuple[Finding, ...]:
    """Return a warning if test rows belong to the same group (such as a context) as training rows; else nothing.

    Args:
        group: int64 [rows], the group of each row.
        splits: (training rows, test rows) of the split, or of each fold, int64 [n] each.
        wording: the words of the warning.
    """
    known = sum(int(np.isin(group[test], group[train]).sum()) for train, test in splits)
    which = some_of(known, sum(len(test) for _, test in splits), wording.singular, wording.plural)
    text = f"{which} in the training part too: the score may be too high for new texts."
    return (Finding(f"warning.shared_{wording.groups}", text, {wording.rows: known}),) if known else ()


def _check_sizes(whole: Task, rows: LabelledRows, settings: ReadSettings, parts: tuple[Rows, Rows]) -> None:
    train_file, labelled_rows = rows.tables[0], rows.dev.start
    for name, part, table in zip(("training", "test"), parts, (train_file, rows.test_table or train_file), strict=True):
        if len(part) < min(LEAST_PART, 2 * min(labelled_rows, settings.limit or labelled_rows) // 5):
            mend = "add rows of texts that differ, or choose another --test"
            raise BadInput(f"only {len(part)} rows in the {name} part", where=table.path, mend=mend)
    if rows.test_table is not None:
        _check_new(whole, rows.test_table.path, *parts)


def _check_new(whole: Task, path: str, train: Rows, test: Rows) -> None:
    """Refuse a test file with too few texts that the training part lacks: scores on the other texts are memory."""
    texts = plain(whole.examples)
    learned = {texts[row] for row in train}
    new = sum(texts[row] not in learned for row in test)
    if new < max(min(LEAST_PART, len(test)), len(test) / 2):
        which = "all of its" if not new else f"all but {new} of its"
        what = f"{which} {len(test):,} texts are in the training part too, so that scores on it would be memory"
        mend = "give --test a file with other texts, or leave it out to hold out a part of the rows"
        raise BadInput(what, where=path, mend=mend)


def _check_labels(whole: Task, rows: LabelledRows, train: Rows, used: Rows) -> None:
    """Refuse training rows that all have the same label; `used` are the training rows of all folds together."""
    labels = take(whole.labels, train)
    if not isinstance(labels, np.ndarray) or (labels != labels[0]).any():
        return
    what, mend = "the training part has only one label", "add rows of a second class to it"
    other = (np.asarray(take(whole.labels, used)) != labels[0]).reshape(len(used), -1).any(axis=1)
    if rows.columns.time is not None:
        mend = SMALLER_TEST_SHARE
    elif others := int(other[~np.isin(used, train)].sum()):
        what = (
            f"only {some_of(others, len(used), 'rows used has', 'rows used have')} another label than the rest, all in "
            "one fold: without it there is only one label to learn from"
        )
        mend = f"add rows of a second class{', or use more rows with --limit' if len(used) < rows.dev.start else ''}"
    raise BadInput(what, where=rows.tables[0].path, mend=mend)
