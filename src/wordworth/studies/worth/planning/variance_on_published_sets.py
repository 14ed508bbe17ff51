"""The variance of differences between rungs on published data sets: what a plan rests on before there is any label.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

`recipes/validity.py` ran the study on two random samples of 1,200 labels from each of eleven published data sets that
are measured by accuracy. `docs/records/validity.json` holds the width of the 95 % interval of the difference between
the best cheap and the best contextual rung. The variance per test label that gives this width is N (width / 2 / 1.96)²,
with N = 1,200; it includes the variance due to the draw of the training labels. The constants are its percentiles over
the 22 studies; a test computes them again from the record.
"""

from __future__ import annotations

from wordworth.measures.bootstrap import Interval
from wordworth.studies.worth.gap_variance import GapVariance
from wordworth.studies.worth.planning.rung_pair import Pair

SETS, ROWS = 11, 1_200
LEAST, MEDIAN, MOST = 0.150, 0.287, 0.408
"""The 10th, the 50th and the 90th percentile of the variance per test label, on the scale of accuracy."""


def usual_pair(variance: float) -> Pair:
    """Return a pair that stands for rungs on published data sets.

    The names of its rungs are empty, and the rungs disagree on all texts, so that their disagreement does not limit the
    differences that can be detected.

    Args:
        variance: variance of the difference in accuracy (a share of 1) of the two rungs on one test label.
    """
    return Pair("", "", 1.0, Interval(0.0, 1.0), GapVariance(variance, 0.0, 0.0, 0.0, 1.0), 1)
