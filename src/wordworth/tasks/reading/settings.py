"""`ReadSettings`: how a file is read as a task, and which part of the file is tested on."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.tasks.metric_choice import require_metric

LEAST_ROWS = 20
_NEARLY_A_SHARE = re.compile(r"\d*[.,]?\d+\s*\D?")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadSettings:
    """How to read a file as a task.

    Attributes:
        text: the column of texts; guessed from the header if not named.
        label: the column of labels, or several columns of 0 and 1; guessed from the header if not named.
        text_b: the column of second texts, for pairs.
        kind: the name of a `TaskType`, such as `regression`; inferred from the labels if not named. Questions
            (`multiple_choice`, `question_answering`) are read by `custom_qa`.
        test: a separate test file, or the share of rows to test on (0.3).
        test_share: the share of rows to test on if `test` is None, kept between 200 and 10,000 rows and at most two
            fifths.
        metric: the metric, such as `accuracy` or `f1:refund`; chosen by kind and class shares if not named.
        limit: use at most this many rows, drawn by class; with a test file, learn from at most this many.
        skip_unusable: skip rows without a label, and test rows of a class that training lacks, and report how many,
            instead of refusing the file.
        format: the file's format where its suffix does not tell.
        seed: seed of the run; it decides the split and the sample.
    """

    text: str | None = None
    label: str | tuple[str, ...] | None = None
    text_b: str | None = None
    kind: str | None = None
    test: str | float | Path | None = None
    test_share: float = 0.25
    metric: str | None = None
    limit: int | None = None
    skip_unusable: bool = False
    format: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        task_type = None if self.kind is None else task_types.get(self.kind)
        if task_type is not None:
            object.__setattr__(self, "kind", task_type.name)  # frozen; a former name is read
        if self.metric is not None:
            require_metric(self.metric, task_type)
        if not 0 < self.test_share < 1:
            raise BadInput(
                f"a share of {self.test_share} is out of range", where="test_share", mend="give one between 0 and 1"
            )
        if self.limit is not None and not _is_whole(self.limit):
            raise BadInput(f"{self.limit!r} is not a number of rows", where="--limit", mend="give a whole number")
        if self.limit is not None and self.limit < LEAST_ROWS:
            raise BadInput(f"{self.limit} rows are too few", where="--limit", mend=f"give {LEAST_ROWS} or more")


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)


def part_to_test(settings: ReadSettings) -> tuple[str | None, float | None]:
    """Return (test file, share of rows to test on): one of them is None, or both where the user chose neither.

    Raises:
        BadInput: the share is not between 0 and 1.
    """
    if settings.test is None:
        return None, None
    share = share_or_file(settings.test)
    if isinstance(share, str):
        return share, None
    if not 0 < share < 1:
        mend = "give a share between 0 and 1, such as 0.2, or a file"
        raise BadInput(f"a test part of {settings.test} is not a share of the rows", where="--test", mend=mend)
    return None, share


def share_or_file(named: str | float | Path) -> float | str:
    """Return the share that a user wrote as a number, else the name of a file; NaN if the text looks like a bad share.

    >>> share_or_file("0.2"), share_or_file("dev.csv"), share_or_file("20%")
    (0.2, 'dev.csv', nan)
    """
    try:
        return float(str(named))
    except ValueError:
        return math.nan if _NEARLY_A_SHARE.fullmatch(str(named)) and not Path(str(named)).exists() else str(named)
