"""Elements and text of SVG."""

from __future__ import annotations

import pytest

from wordworth.reports.charts.svg import fit, tag, text_width, wrapped_within


def test_elements_escape_what_they_are_given() -> None:
    assert tag("text", "<b>", class_='"&') == '<text class="&#34;&amp;">&lt;b&gt;</text>'


@pytest.mark.parametrize("width", [5, 30, 80, 500])
def test_names_are_cut_to_the_room_there_is(width: float) -> None:
    words = fit("A name that is quite long", 12, width)
    assert words
    assert text_width(words, 12) <= width or len(words) <= 2


@pytest.mark.parametrize(("name", "width", "lines"), [
    ("likelihood", 110, ["likelihood"]),
    ("random weights", 80, ["random", "weights"]),
    ("attention from pronoun − random weights", 110, ["attention from", "pronoun − random", "weights"]),
    ("Donaudampfschifffahrtsgesellschaft", 110, ["Donaudampfschiff…"]),
    ("one two three four five six", 40, ["one", "two", "thre…"]),
])  # fmt: skip
def test_a_name_has_as_many_lines_as_it_needs_before_it_is_cut(name: str, width: float, lines: list[str]) -> None:
    found = wrapped_within(name, 12, width)
    assert [line.rstrip("…")[:4] for line in found] == [line.rstrip("…")[:4] for line in lines]
    assert [line.endswith("…") for line in found] == [line.endswith("…") for line in lines]
    assert all(text_width(line, 12) <= width for line in found)
