"""The dots of a row and the words for them hold the same values."""

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import interval_dots, published_dot
from wordworth.reports.number_format import share

STYLE = SeriesStyle(1, "square")


def test_each_column_has_its_dot_and_its_words():
    row = {"accuracy": 0.5, "low": 0.4, "high": 0.6, "other": 0.2, "other_low": None, "other_high": None}
    series = ((STYLE, "head", "accuracy", ""), (STYLE, "offset", "other", "other_"))
    (first, second), described = interval_dots(row, series, share)
    assert (first.value, first.low, first.high, first.name) == (0.5, 0.4, 0.6, "head")
    assert (second.value, second.low, second.high) == (0.2, None, None)
    assert described == ((STYLE, "head 50 %, 40 % to 60 %"), (STYLE, "offset 20 %, "))


def test_what_was_published_is_a_hollow_dot_where_something_was():
    ((dot,), ((style, words),)) = published_dot({"published": 0.5}, share)
    assert (dot.value, dot.low, dot.high, dot.hollow, dot.name) == (0.5, None, None, True, "published")
    assert (style, words) == (dot.style, "published 50 %")
    assert published_dot({"published": None}, share) == ((), ())
