"""Two texts, one class."""

from __future__ import annotations

from wordworth.errors import BadInput
from wordworth.tasks import single
from wordworth.tasks.sheet import Sheet
from wordworth.tasks.single import default_metric, read
from wordworth.tasks.task import Examples

__all__ = ["default_metric", "examples", "read"]


def examples(sheet: Sheet) -> Examples:
    """The pairs of texts.

    Raises:
        BadInput: no column of second texts is named.
    """
    if sheet.second is None:
        mend = "name it with --text-b"
        raise BadInput("pairs need a column of second texts", where=sheet.tables[0].path, mend=mend)
    return Examples(single.examples(sheet).first, tuple(sheet.second))
