"""A `Record` becomes one self-contained HTML page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wordworth.errors import BadInput

if TYPE_CHECKING:
    from wordworth.records import Record

_PAGES = {
    "worth": "wordworth.pages.worth",
    "finetune": "wordworth.pages.finetune",
    "context": "wordworth.pages.context",
    "senses": "wordworth.pages.senses",
    "words": "wordworth.pages.words",
}


def render(record: Record) -> str:
    """The record as one HTML document that opens offline: nothing in it runs or loads but what it carries.

    Every string of the record is escaped; the same record gives the same page, before and after saving.

    Raises:
        BadInput: the record lacks what its kind must have.
    """
    try:
        page: str = import_module(_PAGES.get(record.kind, "wordworth.pages.bare")).page(record)
    except KeyError as error:
        mend = "run the study again with this version"
        raise BadInput(f"this {record.kind} record lacks {error}", where="record", mend=mend) from error
    return page
