import math

import pytest
from tests.integrations import records

from wordworth.errors import BadInput
from wordworth.integrations.record_scores import scores_of


@pytest.mark.parametrize("name", records.WORTH)
def test_a_verdict_states_the_scores_of_the_rung_to_use_the_main_metric_first(name):
    record = records.record(name)
    rung = record.finding("verdict").numbers["rung"]
    ladder = next(row for row in record.tables["ladder"].rows() if row["rung"] == rung)
    scores = scores_of(record)
    assert (scores[0].metric, scores[0].value) == (record.data["metric"], ladder["score"])
    assert (scores[0].details["low"], scores[0].details["high"]) == (ladder["low"], ladder["high"])
    assert len({score.metric for score in scores}) == len(scores)
    assert all(math.isfinite(score.value) for score in scores)


def test_a_fine_tuning_states_the_score_of_the_saved_run_and_the_mean_beside_it():
    (score,) = scores_of(records.finetuned())
    assert (score.value, score.details) == (0.81, {"mean": 0.8, "low": 0.75, "high": 0.85, "runs": 3})


def test_official_scores_stay_as_their_scorers_give_them():
    cola, squad = scores_of(records.evaluated())
    assert (cola.dataset, cola.split, cola.kind, cola.value) == ("cola", "dev", "classification", 61.2)
    assert (squad.kind, squad.details) == ("question_answering", {"items": 9})


@pytest.mark.parametrize("name", records.OTHERS)
def test_a_study_that_scores_no_model_is_refused(name):
    with pytest.raises(BadInput, match=f"a record of '{name}' has no scores of a model on a task"):
        scores_of(records.record(name))
