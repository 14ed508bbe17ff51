"""Recipes are what they say, and every ingredient can be switched alone."""

import dataclasses
from pathlib import Path
from typing import get_args

import pytest

from wordworth.errors import BadInput
from wordworth.settings_validation import parse_duration
from wordworth.training.lr_schedules import CURVES, linear_curve
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import (
    FORMER_NAMES,
    MODERN,
    PAPER,
    Recipe,
    ScheduleName,
    recipe,
    todays_change,
)
from wordworth.training.pretraining.setup import scheduled
from wordworth.training.pretraining.step_plan import Plan


def test_the_papers_recipe_is_the_papers():
    assert (PAPER.batch_size, PAPER.learning_rate, PAPER.dropout, PAPER.mlm_probability) == (256, 1e-4, 0.1, 0.15)
    assert (PAPER.mask_replace_prob, PAPER.random_replace_prob, PAPER.weight_decay, PAPER.max_grad_norm) == (
        0.8,
        0.1,
        0.01,
        1.0,
    )
    assert (PAPER.lengths, PAPER.first_phase_fraction, PAPER.sequences) == ((128, 512), 0.9, "pairs")
    assert (PAPER.bias_correction, PAPER.lr_schedule, PAPER.beta2, PAPER.activation) == (
        False,
        "original",
        0.999,
        "gelu_tanh",
    )
    assert PAPER.scaled_init_std(256) == 0.02


def test_narrow_models_of_the_modern_recipe_begin_with_larger_weights():
    assert MODERN.scaled_init_std(768) == pytest.approx(0.02)
    assert MODERN.scaled_init_std(256) == pytest.approx(0.02 * 3**0.5)


@pytest.mark.parametrize(
    ("change", "name", "value"),
    [
        ("dropout=0.3", "dropout", 0.3),
        ("batch_size=7", "batch_size", 7),
        ("lengths=64,256", "lengths", (64, 256)),
        ("norm=pre", "norm", "pre"),
        ("bias_correction=no", "bias_correction", False),
        ("learning_rate=0.002", "learning_rate", 0.002),
        ("masking_unit=word", "masking_unit", "word"),
    ],
)
def test_one_ingredient_is_changed_and_no_other(change, name, value):
    assert recipe("modern", [change]) == dataclasses.replace(MODERN, **{name: value})


@pytest.mark.parametrize(
    "change",
    [
        "dropuot=0.1",
        "dropout",
        "dropout=much",
        "norm=sideways",
        "lengths=1",
        "constant_tokens=perhaps",
        "name=x",
        "lr_schedule=up",
        "batch_size=0",
        "max_grad_norm=-1",
        "max_grad_norm=nan",
        "dropout=1",
        "beta2=1.0",
        "learning_rate=0",
        "learning_rate=inf",
        "init_std=0",
        "warmup=-1",
        "mlm_probability=1.5",
        "weight_decay=-1",
        "anisotropy=-1",
    ],
)
def test_what_is_no_ingredient_or_no_value_of_it_is_refused(change):
    with pytest.raises(BadInput):
        recipe("modern", [change])


@pytest.mark.parametrize("text", ["", "soon", "5x", "m", "-3m", "0"])
def test_what_is_no_span_of_time_is_refused(text):
    with pytest.raises(BadInput, match="is not a duration"):
        parse_duration(text)


def test_however_short_a_run_is_its_rate_rises_over_a_hundred_updates():
    settings = PretrainingConfig(stores=(), out=Path("nowhere"), steps=200)
    rates = [scheduled(settings, Plan.of(200))(step) for step in range(200)]
    assert rates[11] == pytest.approx(0.12)
    assert max(rates[:50]) < 0.51


def test_a_run_with_a_long_warmup_keeps_its_curve():
    settings = PretrainingConfig(stores=(), out=Path("nowhere"), steps=10_000)
    rate = scheduled(settings, Plan.of(10_000))
    curve = linear_curve(settings.recipe.warmup)
    assert [rate(step) for step in (10, 300, 5_000)] == [curve((step + 0.5) / 10_000) for step in (10, 300, 5_000)]


def test_a_curve_that_is_none_is_refused_with_those_there_are():
    with pytest.raises(BadInput, match="one of linear, original, one-cycle, cosine, stable"):
        recipe("modern", ["lr_schedule=wsd"])


def test_every_curve_of_the_schedules_can_be_chosen():
    assert set(get_args(ScheduleName)) == set(CURVES)


@pytest.mark.parametrize(("former", "today"), FORMER_NAMES.items())
def test_a_former_name_of_a_setting_is_understood(former, today):
    assert today in Recipe.__dataclass_fields__
    assert former not in Recipe.__dataclass_fields__
    assert todays_change(f"{former}=1") == f"{today}=1"


def test_a_change_under_a_former_name_is_the_change_under_the_name_of_today():
    assert recipe("modern", ["rate=0.002", "unit=word"]) == recipe(
        "modern", ["learning_rate=0.002", "masking_unit=word"]
    )
