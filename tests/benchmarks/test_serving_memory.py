"""The growth of memory over requests: its slope, the interval of it, and the requests themselves."""

import json

import numpy as np
import pytest

import serving_memory
from serving_memory import body, of_memory, slope

WORDS = [f"w{number}" for number in range(1_000)]


def test_a_line_has_its_slope_and_no_interval():
    line = slope([0, 1, 2, 3, 4], [1, 3, 5, 7, 9])
    assert (line.low, line.value, line.high) == pytest.approx((2, 2, 2))


def test_the_interval_of_independent_errors_is_that_of_least_squares():
    from scipy import stats

    rng = np.random.default_rng(0)
    x = np.arange(200.0)
    y = 0.5 * x + rng.normal(size=200)
    line, plain = slope(x, y), stats.linregress(x, y)
    assert line.value == pytest.approx(plain.slope)
    if line.autocorrelation <= 0:
        assert line.high - line.value == pytest.approx(1.972 * plain.stderr, rel=1e-3)
    assert line.low < 0.5 < line.high


def test_intervals_of_errors_that_follow_one_another_hold_the_truth():
    rng, held = np.random.default_rng(1), 0
    for _ in range(300):
        errors = np.zeros(60)
        for step in range(1, 60):
            errors[step] = 0.6 * errors[step - 1] + rng.normal()
        line = slope(np.arange(60), errors)
        held += line.low <= 0 <= line.high
    assert held / 300 > 0.9


def test_memory_after_the_first_tenth_alone_decides_the_slope():
    samples = [(0, 100.0), (10, 200.0), *((number, 300.0 + number) for number in range(20, 101, 10))]
    memory = of_memory(samples)
    assert (memory["mb_before_any"], memory["mb_after_a_tenth"], memory["mb_at_the_end"]) == (100.0, 320.0, 400.0)
    assert memory["mb_per_million_requests"]["value"] == pytest.approx(1e6)


def test_requests_differ_in_length_and_are_the_same_by_number():
    texts = [json.loads(body(number, WORDS, "m"))["input"] for number in range(400)]
    assert texts == [json.loads(body(number, WORDS, "m"))["input"] for number in range(400)]
    lengths = {len(text.split()) for each in texts for text in each}
    assert min(lengths) == 1
    assert serving_memory.LONGEST / 2 < max(lengths) <= serving_memory.LONGEST + 1
    assert 20 < sum(len(each) == 8 for each in texts) < 70
    assert 20 < sum("zx" in each[0] for each in texts) < 70
