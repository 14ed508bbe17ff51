"""The repeated design: what is counted over its cells and its label multiples."""

import json

import pytest

from paper import PAPER, corrected, count, keep, saved


def cell(p, *, larger=True, rung="random", measure="complexity"):
    told = {"larger_on_hard": larger, "survives_null": None if larger is None else larger and p <= 0.05}
    return {"measure": measure, "rung": rung, "p": p, **told}


def one(name, cells, multiples=()):
    return {"set": name, "cells": cells, "multiples": list(multiples)}


def multiple(value, state, rung="glove", direction="saved"):
    return {"rung": rung, "direction": direction, "multiple": value, "state": state}


def test_a_cells_p_is_corrected_for_all_cells_of_all_sets():
    sets = corrected(
        [one("mr", [cell(0.01), cell(None, larger=None), cell(0.04)]), one("cr", [cell(0.03), cell(0.005)])]
    )
    assert [of["p_holm"] for told in sets for of in told["cells"]] == pytest.approx([0.03, None, 0.06, 0.06, 0.02])


def test_a_claim_that_the_correction_takes_back_is_not_counted_as_surviving():
    sets = corrected(
        [one("mr", [cell(0.01), cell(None, larger=None), cell(0.04)]), one("cr", [cell(0.03), cell(0.005)])]
    )
    found = count(sets)["random"]
    assert (found["cells"], found["survive_null"], found["survive_holm"]) == (4, 4, 2)


def test_bounds_stay_at_risk_in_the_median_of_the_multiples():
    values = [(2, "exact"), (4, "exact"), (8, "exact"), (4, "more than"), (8, "more than")]
    sets = [one("mr", [], [multiple(*value), multiple(99, "exact", direction="needed")]) for value in values]
    assert saved(sets) == {"glove": 8}


def test_what_is_counted_is_written_beside_the_sets_and_apart_for_those_of_the_paper(tmp_path):
    sets = [one("mr", [cell(0.01)], [multiple(2, "exact")]), one("rte", [cell(0.02)], [multiple(4, "exact")])]
    keep(tmp_path / "paper.json", sets)
    told = json.loads((tmp_path / "paper.json").read_text(encoding="utf-8"))
    assert any(name.startswith("mr/") for name in PAPER)
    assert [told["counts"][group]["random"]["cells"] for group in ("paper_sets", "all_sets")] == [1, 2]
    assert [of["cells"][0]["p_holm"] for of in told["sets"]] == [0.02, 0.02]
