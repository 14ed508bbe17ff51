"""GLUE's averages, held to the published tables."""

import numpy as np
import pytest

from wordworth.measures.glue_averages import BOARD, PAPER, board_average, paper_average

COLUMNS = ("mnli", "mnli_mm", "qqp", "qnli", "sst2", "cola", "stsb", "mrpc", "rte")
TABLE = {
    79.6: (84.6, 83.4, 71.2, 90.5, 93.5, 52.1, 85.8, 88.9, 66.4),
    82.1: (86.7, 85.9, 72.1, 92.7, 94.9, 60.5, 86.5, 89.3, 70.1),
    75.1: (82.1, 81.4, 70.3, 87.4, 91.3, 45.4, 80.0, 82.3, 56.0),
}
SMALL = {  # CoLA, SST-2, MRPC, STS-B, QQP, MNLI m and mm, QNLI, RTE, WNLI of Turc et al. 2019
    65.8: ((0,), (85.9,), (81.1, 71.8), (75.4, 73.3), (66.4, 86.2), (74.8, 74.3), (84.1,), (57.9,), (62.3,)),
    71.2: ((27.8,), (89.7,), (83.4, 76.2), (78.8, 77.0), (68.1, 87.0), (77.6, 77.0), (86.4,), (61.8,), (62.3,)),
    73.5: ((38.0,), (89.6,), (86.6, 81.6), (80.4, 78.4), (69.6, 87.9), (80.0, 79.1), (87.7,), (62.2,), (62.3,)),
}


@pytest.mark.parametrize("average", TABLE)
def test_the_papers_average_is_over_nine_columns(average):
    scores = {name: {PAPER[name]: np.array(value)} for name, value in zip(COLUMNS, TABLE[average], strict=True)}
    found = paper_average(scores | {"wnli": {"accuracy": np.array(65.1)}})
    assert found is not None
    assert round(float(found), 1) == average


@pytest.mark.parametrize("average", SMALL)
def test_the_leaderboards_average_is_over_nine_tasks(average):
    scores = {}
    for names, values in zip(BOARD, SMALL[average], strict=True):
        if len(names) == 2:
            scores |= {name: {"accuracy": np.array(value)} for name, value in zip(names, values, strict=True)}
        else:
            scores[names[0]] = {str(place): np.array(value) for place, value in enumerate(values)}
    found = board_average(scores)
    assert found is not None
    assert round(float(found), 1) == average


def test_there_is_no_average_where_a_task_is_missing():
    scores = {name: {PAPER[name]: np.array(1.0)} for name in COLUMNS if name != "rte"}
    assert paper_average(scores) is None
    assert board_average(scores) is None


def test_draws_are_averaged_one_by_one():
    scores = {name: {PAPER[name]: np.arange(3.0)} for name in COLUMNS}
    found = paper_average(scores)
    assert found is not None
    assert found.tolist() == [0, 1, 2]
