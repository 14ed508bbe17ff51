"""Colours and marker shapes of series, the same in all charts and tables of a page.

The eight hues are those of Okabe and Ito, which colour-blind readers can tell apart. Each has a light and a dark
variant, adjusted so that every line has a contrast of at least 3 to 1 with the page and every text of at least 4.5 to 1
(WCAG 2.2, 1.4.11 and 1.4.3), and so that readers with two kinds of cones can tell all lines apart. The shapes of
markers differ as well, for prints in black and white. The models that a `worth` study compares go from grey for the
cheapest kind of model to vermilion for the dearest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wordworth.reports.charts.svg import Markup, tag


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one theme as `#rrggbb`; `lines` (graphics) and `inks` (text) have a colour for each hue."""

    page: str
    text: str
    muted: str
    rule: str
    accent: str
    lines: tuple[str, ...]
    inks: tuple[str, ...]


LIGHT = Theme(
    page="#ffffff",
    text="#1c1e21",
    muted="#5b6168",
    rule="#d9dce0",
    accent="#005a8f",
    lines=("#717171", "#4a4a4a", "#3a96e7", "#c177a5", "#00a86d", "#a88c00", "#0072b2", "#a93f06"),
    inks=("#6b6b6b", "#3a3a3a", "#1767b5", "#9b3f75", "#006a45", "#746000", "#005a8f", "#9a3603"),
)
DARK = Theme(
    page="#15171a",
    text="#e6e7e9",
    muted="#a3a9b1",
    rule="#363b42",
    accent="#7cc4ff",
    lines=("#747a81", "#d0d4d9", "#56b4e9", "#c66fba", "#1fb88a", "#f0e442", "#5a93ea", "#ef7330"),
    inks=("#a3a9b1", "#dfe2e6", "#7cc6f0", "#df9dd2", "#45d0a5", "#f0e442", "#8ab4f5", "#ff9a63"),
)
SLOTS = len(LIGHT.lines)
_HOME = {"constant": 0, "counts": 1, "random": 2, "static": 3, "hybrid": 5, "frozen": 6, "finetuned": 7}
_MARKERS = ("circle", "square", "triangle", "diamond", "cross", "down", "disc-hole", "plus")


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """The style of a series: the index of its hue in `Theme.lines` and `Theme.inks`, and the shape of its marker."""

    slot: int
    marker: str

    @property
    def css(self) -> str:
        """The CSS class in which `--line` and `--ink` are the colours of this style."""
        return f"series-{self.slot}"


PLAIN = SeriesStyle(0, "circle")
_SERIES = ((6, "circle"), (7, "square"), (4, "triangle"), (3, "diamond"), (5, "down"), (2, "plus"), (1, "cross"))
SERIES = tuple(SeriesStyle(slot, shape) for slot, shape in _SERIES)
"""The styles of models, tables and senses, in the order in which they are used."""


def ladder_styles(families: Mapping[str, str]) -> dict[str, SeriesStyle]:
    """Return name of each model that `worth` compares -> its style in charts.

    The first model of a family has the family's colour, the same on every page. Each further model of the family gets
    the free colour nearest to it in the palette. When all colours are taken, models share a colour and differ in shape.

    Args:
        families: name of each model -> its family, such as `counts` or `frozen`; the cheapest model first.
    """
    taken: list[int] = []
    styles = {}
    positions = {rung: position for position, rung in enumerate(families)}
    firsts = {family: rung for rung, family in reversed(list(families.items()))}
    for rung in sorted(families, key=lambda rung: firsts[families[rung]] != rung):
        family, position = families[rung], positions[rung]
        slot = _free(_HOME.get(family, position % SLOTS), taken)
        turn = taken.count(slot)
        taken.append(slot)
        styles[rung] = SeriesStyle(slot, _MARKERS[(slot + 3 * turn) % len(_MARKERS)])
    return styles


def _free(home: int, taken: Sequence[int]) -> int:
    """Return the index of the least used hue, and among these of the nearest to `home`."""
    return min(range(SLOTS), key=lambda slot: (taken.count(slot), abs(slot - home), -slot))


def css() -> str:
    """Return the style sheet of the colours: light by default, dark if the reader or the system asks for it."""
    dark = _variables(DARK)
    return (
        f":root{{color-scheme:light;{_variables(LIGHT)}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"@media print{{:root,:root[data-theme=dark],:root:not([data-theme=light])"
        f"{{color-scheme:light;{_variables(LIGHT)}}}}}\n"
        + "".join(f".series-{slot}{{--line:var(--line-{slot});--ink:var(--ink-{slot})}}\n" for slot in range(SLOTS))
    )


def _variables(theme: Theme) -> str:
    plain = {name: getattr(theme, name) for name in ("page", "text", "muted", "rule", "accent")}
    lines = {f"line-{slot}": colour for slot, colour in enumerate(theme.lines)}
    inks = {f"ink-{slot}": colour for slot, colour in enumerate(theme.inks)}
    return "".join(f"--{name}:{colour};" for name, colour in {**plain, **lines, **inks}.items())


def marker(style: SeriesStyle, x: float, y: float, *, size: float = 4.5, hollow: bool = False) -> Markup:
    """Draw the marker of a style.

    Args:
        style: the style, whose shape is drawn.
        x: horizontal centre in pixels.
        y: vertical centre in pixels.
        size: pixels from the centre to the edge.
        hollow: draw the outline only.
    """
    kind = "marker hollow" if hollow else "marker"
    if style.marker in {"circle", "disc-hole"}:
        ring = tag("circle", cx=x, cy=y, r=size, class_=kind)
        hole = tag("circle", cx=x, cy=y, r=size * 0.4, class_="hole")
        return ring + hole if style.marker == "disc-hole" else ring
    corners = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in _SHAPES[style.marker])
    return tag("polygon", points=corners, class_=kind)


def markers_path(style: SeriesStyle, centres: Sequence[tuple[float, float]], size: float) -> str:
    """Return the markers of a style at many centres as the `d` attribute of one SVG path.

    A disc with a hole is drawn as a disc.

    Args:
        style: the style, whose shape is drawn.
        centres: centres in pixels.
        size: pixels from the centre of a marker to its edge.
    """
    if style.marker in {"circle", "disc-hole"}:
        half = f"a{size:.1f} {size:.1f} 0 1 0 "
        shape = f"{half}{2 * size:.1f} 0{half}{-2 * size:.1f} 0z"
        return "".join(f"M{x - size:.1f} {y:.1f}{shape}" for x, y in centres)
    corners = [(size * dx, size * dy) for dx, dy in _SHAPES[style.marker]]
    steps = [(x - px, y - py) for (px, py), (x, y) in pairwise(corners)]
    shape = "l" + " ".join(f"{dx:.1f} {dy:.1f}" for dx, dy in steps) + "z"
    return "".join(f"M{x + corners[0][0]:.1f} {y + corners[0][1]:.1f}{shape}" for x, y in centres)


def key(style: SeriesStyle) -> Markup:
    """Draw the marker of a style as a small picture that stands before a name in a line of text."""
    shape = marker(style, 7, 7, size=5)
    return tag("svg", shape, class_=f"key {style.css}", viewBox="0 0 14 14", width=14, height=14, aria_hidden="true")


_SHAPES = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
    "down": ((0, 1.15), (1.1, -0.85), (-1.1, -0.85)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "plus": (
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4),
        (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
    ),
    "cross": (
        (-1.1, -0.6), (-0.6, -1.1), (0, -0.5), (0.6, -1.1), (1.1, -0.6), (0.5, 0),
        (1.1, 0.6), (0.6, 1.1), (0, 0.5), (-0.6, 1.1), (-1.1, 0.6), (-0.5, 0),
    ),
}  # fmt: skip
