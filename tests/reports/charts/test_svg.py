"""Elements and text of SVG."""

from __future__ import annotations

import pytest

from wordworth.reports.charts.svg import fit, tag, text_width


def test_elements_escape_what_they_are_given() -> None:
    assert tag("text", "<b>", class_='"&') == '<text class="&#34;&amp;">&lt;b&gt;</text>'


@pytest.mark.parametrize("width", [5, 30, 80, 500])
def test_names_are_cut_to_the_room_there_is(width: float) -> None:
    words = fit("A name that is quite long", 12, width)
    assert words
    assert text_width(words, 12) <= width or len(words) <= 2
