from dataclasses import replace

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.representations.finetuning_settings import QUICK, FineTuning


def lengths(count, tokens=30):
    return np.full(count, tokens, dtype=np.int64)


@pytest.mark.parametrize(("texts", "epochs", "steps"), [(60, 1, 4), (60, 3, 12), (5, 2, 2), (8000, 3, 1500)])
def test_epochs_that_are_named_are_that_many_passes_whatever_bounds_the_default(texts, epochs, steps):
    assert FineTuning(epochs=epochs).plan(lengths(texts)).steps == steps
    assert replace(QUICK, epochs=epochs).plan(lengths(texts)).steps == steps
    assert FineTuning(epochs=epochs).plan(lengths(texts)).tokens == steps * 30 * min(texts, 16)


@pytest.mark.parametrize(("texts", "steps"), [(60, 150), (500, 256), (1000, 400), (4000, 500), (8000, 1000)])
def test_without_epochs_a_run_is_as_long_as_the_number_of_texts_asks_for(texts, steps):
    assert FineTuning().plan(lengths(texts)).steps == steps
    assert FineTuning(budget=30 * 16 * 7).plan(lengths(texts)).steps == 7


@pytest.mark.parametrize("epochs", [0, -1, 2.5, "3", True])
def test_epochs_that_are_no_number_of_passes_are_refused(epochs):
    with pytest.raises(BadInput, match=r"^epochs.*; give (a whole number|1 or more, or None)"):
        FineTuning(epochs=epochs)


@pytest.mark.parametrize("options", [
    {"batch_size": 0}, {"batch_size": 2.5}, {"learning_rate": -1}, {"learning_rate": "a"}, {"dropout": 2},
    {"warmup": 1}, {"most_tokens": 1}, {"restarts": -1}, {"budget": True},
])  # fmt: skip
def test_settings_out_of_range_are_refused(options):
    with pytest.raises(BadInput, match=f"^{next(iter(options))} .*; give "):
        FineTuning(**options)
