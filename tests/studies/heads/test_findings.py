"""The verdict's words follow from what was measured: can, may, or nothing goes."""

from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.inference.prediction_speed import Speed
from wordworth.measures.paired_changes import Change
from wordworth.models.pruning import ModelSize
from wordworth.studies.heads.findings import method, orders, verdict, warnings
from wordworth.studies.heads.pruning_curves import Curve

FACTS = {"metric": "accuracy", "metric_title": "accuracy", "choosing": 300, "measuring": 300}


def change(value, width=0.001):
    return Change(value, np.linspace(value - width, value + width, 101))


def results(num_within_margin=3, pruned=None, difference=1e-7, second=None):
    heads = {(layer, head): change(-0.2 if head == 0 else 0.0) for layer in (0, 1) for head in range(4)}
    names = ["importance", "gates", "by ablation", "reverse", *(f"random {number}" for number in range(1, 6))]
    values = {"importance": -0.01, "reverse": -0.3, "gates": -0.02, "by ablation": -0.04}
    curves = {name: Curve(name, (1, 2), (change(values.get(name, -0.1)),) * 2) for name in names}
    speed = {1: Speed(2.0, (1.1, 1.0, 1.2)), 32: Speed(1.0, (1.3, 1.2, 1.4))}
    variants = [
        SimpleNamespace(name="whole", size=ModelSize(8, 2, 1_000), speed=speed),
        SimpleNamespace(name="3 heads removed", size=ModelSize(5, 2, 900), speed=speed),
    ]
    measured = SimpleNamespace(
        heads={"zero": heads}, num_within_margin=num_within_margin, pruned=pruned or change(-0.002), curves=curves
    )
    known = {"difference": difference, "second": second, "dtype": "bfloat16"}
    return SimpleNamespace(measured=measured, variants=variants, **known)


def test_a_choice_that_costs_more_on_other_rows_is_not_advised():
    finding = verdict(results(pruned=change(-0.15, 0.2)), FACTS, margin=1.0)
    assert finding.numbers["headline"] == (
        "Whether heads can go is not clear: the 3 of 8 that were chosen cost more on other rows."
    )
    assert "1.0 point was allowed, which is less." in finding.text


def test_a_loss_of_the_whole_margin_is_not_said_to_be_beyond_it():
    finding = verdict(results(pruned=change(0.33 - 0.34, 0.02)), FACTS, margin=1.0)  # less than -0.01 by rounding alone
    assert finding.numbers["headline"] == "3 of 8 heads may go."
    assert verdict(results(pruned=change(0.33 - 0.34, 0)), FACTS, margin=1.0).numbers["sure"]


def test_heads_can_go_where_the_whole_interval_is_within_the_margin():
    finding = verdict(results(), FACTS, margin=1.0)
    assert finding.numbers["headline"] == "3 of 8 heads can go."
    assert "changes by −0.2 points (95 %: −0.3 to −0.1)" in finding.text
    assert "1.0 point was allowed." in finding.text
    assert "2 heads change the score beyond doubt, at a level corrected for 8 heads (0.4 would pass" in finding.text
    assert "they save 10 % of the encoder's parameters" in finding.text
    assert "1.30 times (1.20 to 1.40) as fast in batches of 32" in finding.text


def test_heads_may_go_where_the_interval_reaches_beyond_the_margin():
    finding = verdict(results(pruned=change(-0.005, 0.02)), FACTS, margin=1.0)
    assert finding.numbers["headline"] == "3 of 8 heads may go."
    assert "1.0 point was allowed, and the interval reaches further." in finding.text


def test_every_head_is_needed_where_the_first_tenth_costs_more_than_the_margin():
    finding = verdict(results(num_within_margin=0), FACTS, margin=1.0)
    assert finding.numbers["headline"] == "Every head is needed."
    assert "save" not in finding.text


def test_orders_are_beside_random_ones():
    finding = orders(results())
    assert finding.numbers["importance"] == pytest.approx(0.09)
    assert finding.numbers["reverse"] == pytest.approx(-0.2)
    assert finding.numbers["gates"] == pytest.approx(-0.01)
    assert finding.numbers["by ablation"] == pytest.approx(-0.03)
    assert "by what each head alone costs −3.0" in finding.text
    assert "+9.0 points beside random orders" in finding.text


def test_few_rows_and_one_run_are_warned_of():
    task = SimpleNamespace(test=np.arange(50), warnings=())
    names = [finding.name for finding in warnings(results(), task)]
    assert names == ["warning.few_rows", "warning.one_run"]
    (finding,) = warnings(results(second=change(0.013)), SimpleNamespace(test=np.arange(500), warnings=()))
    assert finding.name == "warning.second_run"
    assert "+1.3 points" in finding.text


def test_the_method_names_its_sources_and_the_largest_difference_of_removal():
    text = " ".join(finding.text for finding in method(results(), FACTS))
    assert "Michel et al. 2019" in text
    assert "Kovaleva et al. 2019" in text
    assert "1.0e-07" in text
    assert "scores are computed in bfloat16, importance and the check of removal in float32" in text
    assert "method.removal" not in [finding.name for finding in method(results(difference=None), FACTS)]
