"""`Scope`: how many rows a study uses and which fits it runs, so that it keeps to its budget of time.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wordworth.representations.finetuning_settings import QUICK, FineTuning
from wordworth.text.windows import LongTexts

if TYPE_CHECKING:
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.studies.worth.time_plan.speeds import Speeds

READING_S = 15.0
"""Seconds of the minute of a quick study that encoders may spend on reading the texts."""
ABOUT_A_MINUTE_S = 75.0
"""Seconds of a quick study's forecast above which rows are left out."""
_QUICK_ROWS = (700, 500, 350, 250, 200)
_QUICK_ROWS_TO_FIT = (700, 500)
"""Numbers of rows to which fits alone reduce a quick study. With fewer rows fits take little less, and the intervals
say nothing."""
_ROWS = (7_000, 5_000, 3_500, 2_500, 1_800, 1_200, 800, 500)
"""Numbers of rows that a study is reduced to. They are few, so that small differences in speed give the same study."""
Seconds = Callable[["Scope"], float]


@dataclass(frozen=True, slots=True)
class Scope:
    """The extent of a `worth` study: what it reads and runs.

    Attributes:
        rows: number of rows to use; the rows of a test file that the user named are not counted.
        long_texts: how encoders encode texts longer than their window: in windows (`window`), or truncated (`cut`).
        distil: whether a static table is made of each encoder.
        finetune: settings of the fine-tuned rungs; None leaves such rungs out.
        few_runs: whether a fine-tuned rung has only one run, which is on all labelled examples.
        test_rows: number of rows of a test file that the user named, of which none is left out; else 0.
    """

    rows: int
    long_texts: LongTexts = "window"
    distil: bool = True
    finetune: FineTuning | None = FineTuning()  # noqa: RUF009 - frozen
    few_runs: bool = False
    test_rows: int = 0

    @classmethod
    def of(cls, settings: WorthSettings, rows: int, test_rows: int = 0) -> Scope:
        """Return the full scope of a study: all that its settings ask for.

        Args:
            settings: the settings of the study.
            rows: number of rows of the study; the rows of a test file are not counted.
            test_rows: number of rows of the test file; 0 without one.
        """
        finetune = (QUICK if settings.quick else FineTuning()) if settings.finetune else None
        distil = settings.distil and not settings.quick
        return cls(rows, distil=distil, finetune=finetune, few_runs=settings.quick, test_rows=test_rows)

    def within_a_minute(self, speeds: Speeds, seconds: Seconds, *, tagging: bool, limited: bool) -> Scope:
        """Return the scope of a quick study: about a minute in all, at most `READING_S` seconds of it to encode texts.

        Long texts are truncated first; if that is not enough, rows are left out. No rows of a test file are left out,
        and at least 200 others stay, or 500 where it is fits that take long: a study that takes longer than a minute
        says so in its forecast.

        Args:
            speeds: the measured speeds of the study's encoders.
            seconds: function that takes a scope, and returns its forecast in seconds.
            tagging: whether the task is tagging, in which long texts are never truncated.
            limited: whether the user set a limit of rows; no rows are then left out.
        """
        scope = self._with_reading_limited(speeds, tagging=tagging, limited=limited)
        for rows in () if limited else _QUICK_ROWS_TO_FIT:
            if seconds(scope) <= ABOUT_A_MINUTE_S:
                break
            scope = replace(scope, rows=min(scope.rows, rows))
        return scope

    def _with_reading_limited(self, speeds: Speeds, *, tagging: bool, limited: bool) -> Scope:
        """Return the scope of a quick study in which encoders encode all texts within `READING_S` seconds."""
        truncate = bool(speeds.long_share) and not tagging
        if not speeds.windowed_seconds or (self.rows + self.test_rows) * speeds.windowed_seconds <= READING_S:
            return self
        kept = replace(self, long_texts="cut" if truncate else "window")
        per_row = speeds.truncated_seconds if truncate else speeds.windowed_seconds
        if limited or self.rows * per_row <= READING_S:
            return kept
        fewer = next((size for size in _QUICK_ROWS if size * per_row <= READING_S), _QUICK_ROWS[-1])
        return replace(kept, rows=min(self.rows, fewer))

    def within(self, budget: float, seconds: Seconds, *, truncate: bool, limited: bool, named: bool) -> Scope:
        """Return the largest scope of a study whose forecast is within the budget, or else the smallest scope.

        Args:
            budget: the budget in seconds.
            seconds: function that takes a scope, and returns its forecast in seconds.
            truncate: whether some texts are longer than the encoders' window and may be truncated.
            limited: whether the user set a limit of rows; no rows are then left out.
            named: whether the user named the rungs; every named rung is then measured.
        """
        scope = self
        for scope in self._reductions(truncate=truncate, limited=limited, named=named):
            if seconds(scope) <= budget:
                break
        return scope

    def _reductions(self, *, truncate: bool, limited: bool, named: bool) -> Iterator[Scope]:
        """Yield this scope and ever smaller ones; what the verdict needs least is left out first."""
        scope = self
        yield scope
        if truncate:
            yield (scope := replace(scope, long_texts="cut"))
        if scope.finetune is not None:
            yield (scope := replace(scope, few_runs=True))
        if scope.distil and not named:
            yield (scope := replace(scope, distil=False))
        if scope.finetune is not None:
            yield (scope := replace(scope, finetune=QUICK))
        for rows in () if limited else _ROWS:
            if rows < scope.rows:
                yield (scope := replace(scope, rows=rows))

    def omissions(self, whole: Scope) -> list[str]:
        """Return what a study with this scope leaves out of a larger scope, one clause each.

        A clause is such as "rows were left out"; the caller joins the clauses into a sentence. The list is
        empty if nothing is left out.

        Args:
            whole: the larger scope.
        """
        clauses = []
        if self.rows < whole.rows:
            clauses.append("rows were left out")  # another warning says how many were used
        if self.long_texts != whole.long_texts:
            clauses.append("encoders read only the beginning of texts longer than they read at once")
        if self.few_runs and not whole.few_runs:
            clauses.append("fine-tuned rungs had one run, on all labels")
        if whole.distil and not self.distil:
            clauses.append("no static table was made of the encoder")
        if self.finetune != whole.finetune:
            clauses.append("fine-tuning had fewer steps, and read less of long texts")
        return clauses
