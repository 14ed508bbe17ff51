"""Warnings about rungs that have one run, under the verdict."""

from dataclasses import replace

from tests.studies.worth.made_up import CHOSEN, TFIDF, FakeRung, constant, study

from wordworth.reports import render


def single_runs(record):
    return [finding for finding in record.findings if finding.name.startswith("warning.single_run.")]


def test_a_fine_tuned_rung_that_the_verdict_names_and_that_was_trained_once_is_warned_of():
    tuned = FakeRung("tuned", "finetuned", constant(0.95))
    (warning,) = single_runs(record := study(TFIDF, tuned, rows=1_600, chosen=replace(CHOSEN, quick=True)))
    assert warning.text.startswith("Tuned was trained once, and a second training may score differently.")
    assert warning.text.endswith("without the option quick it is trained 3 times.")
    assert warning.text.replace("'", "&#39;") in render(record)


def test_no_warning_where_it_was_trained_three_times_or_is_not_compared():
    tuned, frozen = FakeRung("tuned", "finetuned", constant(0.95)), FakeRung("frozen", "frozen", constant(0.99))
    assert not single_runs(study(TFIDF, tuned, rows=1_600))
    hopeless = FakeRung("tuned", "finetuned", constant(0.5))
    assert not single_runs(study(TFIDF, frozen, hopeless, rows=1_600, chosen=replace(CHOSEN, quick=True)))
