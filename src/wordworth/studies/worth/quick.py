"""What of a file a quick study can read within its minute: rows, and windows of long texts, by the encoder's rate."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wordworth import seeds
from wordworth.errors import WordworthError
from wordworth.records import Finding
from wordworth.representations.shared_encoder import load_encoder
from wordworth.text.windows import LongTexts
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Task

ENCODING_S = 15.0
"""Seconds of the minute that encoders may take to read the texts."""
_TRIED = 12
_ROWS = (700, 500, 350, 250, 200)
"""Sizes that a study is reduced to, in steps, so that a little more or less speed makes the same study."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Seconds that the encoders of a study take for one example of its, all of them together, alone on the machine.

    Attributes:
        window: where long texts are read in windows.
        cut: where of long texts only the beginning is read.
        long: the share of the examples tried that have more than one window.
    """

    window: float
    cut: float
    long: float


@dataclass(frozen=True, slots=True)
class Reduced:
    """What is left of a study.

    Attributes:
        rows: to be used.
        long_texts: how encoders read what is longer than they read at once.
    """

    rows: int
    long_texts: LongTexts


def measured(task: Task, settings: WorthSettings) -> Rates | None:
    """The rate of the study's encoders on a dozen of its texts; None where no encoder is at hand.

    An encoder that cannot be read is passed over here: the rung that wants it tells why.
    """
    rows = seeds.child(settings.seed, "quick").permutation(len(task.examples))[:_TRIED]
    some = task.examples.take(rows)
    texts = [*some.first, *(some.second or ())]
    window = cut = long = 0.0
    for model in settings.models:
        try:
            encoder = load_encoder(model)
        except WordworthError:  # told by the rung, which is skipped or refused
            continue
        encoder.pooled_layers(texts[:1])  # the first call prepares
        window += _seconds(encoder, texts, "window") / len(rows)
        cut += _seconds(encoder, texts, "cut") / len(rows)
        long = max(long, encoder.lengths(encoder.tokenizer.encode(texts)).windowed / len(texts))
    return Rates(window, cut, long) if window else None


def _seconds(encoder: TextEncoder, texts: Sequence[str], long_texts: LongTexts) -> float:
    began = time.perf_counter()
    encoder.pooled_layers(texts, long_texts=long_texts)
    return time.perf_counter() - began


def reduced(rows: int, rates: Rates | None, *, tagging: bool, limited: bool) -> Reduced:
    """What fits into the minute: the beginnings of long texts before fewer rows, and never fewer than 200 rows.

    Args:
        rows: of the task.
        rates: of its encoders.
        tagging: whether words are read, in windows always.
        limited: whether the user set a limit of rows, which is kept.
    """
    if rates is None or rows * rates.window <= ENCODING_S:
        return Reduced(rows, "window")
    cut = bool(rates.long) and not tagging
    each = rates.cut if cut else rates.window
    if limited or rows * each <= ENCODING_S:
        return Reduced(rows, "cut" if cut else "window")
    fewer = next((size for size in _ROWS if size * each <= ENCODING_S), _ROWS[-1])
    return Reduced(min(rows, fewer), "cut" if cut else "window")


def left_out(task: Task, before: int, kept: Reduced) -> Task:
    """The task with a warning of what the minute left out; as it was where that is nothing.

    Args:
        task: of the rows that are used.
        before: rows that a quick study would have used of these.
        kept: what was left.
    """
    told = []
    if kept.rows < before:
        told.append(f"{count_of(kept.rows, 'row')} of {before:,} were used")
    if kept.long_texts == "cut":
        told.append("encoders read only the beginning of texts longer than they read at once")
    if not told:
        return task
    text = f"For an answer within a minute {' and '.join(told)}: leave --quick out to use more."
    numbers = {"rows": kept.rows, "of": before, "long_texts": kept.long_texts}
    return replace(task, warnings=(*task.warnings, Finding("warning.quick", text, numbers)))
