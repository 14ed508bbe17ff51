"""`ReadSettings`: how a file is read as a task, and which part of the file is tested on."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.settings_validation import setting

LEAST_ROWS = 20
_MOST_DEV = 0.5
"""Largest share of the dev part; a larger one would leave too little to learn from."""
_NEARLY_A_SHARE = re.compile(r"\d*[.,]?\d+\s*\D?")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadSettings:
    """Settings by which a file is read as a task.

    Questions (`multiple_choice`, `pronoun_resolution`, `question_answering`) are read by `custom_qa`.
    """

    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    label: str | tuple[str, ...] | None = setting(
        None, "Column of the labels, or several columns of 0 and 1; guessed if not given. Repeatable."
    )
    text_b: str | None = setting(None, "Column of the second texts, for pairs.")
    kind: str | None = setting(
        None,
        "classification, pair_classification, regression, multilabel or tagging, in fine-tuning also "
        "multiple_choice, pronoun_resolution or question_answering; guessed from the data if not given.",
    )
    group: str | None = setting(
        None,
        "Column of groups (an author, a document, a patient): none is both learned from and tested on, and intervals "
        "are over groups.",
    )
    time: str | None = setting(
        None,
        "Column of times (numbers or ISO dates): the latest rows are tested on (a quarter, at least 200, at most two "
        "fifths, if --test names no share), those before learned from.",
    )
    second_label: str | None = setting(
        None, "Column of a second annotator's labels, on all or some rows: how far the two agree, and what that allows."
    )
    categories: tuple[str, ...] = setting(
        (), "Columns of categories of the test rows, by which scores are also reported.", option=False
    )
    test: str | float | Path | None = setting(
        None, "A file to test on (a later month, say), or a share of the rows such as 0.2."
    )
    limit: int | None = setting(
        None,
        "Maximum number of rows, drawn by class; a file given to --test is read whole. "
        "[default: 10,000 in worth, of sentences to tag 1,000; all in fine-tuning]",
    )
    skip_unusable: bool = setting(
        False, "Leave out rows without a label, group or time and test rows of new classes, and say how many."
    )
    format: str | None = setting(
        None, "File format: csv, tsv, jsonl, parquet or conll, if the file's name does not say."
    )
    metric: str | None = setting(
        None, "Metric: accuracy, macro_f1, matthews, f1:CLASS, spearman, micro_f1, precision@3, entity_f1, ..."
    )
    test_share: float | None = setting(
        None,
        "Share of rows to test on without --test (a quarter if not given), between 200 and 10,000 rows and at most two "
        "fifths.",
        option=False,
    )
    test_weight: str | None = setting(
        None, "Column of sampling weights in the file to test on, which scores are then weighted by.", option=False
    )
    folds: int = setting(
        0,
        "Folds of cross-fitting where no test part is named, so that every row is tested on; 0 holds out a part.",
        option=False,
    )
    seed: int = setting(0, "Seed of the run, which decides the split and the sample.", option=False)

    def __post_init__(self) -> None:
        from wordworth.tasks import task_types
        from wordworth.tasks.check_metric import require_metric

        task_type = None if self.kind is None else task_types.get(self.kind)
        if task_type is not None:
            object.__setattr__(self, "kind", task_type.name)  # frozen; a former name is read
        if self.metric is not None:
            require_metric(self.metric, task_type)
        if self.test_share is not None and not 0 < self.test_share < 1:
            raise BadInput(
                f"a share of {self.test_share} is out of range", where="test_share", mend="give one between 0 and 1"
            )
        self._check_time()
        if self.test_weight is not None and not isinstance(part_to_test(self)[0], str):
            what = "sampling weights are those of a file of test rows"
            raise BadInput(what, where="--test-weight", mend="give that file with --test, or leave the weights out")
        if self.limit is not None and not _is_whole(self.limit):
            raise BadInput(f"{self.limit!r} is not a number of rows", where="--limit", mend="give a whole number")
        if self.limit is not None and self.limit < LEAST_ROWS:
            what = f"{count_of(self.limit, 'row is', 'rows are')} too few"
            raise BadInput(what, where="--limit", mend=f"give {LEAST_ROWS} or more")

    def _check_time(self) -> None:
        """Refuse --time together with another way to choose the test part."""
        if self.time is None:
            return
        if self.group is not None:
            what = "rows are split either by time or by groups"
            raise BadInput(what, where="--time", mend="leave --group or --time out")
        if self.test is not None and isinstance(share_or_file(self.test), str):
            what = "a test file is a split of its own"
            raise BadInput(what, where="--time", mend="leave it out, or give --test a share of the rows")


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)


def part_to_test(settings: ReadSettings) -> tuple[str | None, float | None]:
    """Return (test file, share of rows to test on), one of which is None; both are None if the user chose neither.

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


class DevPart:
    """A base class for settings whose field `dev` is a share of the training rows, or the name of a dev file."""

    __slots__ = ()
    dev: str | float | Path

    def read_dev(self) -> None:
        """Parse the field `dev`, which holds what the user wrote, and replace it by a share or the name of a file.

        Raises:
            BadInput: `dev` is a number that is negative or larger than the largest allowed share.
        """
        if self.dev is None:  # from Python
            raise BadInput("--dev is None", mend=f"give a share from 0 (no dev part) to {_MOST_DEV}, or a file")
        object.__setattr__(self, "dev", share_or_file(self.dev))  # settings are frozen
        if self.dev_share is not None and not 0 <= self.dev_share <= _MOST_DEV:
            raise BadInput(f"--dev {self.dev} is out of range", mend=f"give a share from 0 to {_MOST_DEV}, or a file")

    @property
    def dev_share(self) -> float | None:
        """The share of the training rows to use as dev part; None if the dev part is a file."""
        return self.dev if isinstance(self.dev, float) else None

    @property
    def dev_file(self) -> str | None:
        """The name of the dev file; None if the dev part is a share of the training rows."""
        return None if isinstance(self.dev, float) else str(self.dev)


def share_or_file(named: str | float | Path) -> float | str:
    """Return the share that a user wrote as a number, else the name of a file; NaN if the number is no share.

    >>> share_or_file("0.2"), share_or_file("dev.csv"), share_or_file("20%")
    (0.2, 'dev.csv', nan)
    """
    try:
        return float(str(named))
    except ValueError:
        return math.nan if _NEARLY_A_SHARE.fullmatch(str(named)) and not Path(str(named)).exists() else str(named)
