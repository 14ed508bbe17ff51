"""Turn a `Record` into one self-contained HTML page."""

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
_RECORD_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RuntimeError,
    UndefinedError,
)
"""What is raised where a value in a record has another type than its page expects."""


def render(record: Record) -> str:
    """The record as one HTML document that opens offline: it runs and loads only what it contains.

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
    """The page of a record's file, which anybody may have edited.

    Odd values can make any part of a page fail, so every such failure is reported as a fault of the file. `render`,
    which a study calls on its own record, keeps the traceback of a bug.

    Raises:
        BadInput: the file is not a record, is damaged, or has content that a record of its kind never has.
    """
    record = read(path)
    try:
        return render(record)
    except BadInput as error:
        raise BadInput(error.what, where=str(path), mend=error.mend) from error
    except _RECORD_ERRORS as error:
        what = f"no page can be made from the content of this {record.kind:.40} record"
        message = f"{what} ({type(error).__name__}: {error!s:.200})"
        raise BadInput(message, where=str(path), mend="run the study again with this version") from error
