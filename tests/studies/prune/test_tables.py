"""A row for each of both models, what was not measured left open, and a row for each head of the whole one."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.inference.prune import SmallerModel, with_first_layers
from wordworth.models.pruning import with_zero_heads, without_heads
from wordworth.studies.prune.tables import HEADS, MODELS, heads_left, tables_of


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return ww.load(write_tiny(tmp_path_factory.mktemp("tiny"))).model


def test_a_model_that_was_not_scored_has_sizes_alone(model):
    tables = tables_of(model, with_first_layers(model, 1), (200, 100), None)
    assert set(tables) == {"models"}
    whole, smaller = tables["models"].rows()
    assert list(whole) == list(MODELS)
    assert (whole["heads"], whole["layers"], whole["bytes"], smaller["layers"], smaller["bytes"]) == (8, 2, 200, 1, 100)
    assert whole["score"] is smaller["score"] is smaller["change"] is None


@pytest.mark.parametrize(("make", "form"), [(without_heads, "heads removed"), (with_zero_heads, "heads set to zero")])
def test_heads_that_are_gone_have_a_rank(model, make, form):
    gone = ((0, 1), (1, 3))
    smaller = SmallerModel(form, make(model, gone), gone, np.arange(8.0).reshape(2, 4))
    rows = tables_of(model, smaller, (0, 0), None)["heads"].rows()
    assert list(rows[0]) == list(HEADS)
    assert [(row["layer"], row["head"], row["rank"]) for row in rows if row["rank"]] == [(1, 2, 1), (2, 4, 2)]
    assert [row["importance"] for row in rows] == list(range(8))
    assert heads_left(smaller) == 6
