"""Functions that format numbers for readers; a missing number is written as missing, never as 0."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wordworth.sentence_formatting import decimal, duration, percent, points, signed, significant, with_capital

ABSENT = "–"
_LEAST_MONEY, _MOST_SPEED = 0.001, 1e6
_LEAST_MISSING, _MOST_DIGITS = 0.1, 6
"""Percent below 100 from which one decimal tells two shares apart, and the most decimals that are written."""
_CENTS_FROM, _CENTS_TO = 0.1, 100
"""Amounts written in cents: less needs finer digits, more needs no cents."""
_TITLES = {
    "accuracy": "accuracy",
    "macro_f1": "macro F1",
    "micro_f1": "micro F1",
    "entity_f1": "entity F1",
    "matthews": "Matthews correlation",
    "spearman": "Spearman correlation",
    "pearson": "Pearson correlation",
    "r2": "R²",
}


def number(value: object) -> float | None:
    """Return a value of a record as a float, the texts `inf` and `-inf` as infinite; None if it is not a number."""
    if isinstance(value, str):
        return {"inf": math.inf, "-inf": -math.inf}.get(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return float(value)


def finite(value: object) -> float | None:
    """Return a value of a record as a finite number, which can be drawn; None if it is infinite or no number."""
    parsed = number(value)
    return parsed if parsed is not None and math.isfinite(parsed) else None


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit in which the scores of a metric are written, such as points, of which 100 are a score of 1."""

    title: str

    @property
    def opening(self) -> str:
        """The title as the beginning of a sentence: `Accuracy`."""
        return with_capital(self.title)

    def score(self, value: float | None) -> str:
        """Format a score in this unit, such as `78.4` for 0.784 in points."""
        return ABSENT if value is None else points(value)

    def gap(self, value: float | None) -> str:
        """Format a difference of two scores with its sign: `+1.2`, `−0.3`."""
        return ABSENT if value is None else signed(value)

    def tick(self, value: float) -> str:
        """Format a score on an axis, without needless digits."""
        return points_tick(value)

    def interval(self, low: float | None, high: float | None, *, signed: bool = False) -> str:
        """Format an interval as `76.9–79.8`, or with signs as `−2.1 to −0.3`.

        Args:
            low: the lower end; None gives an empty text.
            high: the upper end; None gives an empty text.
            signed: whether the ends are differences, which are written with a sign.
        """
        if low is None or high is None:
            return ""
        if signed:
            return f"{self.gap(low)} to {self.gap(high)}"
        return f"{self.score(low)}{' to ' if low < 0 else '–'}{self.score(high)}"

    @property
    def axis(self) -> str:
        """The title of an axis on which scores are drawn: the metric with its unit."""
        return f"{self.title} × 100" if self.title.endswith(("correlation", "²")) else f"{self.title} (points of 100)"


def unit(metric: str, title: str = "") -> Unit:
    """Return the unit of a metric's scores.

    Args:
        metric: name of the metric, as in settings.
        title: name of the metric for readers; if empty, the usual name is used.
    """
    name, _, of = metric.partition(":")
    known = f"F1 of “{of}”" if name == "f1" and of else _TITLES.get(name, "")
    measure, at, labels = metric.partition("@")
    usual = f"{measure.replace('f1', 'F1')} at {labels}" if at else metric.replace("_", " ")
    return Unit(known or title or usual)


def tick(value: float) -> str:
    """Format a value on an axis, without needless digits: `0.25`, `−3`."""
    return f"{value:g}".replace("-", "−")


def points_tick(value: float) -> str:
    """Format a share of 1 on an axis, in points of 100 without needless digits."""
    return tick(round(100 * value, 6))


def count(value: float | None) -> str:
    """Format a count with separators: `4,866`."""
    return ABSENT if value is None else f"{value:,.0f}"


def short_count(count: float) -> str:
    """Format a count in short form.

    >>> [short_count(n) for n in (500, 20_000, 3e6, 1e9)]
    ['500', '20 k', '3 M', '1 bn']
    """
    for size, unit in ((1e9, " bn"), (1e6, " M"), (1e3, " k")):
        if count >= size:
            return f"{count / size:.3g}{unit}"
    return f"{count:.3g}"


def figures(value: float | None, digits: int = 2) -> str:
    """Format a number with a few significant digits and with separators: `21,000`, `4.3`, `0.016`.

    Args:
        value: the number; None gives the text for an absent value.
        digits: number of significant digits.
    """
    return ABSENT if value is None else significant(value, digits)


def size_in_bytes(value: float | None) -> str:
    """Format a size such as `94 MB`, in powers of 1,000 as for disks."""
    if value is None:
        return ABSENT
    for scale, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= scale:
            return f"{figures(value / scale)} {name}"
    return f"{value:.0f} B"


def times(value: float | None) -> str:
    """Format a ratio with the sign of multiplication: `4.1 ×`, `310 ×`."""
    return ABSENT if value is None else f"{figures(value)} ×"


def money(value: float | None, currency: str) -> str:
    """Format an amount such as `$0.016`, `$9.60` or `−$1,184`; `under $0.001` for amounts too small to matter.

    Args:
        value: the amount; None gives the text for an absent value.
        currency: the sign of the currency.
    """
    if value is None:
        return ABSENT
    value += 0.0  # no negative zero
    if value <= -_LEAST_MONEY:
        return f"−{money(-value, currency)}"
    if value and abs(value) < _LEAST_MONEY:
        return f"under {currency}{_LEAST_MONEY}"
    if value < _CENTS_FROM and round(value, 2) != value:
        return f"{currency}{figures(value)}"
    return f"{currency}{value:,.{0 if value >= _CENTS_TO or value == round(value) else 2}f}"


def speed(value: float | None) -> str:
    """Format texts per second as `21,000`; above a million, where timings say nothing, as `over 1,000,000`.

    >>> speed(21_300), speed(1.3e8)
    ('21,000', 'over 1,000,000')
    """
    return "over 1,000,000" if value is not None and value > _MOST_SPEED else figures(value)


def seconds(value: float | None) -> str:
    """Format a duration: `0.8 s`, `3 min 20 s`, `2 h 5 min`."""
    return ABSENT if value is None else duration(value, exact=True)


def share(value: object) -> str:
    """Format a share in percent, `81 %`; a dash if there is no value."""
    parsed = finite(value)
    return ABSENT if parsed is None else percent(parsed)


def fine_share(value: object) -> str:
    """Format a share in percent with one decimal, with more just below 100, where one would hide a difference.

    >>> fine_share(0.8123), fine_share(0.99958), fine_share(1 + 1e-15), fine_share(None)
    ('81.2 %', '99.96 %', '100 %', '–')
    """
    parsed = finite(value)
    if parsed is None or parsed == 0 or parsed >= 1:
        return share(parsed)
    missing = 100 * (1 - parsed)
    digits = 1 if missing >= _LEAST_MISSING else min(_MOST_DIGITS, math.ceil(-math.log10(missing)))
    return percent(parsed, digits)


def in_points(value: object) -> str:
    """Format a share of 1 in points of 100, such as `78.4`; a dash if there is no value."""
    parsed = finite(value)
    return ABSENT if parsed is None else points(parsed)


def signed_points(value: object) -> str:
    """Format a share, such as a difference of accuracies, in points of 100 with its sign; empty if it is not finite."""
    return "" if (number := finite(value)) is None else signed(number)


def plus_minus(deviation: float | None) -> str:
    """Format the standard deviation of a score between 0 and 1, in points of 100: `± 1.2`."""
    return ABSENT if deviation is None else f"± {points(deviation)}"


def two_decimals(value: object) -> str:
    """Format a cosine or share for a title: two decimals; a dash if there is no value."""
    parsed = finite(value)
    if parsed is None:
        return ABSENT
    words = decimal(parsed, 2 if abs(parsed) < 100 else 0)  # noqa: PLR2004 - lengths may be large
    return "0.00" if words == "−0.00" else words


def exact(value: object) -> str:
    """Format a cosine or share for a table: three decimals; a dash if there is no value."""
    parsed = finite(value)
    return ABSENT if parsed is None else decimal(parsed)


def interval(low: object, high: object, write: Callable[[object], str] = exact) -> str:
    """Format an interval as `0.412 to 0.530`; empty if an end is missing.

    Args:
        low: lower end.
        high: upper end.
        write: function that formats an end.
    """
    return "" if finite(low) is None or finite(high) is None else f"{write(low)} to {write(high)}"


def multiple_interval(low: float | None, high: float | None, to: str = "–") -> str:
    """Format the interval of a label multiple: how many times as many labels one system needs to match another.

    An end that the measured numbers of labels do not bound is written as `or more` or `up to`.

    Args:
        low: the lower end; None gives an empty text.
        high: the upper end; None gives an empty text.
        to: the text between the two ends.

    >>> multiple_interval(1.4, 4.9), multiple_interval(1.4, math.inf), multiple_interval(0, 4.9)
    ('1.4–4.9', '1.4 or more', 'up to 4.9')
    >>> multiple_interval(0, math.inf), multiple_interval(None, 4.9)
    ('not bounded', '')
    """
    if low is None or high is None:
        return ""
    if low > 0 and math.isfinite(high):
        return f"{figures(low)}{to}{figures(high)}"
    if low > 0 or math.isfinite(high):
        return f"{figures(low)} or more" if low > 0 else f"up to {figures(high)}"
    return "not bounded"


def multiple(state: str | None, row: Mapping[str, object], name: str = "multiple") -> str:
    """Format a label multiple as `4.0 ×`, `≤ 1 ×`, `> 8 ×` or `never`; a dash if it is undefined.

    A label multiple says how many times as many labels one model needs to score as high as another.

    Args:
        state: whether the multiple is a value, a bound, or never reached; None if it is undefined.
        row: row of a table of the record, with the multiple.
        name: column of the multiple.
    """
    value = finite(row.get(name))
    if state == "never":
        return "never"
    if value is None:
        return ABSENT
    sign = {"at most": "≤ ", "more than": "> "}.get(state or "", "")
    return f"{sign}{times(value)}"
