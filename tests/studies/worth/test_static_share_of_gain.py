"""What a static table keeps of an encoder's gain: the ratio, its interval, and when there is none."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.studies.fake_ladder import task

from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.static_share_of_gain import JUDGED_ON, MISSED, predicted, share_of_gain
from wordworth.studies.worth.study import rungs_of

NAMES = ("table", "encoder", "random")


def scores(items=2_000, draws=400, **accuracies):
    """Scores of rungs that are right on the first so many of the items, in three runs alike."""
    rng = np.random.default_rng(0)
    weights = rng.multinomial(items, np.full(items, 1 / items), draws) / items
    table = {}
    for name, accuracy in accuracies.items():
        right = (np.arange(items) < accuracy * items).astype(float)
        table[name, 100] = RunScores(np.full(3, right.mean()), np.repeat((weights @ right)[None], 3, axis=0))
    return Scores(table, Bootstrap(draws, 0))


def test_a_table_half_way_between_the_floor_and_the_encoder_keeps_half():
    share = share_of_gain(scores(table=0.75, encoder=0.80, random=0.70), NAMES, 100)
    assert share.value == pytest.approx(0.5)
    assert 0.25 < share.interval.low < 0.5 < share.interval.high < 0.75


def test_a_table_as_good_as_its_encoder_keeps_all_and_one_as_poor_as_the_floor_nothing():
    assert share_of_gain(scores(table=0.8, encoder=0.8, random=0.7), NAMES, 100).value == pytest.approx(1)
    assert share_of_gain(scores(table=0.7, encoder=0.8, random=0.7), NAMES, 100).value == pytest.approx(0)
    assert share_of_gain(scores(table=0.65, encoder=0.8, random=0.7), NAMES, 100).value < 0


@pytest.mark.parametrize("encoder", [0.7, 0.6, 0.7005])
def test_there_is_no_share_of_a_gain_that_is_not_sure(encoder):
    share = share_of_gain(scores(table=0.75, encoder=encoder, random=0.70), NAMES, 100)
    assert math.isnan(share.value)
    assert math.isnan(share.interval.low)


def test_what_is_foretold_is_a_share():
    assert [predicted(share) for share in (-0.1, 0.4, 1.0)] == [0.0, 0.4, 1.0]
    assert math.isnan(predicted(math.nan))


@pytest.mark.parametrize(("choices", "there"), [({}, True), ({"distil": False}, False), ({"quick": True}, False)])
def test_the_table_is_a_rung_of_the_study_unless_left_out_or_in_haste(choices, there):
    names = {rung.name for rung in rungs_of(task(), WorthSettings(**choices))}
    assert ("minilm-static" in names) == there


def test_how_far_the_rule_is_off_is_what_was_found_on_real_data():
    record = json.loads((Path(__file__).parents[3] / "docs/records/static_share.json").read_text())
    apart = [one["kept"] - one["predicted"] for one in record["sets"] if one["state"] == "measured"]
    assert len(apart) == record["rule"]["sets"] == JUDGED_ON
    assert np.sqrt(np.mean(np.square(apart))) == pytest.approx(MISSED, abs=0.005)
