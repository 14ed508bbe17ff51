"""Parting a sheet: which rows are used, which to learn from and which to test on."""

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
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.text.tables.table import TextTable

LEAST_PART = 10
MOST_TESTED = 20_000
"""Rows of a test file that are read: more would narrow no interval that matters, and take long to encode."""
LEAST_GROUPS = 20
"""Documents or first texts to draw a test part from; of fewer, chance would decide what is tested."""


@dataclass(frozen=True, slots=True)
class SplitSpec:
    """All rows before they are parted, and how to part them.

    Attributes:
        sheet: the training file, then a test file and a dev file where there are such.
        share: the share to test on that the user asked for, taken as it is.
        test_share: the share otherwise, kept within bounds.
        limit: use at most so many rows; with a test file, learn from at most so many of the others.
        skip: leave out test rows of classes that training lacks, however many, rather than refuse the file.
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
        """How many rows are parted: all but those of a dev file."""
        return len(self.sheet) - (len(self.sheet.tables[-1]) if self.dev else 0)

    @property
    def test_file(self) -> TextTable | None:
        """The test file; None where a share of the rows is tested on."""
        return self.sheet.tables[1] if len(self.sheet.tables) > 1 + self.dev else None

    def part(self) -> tuple[Rows, Rows, tuple[str, ...]]:
        """Training and test rows, numbered as in the sheet; what is not in both, then what should not be but is."""
        n, first = self.rows, len(self.sheet.tables[0])
        layers = strata(self.labelled.labels)
        rng = seeds.child(self.seed, "sample")
        limit = self.limit or n
        if self.test_file is not None:
            train = sample(np.arange(first), layers, limit, rng)
            return train, sample(np.arange(first, n), layers, MOST_TESTED, rng), ()
        rows = sample(np.arange(n), layers, limit, rng)
        count, inside = self._test_rows(len(rows)), take(self.labelled.labels, rows)
        apart: tuple[str, ...] = ()
        for name, group in split_groups(self.examples.take(rows)):
            train, test = split(group, inside, layers[rows], count, seeds.child(self.seed, "split"))
            apart = (name, *apart)
            if _is_choice(group, len(test), count):
                break
        return rows[train], rows[test], apart

    def _test_rows(self, rows: int) -> int:
        return round(self.share * rows) if self.share else rows_to_test(rows, self.test_share)


def _is_choice(group: Integers, tested: int, count: int) -> bool:
    """Whether there are groups enough to draw from, and a test part of about that size came of them."""
    return group.max() + 1 >= LEAST_GROUPS and count / 2 <= tested <= 2 * count


def make_task(name: str, kind: Kind, parts: SplitSpec) -> tuple[Draft, tuple[Finding, ...]]:
    """The task without its metric, over the rows that are used, and what was left out."""
    train, test, apart = parts.part()
    _check_labels(parts, train)
    labelled, kept, noted = restrict(parts.sheet, parts.labelled, (train, test), skip=parts.skip)
    _check(parts, train, kept)
    _, dev, said = restrict(
        parts.sheet, parts.labelled, (train, np.arange(parts.rows, len(parts.sheet))), skip=parts.skip, part="dev"
    )
    rows = np.union1d(np.union1d(train, kept), dev)
    task = Task(
        name=name,
        kind=kind,
        examples=parts.examples.take(rows),
        labels=take(labelled.labels, rows),
        classes=labelled.classes,
        train=np.searchsorted(rows, train),
        test=np.searchsorted(rows, kept),
        metric="",
        origins=parts.sheet.origins,
        numbers=parts.sheet.numbers[rows],
        columns=parts.sheet.columns.texts,
        dev=np.searchsorted(rows, dev) if parts.dev else None,
    )
    split_how = _split_finding(parts, task, len(train) + len(test), apart)
    return Draft(task, parts.sheet, rows), (*split_how, *_thinned(parts, test), *noted, *said, *dev_shared(task))


def _split_finding(parts: SplitSpec, task: Task, used: int, apart: tuple[str, ...]) -> tuple[Finding, ...]:
    numbers = {"train": len(task.train), "test": len(task.test), "file_rows": parts.rows}
    drawn = "drawn by class" if task.kind in {"single", "pair"} else "drawn"
    how = f"{drawn} from the seed, no {apart[0]} in both parts" if apart else "in a file of its own"
    text = f"{len(task.train):,} rows to learn from and {len(task.test):,} to test on, {how}."
    found = (Finding("method.split", text, numbers), *_shared(apart[1:]), *(() if apart else _known(task)))
    if used == parts.rows:
        return found
    limit = f"{used:,} of {parts.rows:,} rows were used, {drawn} at random."
    return (*found, Finding("warning.limit", limit, {"used": used, "file_rows": parts.rows}))


def dev_shared(task: Task) -> tuple[Finding, ...]:
    """Warnings where texts of a dev file are learned from, or are tested on."""
    if task.dev is None:
        return ()
    of, found = groups(plain(task.examples)), []
    for name, rows, effect in (
        ("training", task.train, "choices may favour runs that know them by heart"),
        ("test", task.test, "choices are made on what is tested, so that the score may promise too much"),
    ):
        if known := int(np.isin(of[task.dev], of[rows]).sum()):
            text = f"{known:,} of {len(task.dev):,} texts of the dev file stand in the {name} part too: {effect}."
            found.append(Finding(f"warning.dev_in_{name}", text, {"rows": known, "dev": len(task.dev)}))
    return tuple(found)


def _thinned(parts: SplitSpec, test: Rows) -> tuple[Finding, ...]:
    """A warning where a test file was too long to be read whole, with what that costs."""
    if parts.test_file is None or len(test) == len(parts.test_file):
        return ()
    whole = len(parts.test_file)
    wider = math.sqrt(whole / len(test))
    text = (
        f"{len(test):,} of the test file's {whole:,} rows were used, drawn at random: intervals are about {wider:.1f} "
        "times as wide as all of them would make them."
    )
    return (Finding("warning.test_rows", text, {"used": len(test), "file_rows": whole, "wider": round(wider, 2)}),)


def _shared(names: tuple[str, ...]) -> tuple[Finding, ...]:
    """A warning where what hangs together could not be kept in one part."""
    why = "are too few to hold some out, and stand in both parts: scores may promise too much of new ones."
    return tuple(Finding(f"warning.shared_{name.replace(' ', '_')}s", f"The {name}s {why}") for name in names)


def _known(task: Task) -> tuple[Finding, ...]:
    """A warning where pairs of a test file have first texts that are learned from."""
    if task.examples.second is None:
        return ()
    (_, firsts), _ = split_groups(task.examples)
    return shared_with_train_warning(
        firsts, task.train, task.test, ("first_texts", "pairs", "have a first text that is")
    )


def shared_with_train_warning(of: Integers, train: Rows, test: Rows, said: tuple[str, str, str]) -> tuple[Finding, ...]:
    """A warning where what test rows hang by is learned from too.

    Args:
        of: int64 [rows], the number of what each hangs by.
        train: rows to learn from.
        test: rows to test on.
        said: what that is called, what rows are called, and how they hang by it.
    """
    (name, rows, how), known = said, int(np.isin(of[test], of[train]).sum())
    text = (
        f"{known:,} of {len(test):,} test {rows} {how} learned from too: the score may promise too much of texts that "
        "are new."
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
    """A test file must have texts that are not learned from: of others every score is memory."""
    texts = plain(parts.examples)
    learned = {texts[row] for row in train}
    new = sum(texts[row] not in learned for row in test)
    if new < max(min(LEAST_PART, len(test)), len(test) / 2):
        which = "all of its" if not new else f"all but {new} of its"
        what = f"{which} {len(test):,} texts stand in the training part too, so that scores on it would be memory"
        mend = "give --test a file of other texts, or leave it out: a part of the rows is then held out"
        raise BadInput(what, where=parts.sheet.tables[1].path, mend=mend)


def _check_labels(parts: SplitSpec, train: Rows) -> None:
    labels = take(parts.labelled.labels, train)
    if isinstance(labels, np.ndarray) and (labels == labels[0]).all():
        what = "the training part has one label only"
        raise BadInput(what, where=parts.sheet.tables[0].path, mend="add rows of a second class to it")
