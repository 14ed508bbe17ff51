"""Build SVG: `tag` escapes its content, `text_width` estimates the length of a line of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from markupsafe import Markup, escape

__all__ = ["Markup", "fit", "path", "tag", "text_width", "wrapped", "wrapped_within"]

_ONE_LINE = 14
"""Longest name, in characters, that is written on one line beside what it names."""
_NARROW, _WIDE = set("iljtfrI.,:;|!'()[]- "), set("mwMW@%—…")


def tag(name: str, *children: str | Markup, **attributes: str | float | None) -> Markup:
    """Return one element: `class_` becomes `class`, `stroke_width` becomes `stroke-width`; None omits an attribute.

    Children and values are escaped unless they are `Markup` already.

    >>> tag("text", "a < b", x=1.25, class_="label")
    Markup('<text x="1.2" class="label">a &lt; b</text>')
    """
    written = [f' {_attribute_name(key)}="{_value(value)}"' for key, value in attributes.items() if value is not None]
    inner = Markup("").join(children)
    return Markup(f"<{name}{''.join(written)}>{inner}</{name}>")  # noqa: S704 - every part is escaped above


def _attribute_name(name: str) -> str:
    return name.rstrip("_") if name.endswith("_") else name.replace("_", "-")


def _value(value: str | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(escape(value))


def path(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return points joined by straight lines, as the `d` attribute of an SVG path.

    Args:
        points: the points, each as (x, y) in pixels.
        closed: whether the last point is joined to the first.
    """
    joined = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{joined}{'Z' if closed else ''}" if joined else ""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text in pixels in a wide system font; in most fonts the text is a tenth narrower.

    Args:
        text: the text.
        size: size of the font in pixels.
        bold: whether the font is bold.
    """
    return size * (1.12 if bold else 1.0) * sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    if letter in _NARROW:
        return 0.35
    if letter in _WIDE:
        return 0.9
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    return 0.7 if letter.isupper() else 0.6


def fit(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return the text; if it is too wide, its beginning with an ellipsis.

    Args:
        text: one line.
        size: font size in pixels.
        width: available width in pixels.
        bold: whether the font is bold.
    """
    if text_width(text, size, bold=bold) <= width:
        return text
    end = len(text)
    while end > 1 and text_width(text[:end].rstrip() + "…", size, bold=bold) > width:
        end -= 1
    return text[:end].rstrip() + "…"


def wrapped(name: str) -> list[str]:
    """Return a name as one line, or split into two lines of about the same length.

    >>> wrapped("TF-IDF + linear"), wrapped("WordLlama")
    (['TF-IDF', '+ linear'], ['WordLlama'])
    """
    words = name.split()
    if len(name) <= _ONE_LINE or len(words) == 1:
        return [name]
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(cuts, key=lambda pair: max(map(len, pair))))


def wrapped_within(name: str, size: float, width: float, *, bold: bool = False, most: int = 3) -> list[str]:
    """Split a name into as few lines as fit into a width, at most `most`.

    A word that is too wide is cut, and so is text that would need more lines.

    Args:
        name: the name.
        size: font size in pixels.
        width: available width in pixels.
        bold: whether the font is bold.
        most: largest number of lines, at least 1.

    >>> wrapped_within("attention from pronoun less random weights", 12, 110)
    ['attention from', 'pronoun less', 'random weights']
    """

    def fits(line: str) -> bool:
        return text_width(line, size, bold=bold) <= width

    if fits(name):
        return [name]
    balanced = wrapped(name)
    if most > 1 and all(map(fits, balanced)):
        return balanced
    lines = list[str]()
    for word in name.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and (fits(joined) or len(lines) == most):
            lines[-1] = joined
        else:
            lines.append(word)
    return [fit(line, size, width, bold=bold) for line in lines]
