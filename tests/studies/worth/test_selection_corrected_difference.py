"""The printed difference of a definite verdict is no larger than measured, and never on the other side of its claim."""

import pytest
from tests.studies.worth.made_up import LABELS, judged, scores

from wordworth.studies.worth.selection_corrected_difference import corrected_difference


def corrected(margin=0.01, **rungs):
    made = scores(**{name: (mean, 0.5) for name, mean in rungs.items()})
    verdict = judged(made, margin)
    return verdict, made.gap(*verdict.compared_pair, LABELS), corrected_difference(verdict, made, LABELS)


def test_a_lead_far_beyond_the_margin_is_printed_as_measured():
    verdict, measured, printed = corrected(tfidf=70, minilm=90)
    assert verdict.answer == "contextual is worth it"
    assert printed.value == pytest.approx(measured, abs=1e-3)


@pytest.mark.parametrize("lead", [2.6, 2.8, 3.2, 4.0])
def test_a_lead_that_just_passed_is_corrected_downwards_but_not_below_the_margin(lead):
    verdict, measured, printed = corrected(tfidf=80, minilm=80 + lead)
    assert verdict.answer == "contextual is worth it"
    assert 0.01 <= printed.value <= measured + 1e-9
    assert 0.01 <= printed.interval.low <= printed.value <= printed.interval.high


def test_the_correction_is_smaller_the_further_the_lead_is_from_the_threshold():
    by_lead = [corrected(tfidf=80, minilm=80 + lead) for lead in (2.6, 3.2, 5.0)]
    corrections = [measured - printed.value for _, measured, printed in by_lead]
    assert corrections == sorted(corrections, reverse=True)


def test_a_rung_that_suffices_is_printed_as_no_more_than_the_margin_behind():
    verdict, _, printed = corrected(margin=0.02, tfidf=80, minilm=80)
    assert verdict.answer == "cheap suffices"
    assert printed.interval.low >= -0.02
    assert printed.interval.low <= printed.value <= printed.interval.high
