"""Split the rows of a file: which are used, which to learn from and which to test on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.draft import Draft
from wordworth.tasks.labels import Integers, Labelled, strata, take
from wordworth.tasks.reading.example_groups import split_groups
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.reading.unseen_classes import restrict
from wordworth.tasks.split import rows_to_test, sample, split
from wordworth.tasks.task import Examples, Rows, Task
from wordworth.tasks.task_types import TaskType
from wordworth.text.file_formats.table import TextTable

LEAST_PART = 10
MOST_TESTED = 20_000
"""Most rows read of a test file: more would narrow no interval that matters, and take long to encode."""
LEAST_GROUPS = 20
"""Fewest documents or first texts to draw a test part from: with fewer, chance would decide what is tested."""


@dataclass(frozen=True, slots=True)
class SplitSpec:
    """All rows before the split, and how to split them.

    Attributes:
        sheet: the training file, then a test file and a dev file if there are any.
        examples: the inputs of all rows.
        labelled: the labels of all rows.
        share: the share to test on that the user requested, used as it is.
        test_share: the share otherwise, kept within bounds.
        limit: use at most this many rows; with a test file, learn from at most this many of the others.
        seed: decides the sample and the split.
        skip: skip test rows of classes that training lacks, however many, instead of refusing the file.
        dev: whether the last table is a dev file.
    """

    sheet: LabelledRows
    examples: Examples
    labelled: Labelled
    share: float | None
    test_share: float
    limit: int | None
    seed: int
    skip: bool = False
    dev: bool = False

    @property
    def rows(self) -> int:
        """Number of rows to split: all but those of a dev file."""
        return len(self.sheet) - (len(self.sheet.tables[-1]) if self.dev else 0)

    @property
    def test_file(self) -> TextTable | None:
        """The test file; None where a share of the rows is used for testing."""
        return self.sheet.tables[1] if len(self.sheet.tables) > 1 + self.dev else None

    def part(self) -> tuple[Rows, Rows, tuple[str, ...]]:
        """Split the rows of the sheet into training and test rows.

        Returns:
            Training rows, test rows, and names of groups (documents, texts): first the kind that is kept apart, then
            those that should be but are in both parts.
        """
        labelled_rows, first = self.rows, len(self.sheet.tables[0])
        stratum = strata(self.labelled.labels)
        rng = seeds.child(self.seed, "sample")
        limit = self.limit or labelled_rows
        if self.test_file is not None:
            train = sample(np.arange(first), stratum, limit, rng)
            return train, sample(np.arange(first, labelled_rows), stratum, MOST_TESTED, rng), ()
        rows = sample(np.arange(labelled_rows), stratum, limit, rng)
        count, used_labels = self._test_rows(len(rows)), take(self.labelled.labels, rows)
        separated: tuple[str, ...] = ()
        for name, group in split_groups(self.examples.take(rows)):
            train, test = split(group, used_labels, stratum[rows], count, seeds.child(self.seed, "split"))
            separated = (name, *separated)
            if _is_usable_split(group, len(test), count):
                break
        return rows[train], rows[test], separated

    def _test_rows(self, rows: int) -> int:
        return round(self.share * rows) if self.share else rows_to_test(rows, self.test_share)


def _is_usable_split(group: Integers, tested: int, count: int) -> bool:
    """Whether there are enough groups to draw from, and the test part has about the requested size."""
    return group.max() + 1 >= LEAST_GROUPS and count / 2 <= tested <= 2 * count


def make_task(name: str, task_type: TaskType, parts: SplitSpec) -> tuple[Draft, tuple[Finding, ...]]:
    """The task over the rows that are used, still without a metric, and findings about the split."""
    train, test, separated = parts.part()
    _check_labels(parts, train)
    labelled, usable_test, test_notes = restrict(parts.sheet, parts.labelled, (train, test), skip=parts.skip)
    _check(parts, train, usable_test)
    _, dev, dev_notes = restrict(
        parts.sheet, parts.labelled, (train, np.arange(parts.rows, len(parts.sheet))), skip=parts.skip, part="dev"
    )
    rows = np.union1d(np.union1d(train, usable_test), dev)
    task = Task(
        name=name,
        kind=task_type.legacy_name,
        examples=parts.examples.take(rows),
        labels=take(labelled.labels, rows),
        classes=labelled.classes,
        train=np.searchsorted(rows, train),
        test=np.searchsorted(rows, usable_test),
        metric="",
        origins=parts.sheet.origins,
        numbers=parts.sheet.numbers[rows],
        columns=parts.sheet.columns.texts,
        dev=np.searchsorted(rows, dev) if parts.dev else None,
    )
    split_how = _split_finding(parts, task, len(train) + len(test), separated)
    return Draft(task, parts.sheet, rows), (
        *split_how,
        *_sampled_test(parts, test),
        *test_notes,
        *dev_notes,
        *dev_shared(task),
    )


def _split_finding(parts: SplitSpec, task: Task, used: int, separated: tuple[str, ...]) -> tuple[Finding, ...]:
    numbers = {"train": len(task.train), "test": len(task.test), "file_rows": parts.rows}
    drawn = "drawn by class" if task.type.multiclass else "drawn"
    how = f"{drawn} from the seed, no {separated[0]} in both parts" if separated else "in a separate file"
    text = f"{len(task.train):,} rows for training and {len(task.test):,} for testing, {how}."
    findings = (
        Finding("method.split", text, numbers),
        *_shared_groups(separated[1:]),
        *(() if separated else _shared_first_texts(task)),
    )
    if used == parts.rows:
        return findings
    limit = f"{used:,} of {parts.rows:,} rows were used, {drawn} at random."
    return (*findings, Finding("warning.limit", limit, {"used": used, "file_rows": parts.rows}))


def dev_shared(task: Task) -> tuple[Finding, ...]:
    """Warn where texts of a dev file are also in the training or test part."""
    if task.dev is None:
        return ()
    group_of, findings = groups(plain(task.examples)), []
    for name, rows, effect in (
        ("training", task.train, "model selection may favour runs that memorised them"),
        ("test", task.test, "models are selected on test texts, so that the score may be too high"),
    ):
        if known := int(np.isin(group_of[task.dev], group_of[rows]).sum()):
            text = f"{known:,} of {len(task.dev):,} texts of the dev file are also in the {name} part: {effect}."
            findings.append(Finding(f"warning.dev_in_{name}", text, {"rows": known, "dev": len(task.dev)}))
    return tuple(findings)


def _sampled_test(parts: SplitSpec, test: Rows) -> tuple[Finding, ...]:
    """Warn where only a sample of a long test file is used, with what that costs."""
    if parts.test_file is None or len(test) == len(parts.test_file):
        return ()
    whole = len(parts.test_file)
    wider = math.sqrt(whole / len(test))
    text = (
        f"{len(test):,} of the test file's {whole:,} rows were used, drawn at random: intervals are about {wider:.1f} "
        "times as wide as all of them would make them."
    )
    return (Finding("warning.test_rows", text, {"used": len(test), "file_rows": whole, "wider": round(wider, 2)}),)


def _shared_groups(names: tuple[str, ...]) -> tuple[Finding, ...]:
    """Warn where dependent rows could not be kept in one part."""
    why = "are too few to hold some out, and are in both parts: scores on new ones may be lower."
    return tuple(Finding(f"warning.shared_{name.replace(' ', '_')}s", f"The {name}s {why}") for name in names)


def _shared_first_texts(task: Task) -> tuple[Finding, ...]:
    """Warn where pairs of a test file have first texts that are also in the training part."""
    if task.examples.second is None:
        return ()
    (_, firsts), _ = split_groups(task.examples)
    return shared_with_train_warning(
        firsts, task.train, task.test, ("first_texts", "pairs", "have a first text that is")
    )


def shared_with_train_warning(of: Integers, train: Rows, test: Rows, said: tuple[str, str, str]) -> tuple[Finding, ...]:
    """Warn where test rows belong to a group (a context, a first text) that training rows belong to as well.

    Args:
        of: int64 [rows], the group of each row.
        train: training rows.
        test: test rows.
        said: wording: the name of the groups, the name of the rows, and how rows belong to groups.
    """
    (name, rows, how), known = said, int(np.isin(of[test], of[train]).sum())
    text = (
        f"{known:,} of {len(test):,} test {rows} {how} in the training part too: the score may be too high for "
        "new texts."
    )
    return (Finding(f"warning.shared_{name}", text, {rows: known}),) if known else ()


def _check(parts: SplitSpec, train: Rows, test: Rows) -> None:
    train_file = parts.sheet.tables[0]
    for name, rows, table in (("training", train, train_file), ("test", test, parts.test_file or train_file)):
        if len(rows) < min(LEAST_PART, 2 * min(parts.rows, parts.limit or parts.rows) // 5):
            mend = "add rows of texts that differ, or choose another --test"
            what = f"only {len(rows)} rows in the {name} part"
            raise BadInput(what, where=table.path, mend=mend)
    if parts.test_file is not None:
        _check_new(parts, train, test)


def _check_new(parts: SplitSpec, train: Rows, test: Rows) -> None:
    """Refuse a test file without enough texts that are new: on the others every score is memory."""
    texts = plain(parts.examples)
    learned = {texts[row] for row in train}
    new = sum(texts[row] not in learned for row in test)
    if new < max(min(LEAST_PART, len(test)), len(test) / 2):
        which = "all of its" if not new else f"all but {new} of its"
        what = f"{which} {len(test):,} texts are in the training part too, so that scores on it would be memory"
        mend = "give --test a file with other texts, or leave it out to hold out a part of the rows"
        raise BadInput(what, where=parts.sheet.tables[1].path, mend=mend)


def _check_labels(parts: SplitSpec, train: Rows) -> None:
    labels = take(parts.labelled.labels, train)
    if isinstance(labels, np.ndarray) and (labels == labels[0]).all():
        what = "the training part has only one label"
        raise BadInput(what, where=parts.sheet.tables[0].path, mend="add rows of a second class to it")
