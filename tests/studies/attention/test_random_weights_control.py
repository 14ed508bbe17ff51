"""Heads beside random weights: what is above all of them is counted, and what luck would leave above them too."""

import numpy as np
import pytest
from tests.measures.test_attention_maps import softmax_maps, some_maps

from wordworth.studies.attention.random_weights_control import control_table
from wordworth.studies.attention.tables import tables_of


def rows(values, **others):
    figures = dict.fromkeys(("special", "self", "previous", "next", "across"))
    return [{**figures, "entropy": value, **others} for value in values]


def test_heads_above_and_below_all_random_ones_are_counted():
    [row] = control_table(rows([0.1, 0.6, 2.0]), rows([0.3, 0.7])).rows()
    assert row["figure"] == "entropy"
    assert (row["above"], row["below"]) == (1, 1)
    assert (row["lowest"], row["highest"], row["over_half"]) == (0.1, 2.0, 2)
    assert (row["random_lowest"], row["random_highest"], row["random_over_half"]) == (0.3, 0.7, 1)
    assert (row["mean"], row["random_mean"]) == (pytest.approx(0.9), 0.5)


def test_figures_that_no_head_has_have_no_row():
    table = control_table(rows([1.0], special=0.4), rows([1.0], special=float("nan")))
    assert table.columns["figure"] == ["entropy"]


def test_luck_is_what_heads_of_one_kind_leave_above_each_other():
    draw, own, random = np.random.default_rng(0).random((4_000, 12)), 5, 7
    above = (draw[:, :own] > draw[:, own:].max(1, keepdims=True)).sum(1).mean()
    [row] = control_table(rows(np.arange(float(own))), rows(np.arange(float(random)))).rows()
    assert row["luck"] == pytest.approx(above, rel=0.1)


def test_the_control_is_beside_the_first_of_two_models():
    first, second, random = (some_maps(weights=softmax_maps(seed), name=str(seed)) for seed in range(3))
    tables = tables_of([first, second], tables_of([random]))
    by_figure = {row["figure"]: row for row in tables["control"].rows()}
    alone = tables_of([first])["heads"].rows()
    assert by_figure["special"]["highest"] == max(row["special"] for row in alone)
    received = tables_of([random])["tokens"].columns["received"]
    assert tables["tokens"].columns["random"] == [*received, *[None] * len(received)]
    assert "control" not in tables_of([first])
