"""How much of a file a quick study can read within its minute: rows, and windows of long texts, by encoder speed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wordworth import seeds
from wordworth.errors import WordworthError
from wordworth.progress import UNREPORTED
from wordworth.records import Finding
from wordworth.representations.shared_encoder import load_encoder
from wordworth.text.windows import LongTexts
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Task

ENCODING_S = 15.0
"""Seconds of the minute that encoders may spend on reading the texts."""
_SAMPLE = 12
_ROWS = (700, 500, 350, 250, 200)
"""Sizes that a study is reduced to: few of them, so that small differences in speed give the same study."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Seconds per example that a study's encoders take, all of them together, with nothing else running.

    Attributes:
        window: seconds per example where long texts are read in windows.
        cut: seconds per example where long texts are truncated.
        long: the share of the sampled texts that have more than one window.
    """

    window: float
    cut: float
    long: float


@dataclass(frozen=True, slots=True)
class Reduced:
    """How much of a study fits into the minute.

    Attributes:
        rows: number of rows to use.
        long_texts: how encoders read texts longer than their window.
    """

    rows: int
    long_texts: LongTexts


def measured(task: Task, settings: WorthSettings) -> Rates | None:
    """Measure the speed of the study's encoders on a dozen texts of the task; None where no encoder is available.

    An encoder that cannot be loaded is skipped here: its rung on the ladder reports why.
    """
    rows = seeds.child(settings.seed, "quick").permutation(len(task.examples))[:_SAMPLE]
    sample = task.examples.take(rows)
    texts = [*sample.first, *(sample.second or ())]
    window = cut = long = 0.0
    for model in settings.models:
        try:
            encoder = load_encoder(model, "auto")
        except WordworthError:  # its rung reports this
            continue
        encoder.pooled_layers(texts[:1], progress=UNREPORTED)  # the first call is slower
        window += _seconds(encoder, texts, "window") / len(rows)
        cut += _seconds(encoder, texts, "cut") / len(rows)
        long = max(long, encoder.lengths(encoder.tokenizer.encode(texts)).windowed / len(texts))
    return Rates(window, cut, long) if window else None


def _seconds(encoder: TextEncoder, texts: Sequence[str], long_texts: LongTexts) -> float:
    began = time.perf_counter()
    encoder.pooled_layers(texts, long_texts=long_texts, progress=UNREPORTED)
    return time.perf_counter() - began


def reduced(rows: int, rates: Rates | None, *, tagging: bool, limited: bool) -> Reduced:
    """Return what fits into the minute: long texts are truncated before rows are left out, 200 rows are always used.

    Args:
        rows: number of rows of the task.
        rates: the speed of the study's encoders; None where there are none.
        tagging: whether words are read; these are always read in windows.
        limited: whether the user set a limit of rows, which is kept.
    """
    if rates is None or rows * rates.window <= ENCODING_S:
        return Reduced(rows, "window")
    cut = bool(rates.long) and not tagging
    seconds_per_row = rates.cut if cut else rates.window
    if limited or rows * seconds_per_row <= ENCODING_S:
        return Reduced(rows, "cut" if cut else "window")
    fewer = next((size for size in _ROWS if size * seconds_per_row <= ENCODING_S), _ROWS[-1])
    return Reduced(min(rows, fewer), "cut" if cut else "window")


def left_out(task: Task, before: int, reduced: Reduced) -> Task:
    """Return the task with a warning of what the minute left out; unchanged where nothing was left out.

    Args:
        task: the task, of the rows that are used.
        before: number of rows that a quick study would otherwise have used.
        reduced: the number of rows that are used, and how long texts are read.
    """
    reductions = []
    if reduced.rows < before:
        reductions.append(f"{count_of(reduced.rows, 'row')} of {before:,} were used")
    if reduced.long_texts == "cut":
        reductions.append("encoders read only the beginning of texts longer than they read at once")
    if not reductions:
        return task
    text = f"For an answer within a minute {' and '.join(reductions)}: leave out the option quick to use more."
    numbers = {"rows": reduced.rows, "of": before, "long_texts": reduced.long_texts}
    return replace(task, warnings=(*task.warnings, Finding("warning.quick", text, numbers)))
