"""The tables of a record of layers."""

import numpy as np
from tests.studies.layers.test_edge_probing import probing

from wordworth.studies.layers.probing_tasks import TASKS
from wordworth.studies.layers.tables import ORDER, tables_of


def steps(**edges):
    return tables_of([], edges, {})["steps"].rows()


def test_steps_are_those_of_the_published_order_between_the_tasks_that_are_there():
    early, late = probing([0.2, 0.9, 0.92, 0.92]), probing([0.2, 0.25, 0.3, 0.9])
    (step,) = steps(rel=late, mine=late, pos=early)
    assert (step["first"], step["second"], step["later"], step["earlier"]) == ("pos", "rel", True, False)
    (back,) = steps(rel=early, pos=late)
    assert (back["later"], back["earlier"]) == (False, True)
    (same,) = steps(pos=early, dep=early)
    assert not same["later"]
    assert not same["earlier"]


def test_a_step_to_a_task_without_an_expected_layer_is_not_told():
    (step,) = steps(pos=probing([0.2, 0.9, 0.9, 0.9]), dep=probing([0.9, 0.9, 0.9, 0.9]))
    assert not step["later"]
    assert np.isnan(step["difference"])


def test_gains_add_up_and_those_below_0_are_counted():
    tables = tables_of([], {"pos": probing([0.2, 0.9, 0.8, 0.85])}, {})
    rows = tables["depths"].rows()
    assert rows[0]["gain"] is None
    assert np.isclose(sum(row["gain"] for row in rows[1:]), rows[-1]["f1"] - rows[0]["f1"])
    assert tables["expected"].rows()[0]["negative"] == 1


def test_every_task_that_is_known_is_in_the_order():
    assert tuple(TASKS) == ORDER
