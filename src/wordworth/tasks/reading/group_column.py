"""Groups of rows from a column that the user names (authors, patients): read them, make folds, and report on groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.design_effect import effective_groups
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.tasks.checks.duplicates import groups
from wordworth.tasks.group_split import balanced_parts
from wordworth.tasks.labels import Integers
from wordworth.tasks.reading.labelled_rows import LabelledRows, filled_cells, is_no_answer
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Rows, Task

FEW_GROUPS = 20
"""Number of groups in the test part below which intervals over groups come out too narrow; groups that differ in size
count as fewer (Cameron, Gelbach and Miller 2008; Carter, Schnepel and Steigerwald 2017)."""


def with_groups(task: Task, rows: LabelledRows) -> Task:
    """Return the task with the group of each row, from the column that the user named; unchanged without such a column.

    Raises:
        BadInput: a row has no group, all rows have the same group, every row has a group of its own, or two files share
            a group.
    """
    name = rows.columns.group
    if name is None:
        return task
    cells = filled_cells(rows, name)
    _check(rows, name, cells)
    return replace(task, examples=replace(task.examples, groups=tuple(groups(cells).tolist())))


def _check(rows: LabelledRows, name: str, cells: list[str]) -> None:
    different = len(set(cells))
    mend = "name another column with --group, or leave it out"
    if different == 1:
        raise BadInput(f"every row has the same {name!r}: it is one group", where=rows.tables[0].path, mend=mend)
    if different == len(cells):
        what = f"every row has its own {name!r}: there is nothing to keep together"
        raise BadInput(what, where=rows.tables[0].path, mend=mend)
    _check_files(rows, name, cells)


def _check_files(rows: LabelledRows, name: str, cells: list[str]) -> None:
    """Refuse a group with rows in two files, which would be both learned from and tested on.

    Args:
        rows: the rows of all files.
        name: the column of groups.
        cells: [n] the cell of each row in this column.
    """
    before, seen = 0, set[str]()
    for table in rows.tables:
        own = set(cells[before : before + len(table)])
        if shared := sorted(own & seen):
            what = f"{len(shared):,} of its {len(own):,} groups by {name!r} are in another file too: {shared[0]!r:.60}"
            raise BadInput(what, where=table.path, mend="leave them out of one file, or leave that file out")
        before, seen = before + len(table), seen | own


def unnamed_groups(rows: LabelledRows) -> tuple[Finding, ...]:
    """Return a warning about groups whose name may mean that the group is unknown, such as `NA`.

    Args:
        rows: all rows of the files.

    Returns:
        One finding, or an empty tuple if there are no such groups.
    """
    name = rows.columns.group
    if name is None:
        return ()
    sizes = Counter(cell for cell in filled_cells(rows, name) if is_no_answer(cell))
    unnamed = {cell: size for cell, size in sizes.items() if size > 1}
    if not unnamed:
        return ()
    listing = ", ".join(f"{cell!r:.60} ({count_of(size, 'row')})" for cell, size in unnamed.items())
    text = (
        f"{listing} in {name!r} counts as one group; if it means that none is known, leave such rows out or give each "
        "a group of its own."
    )
    return (Finding("warning.unnamed_groups", text, {"column": name, "groups": unnamed}),)


def group_folds(group: Integers, stratum: Integers, settings: ReadSettings, where: str) -> tuple[Rows, ...]:
    """Return the row indices of each fold, int64; no group is in two folds.

    Args:
        group: int64 [n], the group of each row.
        stratum: int64 [n], the stratum of each row.
        settings: the settings of reading, which give the number of folds, the column of groups and the seed.
        where: the file, for the error.

    Raises:
        BadInput: there are fewer groups than folds.
    """
    count, different = settings.folds, len(np.unique(group))
    if different < count:
        what = f"{different} groups by {settings.group!r} are too few for {count} folds"
        seeds_left = "2" if different == 2 else f"2 to {different}"  # noqa: PLR2004 - one seed is refused
        raise BadInput(what, where=where, mend=f"give --seeds {seeds_left}, or name another column with --group")
    part = balanced_parts(group, stratum, [1 / count] * count, seeds.child(settings.seed, "folds"))
    return tuple(np.flatnonzero(part == number) for number in range(count))


def group_findings(task: Task, name: str | None) -> tuple[Finding, ...]:
    """Return findings on how groups were split, with a warning if few groups are tested on; nothing without groups.

    Args:
        task: the task, with its split.
        name: the column of groups; None if the user named none.

    Raises:
        BadInput: the test part has only one group, so that no interval can be computed.
    """
    if task.examples.groups is None:
        return ()
    group = np.array(task.examples.groups)
    every, tested = len(np.unique(group[task.used])), len(np.unique(group[task.test]))
    if tested == 1:
        what = f"the test part is of one group by {name!r}, which says nothing of others"
        raise BadInput(what, where=task.origins[-1].path, mend="leave --test out, or name another column with --group")
    numbers = {"column": name, "groups": every, "tested": tested, "rows": len(task.used)}
    text = (
        f"The {len(task.used):,} rows are of {every:,} groups by {name!r}. Rows of a group are kept together: none is "
        "both learned from and tested on, and intervals are over groups, so that they hold for new ones."
    )
    together = Finding("warning.groups", text, numbers)
    like = effective_groups(group[task.test])
    if like >= FEW_GROUPS:
        return (together,)
    uneven = (
        "" if tested < FEW_GROUPS else f", which differ so much in size that they say as much as {like:.0f} of one size"
    )
    few = (
        f"{'Only ' if not uneven else ''}{tested:,} groups by {name!r} are tested on{uneven}: over so few, intervals "
        "may come out too narrow, so trust a difference only where its interval is well clear of 0."
    )
    return together, Finding("warning.few_groups", few, numbers | {"effective": like})
