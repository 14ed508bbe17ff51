"""Choose the columns that hold the texts and the labels: those that the user names, else columns with usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import join_words, within
from wordworth.tasks.reading.settings import ReadSettings, part_to_test
from wordworth.tasks.usual_columns import LABELS, NOTHING_BUT_LABELS, PAIRS, TEXTS, usual_column
from wordworth.text.file_formats.table import TextTable

_TWO, _FLAGS = 2, 3
_NAME_WORDS, _SHOWN = 5, 60
_FIRST_ROWS, _TEXT_WORDS = 1_000, 3


@dataclass(frozen=True, slots=True)
class TaskColumns:
    """The names of the columns of a table that a task uses.

    Attributes:
        text: the column of the texts, or of the first texts of pairs.
        labels: the column of labels; or several columns, each of which holds 0 or 1 for one label.
        text_b: the column of the second texts of pairs.
        group: the column of groups, such as authors.
        time: the column of times, by which rows are split.
        second_label: the column of a second annotator's labels.
        categories: the columns of categories, by which scores are also reported; if there is a test file, only that
            file needs them.
    """

    text: str
    labels: tuple[str, ...]
    text_b: str | None = None
    group: str | None = None
    time: str | None = None
    second_label: str | None = None
    categories: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the columns of the first text and, for pairs, of the second text."""
        return (self.text, self.text_b) if self.text_b else (self.text,)

    @property
    def named(self) -> tuple[str, ...]:
        """The names of all columns that the task uses: texts, labels, groups, times, second labels, categories."""
        further = (self.group, self.time, self.second_label)
        return (*self.texts, *self.labels, *(name for name in further if name), *self.categories)


def choose(table: TextTable, settings: ReadSettings) -> tuple[TaskColumns, tuple[Finding, ...]]:
    """Choose the columns of a table that hold the texts and the labels: as the user named them, else by usual names.

    Args:
        table: the rows of the file.
        settings: the settings of reading, which hold the columns that the user named.

    Returns:
        (columns, findings), where the findings say which columns were guessed and why.

    Raises:
        BadInput: a column is missing, is named for two roles, or cannot be guessed.
    """
    text, label, text_b = settings.text, settings.label, settings.text_b
    named = (label,) if isinstance(label, str) else tuple(label or ())
    apart = {name: getattr(settings, name) for name in ("group", "time", "second_label")}
    for role, name in apart.items():
        if name is not None:
            table.column(name, role.replace("_", " "))
    if part_to_test(settings)[0] is None:
        for name in settings.categories:
            table.column(name, "category")
    taken = {*apart.values(), *settings.categories}
    free = replace(table, columns={name: cells for name, cells in table.columns.items() if name not in taken})
    first, second = _texts(free, text, text_b, named)
    if not named:
        _require_free_label(table, free, (first, second))
    labels = named or (_guess_label(free, (first, second)),)
    columns = TaskColumns(first, labels, second, **apart, categories=settings.categories)
    _check(table, columns)
    guessed = {name for name in (columns.text, columns.text_b, *columns.labels) if name not in (text, text_b, *named)}
    _check_header(table, guessed)
    further = _further_texts(table, columns) if text is None else ()
    return columns, (*_choice_finding(table, columns, text, named), *further)


def _texts(table: TextTable, text: str | None, text_b: str | None, labels: Sequence[str]) -> tuple[str, str | None]:
    if text is not None:
        return text, text_b
    others = [name for name in table.columns if name not in labels]
    by_name = {name.strip().lower(): name for name in others}
    pair = next(((by_name[a], by_name[b]) for a, b in PAIRS if a in by_name and b in by_name), None)
    if pair and text_b in (None, pair[1]):
        return pair
    if not others or (len(table.columns) == 1 and usual_column(others, LABELS)):
        raise BadInput("no column is left for the texts", where=table.path, mend="add a column of texts, such as text")
    usual = usual_column([name for name in others if name != text_b], TEXTS)
    return usual or _longer_column(table, others), text_b


def _guess_label(table: TextTable, texts: tuple[str | None, ...]) -> str:
    others = [name for name in table.columns if name not in texts]
    usual = usual_column(others, LABELS)
    if usual is not None:
        return usual
    if len(others) == 1:
        return others[0]
    what = f"which column holds the labels? there is {column_names(table)}"
    mend = "name it with --label"
    flags = [name for name in others if set(table.columns[name]) <= {"0", "1"}]
    if len(flags) > 1:
        examples = join_words(list(map(repr, flags)), most=_FLAGS)
        mend += f", several columns of 0 and 1 (such as {examples}) if a row may have several labels"
    raise BadInput(what, where=table.path, mend=mend)


def _require_free_label(table: TextTable, free: TextTable, texts: tuple[str | None, ...]) -> None:
    """Refuse to guess a label column if the user named a column such as `label` for another role.

    Args:
        table: the whole table.
        free: the table without the columns that have a role.
        texts: the columns of texts, which may have such a name.
    """
    usual = usual_column([name for name in table.columns if name not in texts], NOTHING_BUT_LABELS)
    if usual is not None and usual not in free.columns:
        what = f"by its name column {usual!r} holds the labels, but it was named for something else"
        mend = "name the column of labels with --label, or another column in place of this one"
        raise BadInput(what, where=table.path, mend=mend)


def _longer_column(table: TextTable, others: Sequence[str]) -> str:
    """Return the column of `others` with the longest cells, as the column of texts.

    Args:
        table: the table.
        others: the columns that may hold the texts.

    Raises:
        BadInput: there are several such columns, in a table of more than two columns.
    """
    if len(others) == 1 or len(table.columns) == _TWO:
        return max(others, key=lambda name: sum(map(len, table.columns[name])))
    raise unknown_texts(table)


def unknown_texts(table: TextTable) -> BadInput:
    """Return the error for a table whose column of texts cannot be guessed."""
    return BadInput(
        f"which column holds the texts? there is {column_names(table)}", where=table.path, mend="name it with --text"
    )


def column_names(table: TextTable) -> str:
    """Return the names of the first twelve columns of a table, for an error message."""
    return ", ".join(repr(name) for name in list(table.columns)[:12])


def _check(table: TextTable, columns: TaskColumns) -> None:
    table.column(columns.text, "text")
    if columns.text_b is not None:
        table.column(columns.text_b, "second text")
    for name in columns.labels:
        table.column(name, "label")
    twice = next((name for name in columns.named if columns.named.count(name) > 1), None)
    if twice is not None:
        mend = "name different columns with --text, --text-b, --label, --group, --time, --second-label and --category"
        raise BadInput(f"column {twice!r} cannot serve twice", where=table.path, mend=mend)


def _check_header(table: TextTable, guessed: set[str | None]) -> None:
    """Refuse a table whose first line looks like a row of data and not like a header of column names.

    Args:
        table: the table.
        guessed: the columns that were guessed; columns with a usual name pass the check.
    """
    strange = [name for name in guessed if name and not _is_usual(name) and _is_value(table, name)]
    if strange:
        what = f"the first line reads like a row, not like column names: {within(strange[0], _SHOWN)!r}"
        mend = "put a line of names above it, such as text,label; or name the columns with --text and --label"
        raise BadInput(what, where=table.where_header, mend=mend)


def _is_usual(name: str) -> bool:
    """Return whether a name is common for columns of texts or labels."""
    return usual_column([name], (*TEXTS, *LABELS, *(usual for pair in PAIRS for usual in pair))) is not None


def _is_value(table: TextTable, name: str) -> bool:
    """Return whether a column's name is a sentence, a number, or one of the column's own cells."""
    number = name.strip().lstrip("+-").replace(".", "", 1).isdigit()
    return number or len(name.split()) > _NAME_WORDS or name.strip() in {cell.strip() for cell in table.columns[name]}


def _choice_finding(
    table: TextTable, columns: TaskColumns, text: str | None, labels: Sequence[str]
) -> tuple[Finding, ...]:
    if {"words", "tags"} <= table.columns.keys() or (text is not None and labels):
        return ()
    guessed = {**({} if text else {"text": columns.text}), **({} if labels else {"label": columns.labels[0]})}
    if text is None and columns.text_b:
        guessed["text_b"] = columns.text_b
    roles = {"text": "text", "text_b": "second text", "label": "label"}
    if all(map(_is_usual, guessed.values())):
        return chosen_by_header(guessed, roles)
    return (Finding("warning.columns", f"Columns were guessed: {_as_roles(guessed, roles)}.", guessed),)


def _further_texts(table: TextTable, columns: TaskColumns) -> tuple[Finding, ...]:
    """Return a finding that names the columns that hold texts and are not read, by their first rows."""
    unused = {name: cells[:_FIRST_ROWS] for name, cells in table.columns.items() if name not in columns.named}
    texts = [
        name
        for name, cells in unused.items()
        if 2 * len(set(cells)) > len(cells) and median(len(cell.split()) for cell in cells) >= _TEXT_WORDS
    ]
    if not texts:
        return ()
    listing = join_words([repr(name) for name in texts], most=_FLAGS)
    hold = "Column {} holds text and is not read" if len(texts) == 1 else "Columns {} hold text and are not read"
    text = f"{hold.format(listing)} beside {columns.text!r}: to read all, join them in one column."
    return (Finding("warning.further_texts", text, {"columns": texts}),)


def chosen_by_header(columns: Mapping[str, str], roles: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return a finding that names the columns that were chosen for their usual names; nothing without such columns.

    Args:
        columns: role -> name of the column that was chosen for it.
        roles: role -> a phrase for what the column holds.
    """
    if not columns:
        return ()
    return (Finding("method.columns", f"Columns were chosen by the header: {_as_roles(columns, roles)}.", columns),)


def _as_roles(columns: Mapping[str, str], roles: Mapping[str, str]) -> str:
    return ", ".join(f"{name!r} as the {roles[role]}" for role, name in columns.items())
