"""The sentences on expected costs say what the table says, and no more than its intervals show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant, task
from tests.studies.worth.test_expected_costs import COSTS
from tests.studies.worth.test_probability_scores import MENDED, TOO_SURE, TRUE, measured

from wordworth.reports.number_format import money
from wordworth.studies.worth.expected_costs import ExpectedCosts
from wordworth.studies.worth.expected_costs_finding import cost_finding
from wordworth.studies.worth.settings import WorthSettings


@pytest.fixture(scope="module")
def costs():
    return ExpectedCosts(measured(task(6_000), TRUE, TOO_SURE), COSTS)


def test_the_cheapest_rung_is_named_with_what_it_costs_and_by_how_much(costs):
    finding, row, second = (
        cost_finding(costs, WorthSettings(currency="€")),
        costs.row("true"),
        costs.row(costs.by_cost[1]),
    )
    assert finding.name == "expected_costs"
    amounts = [money(row[f"decision_cost{end}"], "€") for end in ("", "_low", "_high")]
    assert finding.text.startswith(
        f"By these costs, True is cheapest: {amounts[0]} (95 %: {amounts[1]} to {amounts[2]}) for 1,000 texts"
    )
    told = f"The next, always answering “class 1”, costs {money(second['difference'], '€')} more (95 %"
    assert told in finding.text
    assert "may be chance" not in finding.text
    assert finding.numbers["rung"] == "true"
    assert finding.numbers["difference"] == second["difference"]
    assert finding.numbers["next"] == second["rung"] == "majority"


def test_a_difference_that_chance_may_make_is_said_to_be_such():
    finding = cost_finding(ExpectedCosts(measured(task(400), TRUE, MENDED), COSTS), WorthSettings())
    assert finding.numbers["difference_low"] <= 0
    assert "more, which may be chance (95 % for all rungs together: −$" in finding.text


def test_the_constant_answer_and_the_threshold_of_two_classes_are_told(costs):
    finding = cost_finding(costs, WorthSettings())
    assert f"Always answering “class 1” costs {money(finding.numbers['constant_cost'], '$')} (95 %" in finding.text
    name = finding.numbers["positive"]
    share = {"class 1": "4.9 %", "class 0": "95.1 %"}[name]
    assert f"If probabilities are right, answering “{name}” costs least from {share} on." in finding.text


def test_where_no_rung_is_cheaper_than_a_constant_answer_that_is_said():
    costs = np.array([[0.0, 1.0], [1_000.0, 0.0]])
    study = measured(task(400), FakeRung("poor", "static", constant(0.5)))
    finding = cost_finding(ExpectedCosts(study, costs), WorthSettings())
    assert finding.numbers["rung"] == "majority"
    assert finding.text.startswith("By these costs, always answering “class 1” is cheapest: ")
    assert "Always answering" not in finding.text


def test_several_classes_have_no_threshold_and_a_ladder_of_one_rung_no_next():
    costs = ExpectedCosts(measured(task(300, classes=3)), 1 - np.eye(3))
    finding = cost_finding(costs, WorthSettings())
    assert "from a probability" not in finding.text
    assert "The next" not in finding.text
    assert not {"threshold", "next", "difference"} & finding.numbers.keys()


def test_labels_that_teach_nothing_may_save_nothing(costs):
    """The probabilities of these rungs are as good with any number of labels."""
    finding = cost_finding(costs, WorthSettings(label_price=0.5))
    numbers = finding.numbers
    assert numbers["saving_low"] <= 0 <= numbers["saving_high"]
    amounts = [money(numbers[f"saving{end}"], "$") for end in ("", "_low", "_high")]
    assert (
        f"100 more labels would save True about {amounts[0]} for 1,000 texts, perhaps nothing (95 %: {amounts[1]} to "
        f"{amounts[2]}); they cost $50." in finding.text
    )
    assert numbers["labels_paid_after"] is None


def test_a_constant_answer_learns_nothing_from_labels():
    study = measured(task(400), FakeRung("poor", "static", constant(0.5)))
    finding = cost_finding(ExpectedCosts(study, np.array([[0.0, 1.0], [1_000.0, 0.0]])), WorthSettings())
    assert "more labels" not in finding.text
