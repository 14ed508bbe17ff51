"""Colours that everyone can tell apart and read, in both themes."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from wordworth.reports.charts.palette import (
    DARK,
    LIGHT,
    SERIES,
    SLOTS,
    SeriesStyle,
    Theme,
    ladder_styles,
    marker,
    markers_path,
)

LADDER = {
    "majority": "constant", "tfidf": "counts", "random": "random", "glove": "static", "wordllama": "static",
    "minilm": "frozen", "hybrid": "hybrid", "finetuned": "finetuned",
}  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_guideline_has_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_of_every_colour_can_be_read(theme: Theme) -> None:
    for colour in (theme.text, theme.muted, theme.accent, *theme.inks):
        assert contrast(colour, theme.page) >= 4.5, colour


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_of_every_colour_can_be_seen(theme: Theme) -> None:
    for colour in theme.lines:
        assert contrast(colour, theme.page) >= 3, colour


# Linear RGB as people without red or green cones see it (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHT = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


def lab(colour: str, sight: str) -> np.ndarray:
    """CIE L*a*b* of `#rrggbb` (D65) as seen with that sight."""
    parts = np.array([int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)])
    linear = SIGHT[sight] @ np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear.clip(0, 1) / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_no_two_lines_look_alike_to_anyone(theme: Theme, sight: str) -> None:
    pairs = itertools.combinations(theme.lines, 2)
    apart = {pair: float(np.linalg.norm(lab(pair[0], sight) - lab(pair[1], sight))) for pair in pairs}
    assert min(apart.values()) > 10, min(apart, key=lambda pair: apart[pair])


def test_each_rung_of_the_usual_ladder_has_a_colour_and_a_shape_of_its_own() -> None:
    found = ladder_styles(LADDER)
    assert len({look.slot for look in found.values()}) == len(LADDER)
    assert len({look.marker for look in found.values()}) == len(LADDER)
    assert found["majority"].slot == 0


def test_a_family_keeps_its_colour_when_other_rungs_leave() -> None:
    fewer = {rung: family for rung, family in LADDER.items() if rung in {"tfidf", "minilm"}}
    assert ladder_styles(fewer) == {rung: ladder_styles(LADDER)[rung] for rung in fewer}


def test_rungs_that_must_share_a_colour_differ_in_shape() -> None:
    found = ladder_styles({f"vectors {place}": "static" for place in range(2 * SLOTS)})
    assert len({(look.slot, look.marker) for look in found.values()}) == 2 * SLOTS


def test_every_family_has_a_colour() -> None:
    families = ["constant", "counts", "random", "static", "frozen", "hybrid", "finetuned"]
    assert len({ladder_styles({family: family})[family].slot for family in families}) == len(families)


def test_of_nine_rungs_two_of_one_family_share_a_colour_and_none_of_two():
    ladder = {"majority": "constant", "tfidf": "counts", "random": "random", "glove": "static", "wordllama": "static"}
    ladder |= {"table": "static", "minilm": "frozen", "both": "hybrid", "tuned": "finetuned"}
    found = ladder_styles(ladder)
    slots = {}
    for rung, look in found.items():
        slots.setdefault(look.slot, set()).add(ladder[rung])
    assert all(len(families) == 1 for families in slots.values())
    assert len({(look.slot, look.marker) for look in found.values()}) == len(ladder)


@pytest.mark.parametrize("style", [*SERIES, SeriesStyle(0, "disc-hole")])
def test_many_markers_are_one_path_that_stands_where_single_ones_do(style):
    d = markers_path(style, [(10.0, 20.0), (30.0, 40.0)], 4)
    assert d.count("M") == d.count("z") == 2
    single = re.findall(r'points="([\d.-]+),([\d.-]+)', marker(style, 30, 40, size=4))
    start = single[0] if single else ("26.0", "40.0")
    assert f"M{start[0]} {start[1]}" in d
