"""Numbers as a person reads them."""

from __future__ import annotations

import math

import pytest

from wordworth.reports import number_format
from wordworth.reports.html import strip_control_chars


@pytest.mark.parametrize(
    ("value", "words"),
    [(21_300, "21,000"), (4.26, "4.3"), (0.01634, "0.016"), (0, "0"), (999.9, "1,000"), (None, "–"), (math.inf, "∞")],
)
def test_figures_keep_two_digits_that_matter(value: float | None, words: str) -> None:
    assert number_format.figures(value) == words


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0.047, "$0.047"), (0.04, "$0.04"), (0.39, "$0.39"), (9.6, "$9.60"), (9.0, "$9"), (46.72, "$46.72"),
     (1_184.4, "$1,184"), (0.0002, "under $0.001"), (0.0, "$0"), (-0.0, "$0"), (None, "–"),
     (-9.6, "−$9.60"), (-1_184.4, "−$1,184"), (-0.0002, "under $0.001")],
)  # fmt: skip
def test_money_has_two_decimals_for_cents_and_separators(amount: float | None, words: str) -> None:
    assert number_format.money(amount, "$") == words


@pytest.mark.parametrize(
    ("value", "words"), [(0.81, "81 %"), (-0.12, "−12 %"), (0.004, "under 1 %"), (None, "–"), (math.nan, "–")]
)
def test_a_share_is_in_percent_and_a_missing_one_is_not_zero(value: float | None, words: str) -> None:
    assert number_format.share(value) == words


@pytest.mark.parametrize(("value", "words"), [(0.7841, "78.4"), (1, "100.0"), (None, "–"), (math.nan, "–")])
def test_a_share_in_points_has_one_decimal_and_a_missing_one_is_not_zero(value: float | None, words: str) -> None:
    assert number_format.in_points(value) == words


@pytest.mark.parametrize(("value", "words"), [(64, "64 B"), (3_100_000, "3.1 MB"), (1.28e9, "1.3 GB"), (None, "–")])
def test_sizes_have_a_unit(value: float | None, words: str) -> None:
    assert number_format.size_in_bytes(value) == words


@pytest.mark.parametrize(("value", "words"), [(0.42, "0.42 s"), (200, "3 min 20 s"), (7_500, "2 h 5 min")])
def test_times_are_told_in_the_units_of_a_clock(value: float, words: str) -> None:
    assert number_format.seconds(value) == words


@pytest.mark.parametrize("value", [None, math.nan, "text", True, "nan"])
def test_what_is_no_number_is_missing_and_not_zero(value: object) -> None:
    assert number_format.number(value) is None


def test_infinity_survives_a_saved_record() -> None:
    assert number_format.number("-inf") == -math.inf
    assert number_format.finite("inf") is None


def test_points_have_one_decimal_a_sign_and_no_negative_zero() -> None:
    unit = number_format.unit("accuracy")
    assert unit.score(0.78394) == "78.4"
    assert unit.gap(-0.0123) == "−1.2"
    assert unit.gap(-0.0001) == "0.0"
    assert unit.interval(-0.03, 0.01, signed=True) == "−3.0 to +1.0"


@pytest.mark.parametrize(
    ("state", "value", "words"),
    [("exact", 4.04, "4.0 ×"), ("at most", 1.0, "≤ 1.0 ×"), ("more than", 8.0, "> 8.0 ×"), ("never", None, "never"),
     ("undefined", None, "–")],
)  # fmt: skip
def test_a_label_multiple_shows_what_is_known_of_it(state: str, value: float | None, words: str) -> None:
    assert number_format.multiple(state, {"multiple": value}) == words


def test_control_characters_become_visible() -> None:
    assert strip_control_chars("a\x00\x1b\x85\u202eb\nc\té") == "a␀␛\ufffdb\nc\té"


def test_points_with_a_sign_are_empty_for_what_is_no_number():
    assert number_format.signed_points(-0.023) == "−2.3"
    assert number_format.signed_points(None) == number_format.signed_points(math.nan) == ""


@pytest.mark.parametrize(
    ("metric", "title"), [("precision@3", "precision at 3"), ("f1@1", "F1 at 1"), ("span_f1", "span f1")]
)
def test_a_metric_without_a_title_is_written_in_words(metric: str, title: str) -> None:
    assert number_format.unit(metric).title == title
