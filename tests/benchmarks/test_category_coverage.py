"""The simulated categories are as they say: leads of context, sizes, and what counts as false."""

from __future__ import annotations

import numpy as np
import pytest

from category_coverage import CONTEXTUAL, SIZES, Design, outcome, study_of, summary

LEADS = (0.0, 0.15) * (len(SIZES) // 2)


@pytest.mark.parametrize("folds", [False, True], ids=["test part", "folds"])
def test_context_leads_in_each_category_by_as_much_as_is_said(folds):
    design = Design("leads", LEADS, folds)
    cheap, contextual = design.rungs[1], design.rungs[1 + len(design.cheap)]
    assert design.accuracy(contextual) - design.accuracy(cheap) == pytest.approx(LEADS)
    right = {name: np.zeros(len(SIZES)) for name in (cheap.name, contextual.name)}
    for number in range(20):
        study = study_of(design, number)
        for result in study.rung_results:
            if result.rung.name in right:
                right[result.rung.name] += shares_right(study, result, design.category) / 20
    large = np.array(SIZES) >= 100
    for rung in (cheap, contextual):
        assert right[rung.name][large] == pytest.approx(design.accuracy(rung)[large], abs=0.04)


def shares_right(study, result, category):
    """The accuracy of a rung's runs on all labels in each category, float64 [categories]."""
    gold, hits, seen = study.task.gold(study.task.test), np.zeros(len(SIZES)), np.zeros(len(SIZES))
    for run in result.at(study.labels).runs:
        items = np.arange(len(gold)) if run.items is None else run.items
        hits += np.bincount(category[items], run.predictions.argmax(axis=1) == gold[items], len(SIZES))
        seen += np.bincount(category[items], minlength=len(SIZES))
    return hits / seen


def test_every_category_is_told_of_once_and_a_small_one_is_left_out():
    studies = outcome(Design("leads", LEADS), 0)
    assert sorted(row["rows"] for row in studies["printed"]) == sorted(size for size in SIZES if size >= 30)
    assert [row["rows"] for row in studies["left out"]] == [12]


def test_one_false_category_makes_a_study_false():
    row = {"covered": True, "false": False, "helps": False, "width": 0.2}
    good = {"printed": [{**row, "rows": 30}, {**row, "rows": 100}], "left out": [{**row, "rows": 12}]}
    bad = {**good, "printed": [{**row, "rows": 30, "covered": False, "false": True}, {**row, "rows": 100}]}
    figures = summary([good, bad])
    assert (figures["false in a study"], figures["all covered"]) == (0.5, 0.5)
    assert figures["30 rows"]["false"] == 0.5
    assert figures["100 rows"]["covered"] == 1


def test_the_ladder_has_six_rungs():
    assert len(Design("leads", LEADS).rungs) == 6
    assert max(CONTEXTUAL) == max(Design("leads", LEADS).cheap)
