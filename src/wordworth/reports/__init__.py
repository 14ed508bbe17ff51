"""A `Record` becomes one self-contained HTML page."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import UndefinedError

from wordworth.errors import BadInput
from wordworth.records import read

if TYPE_CHECKING:
    from wordworth.records import Record

_PAGES = {
    "worth": "wordworth.reports.worth",
    "finetune": "wordworth.reports.finetune",
    "context": "wordworth.reports.context",
    "senses": "wordworth.reports.senses",
    "words": "wordworth.reports.word_benchmarks",
}
_ODD = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RuntimeError,
    UndefinedError,
)
"""What a value of another kind than a page expects leads to."""


def render(record: Record) -> str:
    """The record as one HTML document that opens offline: nothing in it runs or loads but what it carries.

    Every string of the record is escaped; the same record gives the same page, before and after saving.

    Raises:
        BadInput: the record lacks what its kind must have.
    """
    try:
        page: str = import_module(_PAGES.get(record.kind, "wordworth.reports.generic")).page(record)
    except KeyError as error:
        mend = "run the study again with this version"
        raise BadInput(f"this {record.kind} record lacks {error}", where="record", mend=mend) from error
    return page


def render_file(path: Path) -> str:
    """The page of a record's file, which anybody may have changed.

    What is odd in it can go wrong at any place of a page, so whatever does is told as the file's; `render`, which a
    study gives its own record, keeps the traceback of a bug.

    Raises:
        BadInput: the file is no record, is damaged, or holds what a record of its kind does not.
    """
    record = read(path)
    try:
        return render(record)
    except BadInput as error:
        raise BadInput(error.what, where=str(path), mend=error.mend) from error
    except _ODD as error:
        what = f"a page cannot be drawn of what this {record.kind:.40} record holds"
        said = f"{what} ({type(error).__name__}: {error!s:.200})"
        raise BadInput(said, where=str(path), mend="run the study again with this version") from error
