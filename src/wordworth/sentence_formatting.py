"""Numbers, lists and titles inside sentences, formatted the same way everywhere."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence


def percent(share: float, digits: int = 0) -> str:
    """Return a fraction of 1 as text in percent.

    Without decimals, a fraction above 0 but below 0.01 is written "under 1 %", and a fraction above 0.99 but below 1
    "over 99 %"; with decimals, the limits are one unit of the last decimal away from 0 and 100. Only 0 is thus written
    as 0 %, and only 1 as 100 %.

    Args:
        share: the fraction.
        digits: number of decimals.

    >>> percent(0.5), percent(0.034, 1), percent(0.004), percent(0.9996), percent(-0.12)
    ('50 %', '3.4 %', 'under 1 %', 'over 99 %', '−12 %')
    """
    least = 10.0 ** -(digits + 2)
    if 0 < share < least:
        return f"under {100 * least:.{digits}f} %"
    if 1 - least < share < 1:
        return f"over {100 - 100 * least:.{digits}f} %"
    return f"{decimal(100 * share, digits)} %"


def with_capital(text: str) -> str:
    """Return a text whose first letter is a capital; the other letters stay as they are.

    >>> with_capital("answer F1")
    'Answer F1'
    """
    return text[:1].upper() + text[1:]


def capitalised(text: str, openings: Iterable[str]) -> str:
    """Return a text in which each sentence that begins with one of some phrases begins with a capital.

    Args:
        text: one sentence or several.
        openings: the phrases.

    >>> capitalised("majority class leads. random vectors, too, beat minilm.", ["majority class", "random vectors"])
    'Majority class leads. Random vectors, too, beat minilm.'
    """
    for opening in openings:
        begins = rf"(?:^|(?<=[.?!] )){re.escape(opening)}"
        text = re.sub(begins, lambda match: with_capital(match[0]), text)
    return text


def decimal(value: float, digits: int = 3) -> str:
    """Return a number as text with a true minus sign.

    Args:
        value: the number.
        digits: number of decimals.

    >>> decimal(0.5742), decimal(-12.34, 1)
    ('0.574', '−12.3')
    """
    return f"{value:.{digits}f}".replace("-", "−")


def signed_decimal(value: float, digits: int = 3) -> str:
    """Return a number as text with its sign, a true minus sign if it is negative.

    Args:
        value: the number.
        digits: number of decimals.

    >>> signed_decimal(0.5742), signed_decimal(-0.012, 2)
    ('+0.574', '−0.01')
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def signed_decimal_with_range(value: float, low: float, high: float) -> str:
    """Return a difference as text, with three decimals, its sign and its 95 % interval.

    Args:
        value: the difference.
        low: lower end of its interval.
        high: upper end of its interval.

    >>> signed_decimal_with_range(0.0041, -0.003, 0.012)
    '+0.004 (95 %: −0.003 to +0.012)'
    """
    return f"{signed_decimal(value)} (95 %: {signed_decimal(low)} to {signed_decimal(high)})"


def significant(value: float, digits: int = 2) -> str:
    """Return a number as text with few significant digits, thousands separators and a true minus sign.

    Args:
        value: the number.
        digits: number of significant digits.

    >>> [significant(n) for n in (21_300, 4.3, 0.0161, 0, float("-inf"))]
    ['21,000', '4.3', '0.016', '0', '−∞']
    """
    if value == 0 or math.isinf(value):
        return "0" if value == 0 else ("∞" if value > 0 else "−∞")
    rounded = float(f"{value:.{digits - 1}e}")
    decimals = digits - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{max(0, decimals)}f}".replace("-", "−")


def points(value: float) -> str:
    """Return a score between 0 and 1 as text in points of 100, with one decimal and a true minus sign.

    >>> points(0.784), points(-0.012), points(-0.0001)
    ('78.4', '−1.2', '0.0')
    """
    return signed(value).removeprefix("+")


def signed(value: float) -> str:
    """Return a difference of scores in points of 100 with its sign (a true minus sign): `+1.2`, `−0.3`, `0.0`.

    >>> signed(0.012), signed(-0.003), signed(-0.0001), signed(float("inf"))
    ('+1.2', '−0.3', '0.0', '∞')
    """
    words = f"{100 * value:+.1f}".replace("+inf", "∞").replace("-inf", "-∞")
    return (words if words.strip("+-0.") else words.lstrip("+-")).replace("-", "−")


def points_phrase(value: float) -> str:
    """Return the size of a difference of scores in points of 100, with the unit and without the sign.

    >>> points_phrase(0.012), points_phrase(-0.01)
    ('1.2 points', '1.0 point')
    """
    number = points(abs(value))
    return f"{number} point" if number == "1.0" else f"{number} points"


def signed_range(low: float, high: float, level: float = 0.95) -> str:
    """Return the confidence interval of a difference of scores as text in points of 100, with its two-sided level.

    Args:
        low: the lower end, on a scale of 0 to 1.
        high: the upper end, on a scale of 0 to 1.
        level: the two-sided confidence level, from 0 to 1.

    >>> signed_range(-0.003, 0.012), signed_range(-0.003, 0.012, 0.9875)
    ('95 %: −0.3 to +1.2', '98.8 %: −0.3 to +1.2')
    """
    return f"{100 * level:.3g} %: {signed(low)} to {signed(high)}"


def signed_with_range(value: float, low: float, high: float, level: float = 0.95) -> str:
    """Return a difference of scores as text, in points of 100, with its confidence interval.

    Args:
        value: the difference, on a scale of 0 to 1.
        low: lower end of its interval.
        high: upper end of its interval.
        level: the interval's two-sided confidence level, from 0 to 1.

    >>> signed_with_range(0.004, -0.003, 0.012)
    '+0.4 points (95 %: −0.3 to +1.2)'
    """
    return f"{signed(value)} points ({signed_range(low, high, level)})"


def duration(seconds: float, *, exact: bool = False) -> str:
    """Return a duration as text, rounded to one unit: seconds, minutes or hours.

    Args:
        seconds: the duration.
        exact: whether the text has the next smaller unit too, as for a measured time.

    >>> [duration(s) for s in (8.4, 95, 341_959)], [duration(s, exact=True) for s in (0.84, 95, 7_530)]
    (['8 s', '2 min', '95 h'], ['0.84 s', '1 min 35 s', '2 h 5 min'])
    """
    minute, hour = 60, 3_600
    if exact and round(seconds) < minute:
        return f"{significant(seconds)} s"
    if exact:
        minutes, rest = divmod(round(seconds), minute)
        return f"{minutes} min {rest} s" if seconds < hour else f"{minutes // 60} h {minutes % 60} min"
    if round(seconds) < minute:
        return f"{seconds:.0f} s"
    return f"{seconds / minute:.0f} min" if seconds < 2 * hour else f"{seconds / hour:.0f} h"


def count_of(number: int, singular: str, many: str = "") -> str:
    """Return a number with its noun: `1 text`, `1,200 texts`.

    Args:
        number: the number.
        singular: the noun in the singular.
        many: the noun in the plural; "" adds an s to the singular.

    >>> count_of(1, "text stands", "texts stand"), count_of(1200, "text")
    ('1 text stands', '1,200 texts')
    """
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"


def some_of(number: int, total: int, singular: str, many: str) -> str:
    """Return "N of TOTAL" with a noun and a verb that agree with N.

    Args:
        number: the part, N.
        total: the whole.
        singular: plural noun and singular verb, written if `number` is 1.
        many: plural noun and plural verb, written for any other number.

    >>> some_of(1, 1200, "rows has", "rows have"), some_of(2, 1200, "rows has", "rows have")
    ('1 of 1,200 rows has', '2 of 1,200 rows have')
    """
    return f"{number:,} of {total:,} {singular if number == 1 else many}"


def corrected_level(comparisons: int) -> str:
    """Return the level of confidence intervals that are corrected for their number (Bonferroni) as text in percent.

    Args:
        comparisons: number of comparisons; 0 gives the level of one.

    >>> corrected_level(1), corrected_level(4)
    ('95 %', '98.8 %')
    """
    return f"{100 * (1 - 0.05 / max(1, comparisons)):.3g} %"


def passing_by_chance(comparisons: int, level: float) -> str:
    """Return a phrase on how many comparisons would be significant by chance without a correction for their number.

    Args:
        comparisons: number of comparisons.
        level: probability, from 0 to 1, that a comparison without a true difference is significant: 0.05 if its 95 %
            interval must exclude 0, 0.025 if its 95 % interval must lie above 0.
    """
    return f"{level * comparisons:.1f} would pass by luck without the correction"


def quoted(word: str) -> str:
    """Return a word in quotation marks.

    A word that is written from right to left gets Unicode isolates, so that the text after it is not reordered.

    >>> quoted("cat")
    '“cat”'
    """
    backwards = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in word)
    return f"“\u2068{word}\u2069”" if backwards else f"“{word}”"


def join_words(words: Sequence[str], most: int | None = None) -> str:
    """Return words joined by commas and a final `and`.

    Args:
        words: the words.
        most: maximal number of words that are named; those beyond are counted as others. None names all.

    >>> join_words(["GloVe"]), join_words(["TF-IDF", "GloVe", "MiniLM"])
    ('GloVe', 'TF-IDF, GloVe and MiniLM')
    >>> join_words(["TF-IDF", "GloVe", "MiniLM"], most=1)
    'TF-IDF and 2 others'
    """
    if most is not None and len(words) > most:
        words = [*words[:most], count_of(len(words) - most, "other")]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def one_spelling(label: str) -> str:
    """Return the canonical spelling of a label that is a truth value or a whole number; other labels unchanged.

    Programs write `True` or `true`, and `1` or `1.0`, for one label.

    >>> [one_spelling(label) for label in ("True", "FALSE", "1.0", "1.5", "Spam")]
    ['true', 'false', '1', '1.5', 'Spam']
    """
    if label.lower() in {"true", "false"}:
        return label.lower()
    return label.removesuffix(".0") if re.fullmatch(r"-?[0-9]+\.0", label) else label


def within(text: str, length: int) -> str:
    """Return a text of limited length: a longer text is cut, and its last character is an ellipsis.

    Args:
        text: the text.
        length: most characters of the result.

    >>> within("one two", 7), within("one two three", 7)
    ('one two', 'one tw…')
    """
    return text if len(text) <= length else f"{text[: length - 1]}…"


def shortened(text: str, most: int) -> str:
    """Return a text on one line, with runs of white space as one space; a long text is cut and gets an ellipsis.

    Args:
        text: the text.
        most: number of characters before the ellipsis.

    >>> shortened("one  two three", 7)
    'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
