"""What a record of distillation says: scores with intervals, no gain that is not shown, and the noise of the rows."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.reports.record_view import RecordView
from wordworth.reports.speed_cells import speed_lines, speed_rows
from wordworth.studies.distill.findings import findings_of, noise_floor
from wordworth.training.distillation.methods import METHODS


def test_the_noise_floor_of_published_test_sets():
    assert 100 * noise_floor(0.694, 277) == pytest.approx(2.8, abs=0.05)
    assert 100 * noise_floor(0.62, 273) == pytest.approx(3.0, abs=0.1)
    assert 100 * noise_floor(0.6, 60) == pytest.approx(6, abs=0.4)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_four_times_the_rows_halve_the_noise(accuracy, rows):
    assert noise_floor(accuracy, 4 * rows) == pytest.approx(noise_floor(accuracy, rows) / 2)
    assert noise_floor(accuracy, rows) <= 0.5 / math.sqrt(rows) + 1e-12


def test_sentences_have_the_scores_and_say_that_no_gain_is_shown(answered):
    record, _ = answered
    numbers, text = record.finding("verdict").numbers, record.verdict
    assert f"{100 * numbers['score']:.1f}" in text
    assert f"{100 * numbers['teacher']:.1f}" in text
    assert numbers["gain_low"] <= numbers["gain"] <= numbers["gain_high"]
    assert numbers["gained"] == "no gain or loss of kd by its teacher is shown"
    assert numbers["gained"] in text
    assert numbers["headline"].startswith("1 of 2 layers, ")
    assert numbers["gained"] in numbers["headline"]


def test_the_noise_the_order_and_few_seeds_are_reported(answered):
    record, _ = answered
    found = {finding.name: finding for finding in record.findings}
    assert found["noise"].numbers["deviation"] == pytest.approx(
        noise_floor(record.finding("verdict").numbers["teacher"], record.data["test"])
    )
    assert "From the lowest accuracy to the highest" in found["order"].text
    assert "five say more" in found["warning.few_seeds"].text
    assert "the option start with the value pretrained" in found["method.start"].text
    assert sum(finding.name == "method.loss" for finding in record.findings) == 3


def test_the_speed_is_that_of_student_and_teacher(answered):
    record, _ = answered
    first, second = speed_lines(speed_rows(RecordView.of(record)), "the teacher")
    assert "in batches of 32, the teacher" in first
    assert "one by one, the teacher" in second


def test_rows_too_few_for_a_dev_part_are_warned_of_in_one_line(answered):
    record, _ = answered
    assert record.data["dev"] == 0
    text = record.finding("warning.no_dev").text
    assert text.startswith(f"There was no dev part (10 % of {record.data['train']} training rows is fewer than 20):")
    assert text in [finding.text for finding in record.warnings]
    assert "no other rows chose anything" in record.finding("method.runs").text


@pytest.mark.parametrize(("dev", "warned"), [(0, True), (30, False)])
def test_only_a_lack_of_a_dev_part_is_warned_of(dev, warned, answered):
    facts = {**answered[0].data, "test": 300, "seeds": 5, "train": 150, "dev": dev, "cut": 0}
    runs = SimpleNamespace(results=[SimpleNamespace(state="finished")], method=METHODS["kd"])
    student = SimpleNamespace(name="kd", change_from_teacher=None, scored=SimpleNamespace(values=()), students=runs)
    comparison = SimpleNamespace(measured=(student,), teacher=0.5, start=None)
    names = [finding.name for finding in findings_of(comparison, (), facts) if finding.name.startswith("warning.")]
    assert names == ["warning.no_dev"] * warned
