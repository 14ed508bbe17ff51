"""The verdict says what is lost and saved, what nobody measured, and for whom the folder is."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.inference.prune import GOOD_FOR, SmallerModel, with_first_layers
from wordworth.measures.paired_changes import Change
from wordworth.models.pruning import without_heads
from wordworth.reports.speed_cells import speed_lines
from wordworth.studies.prune.findings import method, random_heads, verdict, warnings

FACTS = {"metric_title": "accuracy", "measuring": 300, "ranking": 300, "onnx_bytes": None, "dtype": "bfloat16"}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return ww.load(write_tiny(tmp_path_factory.mktemp("tiny"))).model


@pytest.fixture(scope="module")
def removed(model):
    return SmallerModel("heads removed", without_heads(model, [(0, 1)]), ((0, 1),), np.ones((2, 4)))


def change(value, spread=0.01):
    return Change(value, np.linspace(value - spread, value + spread, 101))


def comparison(value=-0.02, random=(-0.05, -0.07)):
    return SimpleNamespace(score=0.8, score_before=0.82, change=change(value), random=tuple(map(change, random)))


def test_the_loss_has_its_interval_and_the_saving_is_counted(model, removed):
    finding = verdict(removed, model, comparison(), FACTS)
    assert finding.numbers["headline"] == "1 of 8 heads removed: −2.0 points of accuracy."
    assert "Accuracy is 80.0 on 300 rows that ranked no head, before 82.0: −2.0 points (95 %: −" in finding.text
    assert GOOD_FOR["heads removed"] in finding.text
    assert finding.numbers["low"] < finding.numbers["change"] < finding.numbers["high"]


def test_without_rows_nothing_is_said_of_scores_and_a_warning_says_so(model):
    finding = verdict(with_first_layers(model, 1), model, None, FACTS)
    assert finding.numbers["headline"] == "The first 1 of 2 layers: not scored."
    assert "change" not in finding.numbers
    assert [each.name for each in warnings(None, None)] == ["warning.not_scored"]
    assert not list(random_heads(None, FACTS))


def test_random_heads_are_said_beside_the_least_important_ones():
    (finding,) = random_heads(comparison(), FACTS)
    assert "2 times, change accuracy by −6.0 points in the mean (−7.0 to −5.0)" in finding.text
    assert finding.numbers["gain"] == pytest.approx(0.04)


@pytest.mark.parametrize(("rows", "few"), [(40, True), (300, False)])
def test_few_rows_are_a_warning(rows, few):
    names = [each.name for each in warnings(comparison(), SimpleNamespace(test=range(rows), warnings=()))]
    assert ("warning.few_rows" in names) is few


def test_the_method_and_the_clock_speak_of_what_was_measured_alone(model, removed):
    assert {each.name for each in method(removed, FACTS)} == {"method.importance", "method.training", "method.interval"}
    assert "Scores are computed in bfloat16" in list(method(removed, FACTS))[-1].text
    assert {each.name for each in method(with_first_layers(model, 1), {})} == {"method.training"}
    assert not list(speed_lines([], "before"))
