"""A `Record` becomes one self-contained HTML page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wordworth.errors import BadInput, nearest

if TYPE_CHECKING:
    from wordworth.records import Record

_PAGES = {
    "worth": "wordworth.pages.worth",
    "finetune": "wordworth.pages.finetune",
    "context": "wordworth.pages.context",
    "senses": "wordworth.pages.senses",
}


def render(record: Record) -> str:
    """The record as one HTML document that opens offline: nothing in it runs or loads but what it carries.

    Every string of the record is escaped; the same record gives the same page, before and after saving.

    Raises:
        BadInput: there is no page for this kind of record, or the record lacks what its kind must have.
    """
    if record.kind not in _PAGES:
        raise BadInput(f"there is no page for a record of kind {record.kind!r}", mend=nearest(record.kind, _PAGES))
    try:
        page: str = import_module(_PAGES[record.kind]).page(record)
    except KeyError as error:
        mend = "run the study again with this version"
        raise BadInput(f"this {record.kind} record lacks {error}", where="record", mend=mend) from error
    return page
