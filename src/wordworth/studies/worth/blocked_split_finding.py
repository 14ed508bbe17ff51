"""The finding on how a split by groups or by time changes scores and intervals, compared with a random split.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

A split by groups keeps all rows of a group in one part, and a split by time tests on the latest rows. Scores then hold
for new groups or later rows. The finding compares the score of a rung with its score after learning from rows drawn at
random (Roberts et al. 2017, "Cross-validation strategies for data with temporal, spatial, hierarchical, or phylogenetic
structure"). With groups, the finding also compares the interval of the verdict's difference with the interval that rows
independent of their group would give.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.sentence_formatting import points, signed_range
from wordworth.studies.worth.random_split_score import RandomSplit, without_groups
from wordworth.studies.worth.score_predictions import measure

if TYPE_CHECKING:
    from wordworth.measures.bootstrap import Interval
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult


def blocked_split_finding(study: StudyResult) -> Iterator[Finding]:
    """Yield a finding on how a split by groups or by time changes scores and intervals, against a random split.

    Nothing is yielded if the study's split is neither by groups nor by time.
    """
    split = study.random_split
    if split is None:
        return
    numbers = {"rung": split.rung, "random_score": split.score, **split.interval.columns("random_")}
    sentences = [_score_sentence(study, split)]
    first, second = study.verdict.compared_pair
    if study.task.examples.groups is not None and first != second:
        span = study.scores.gap_interval(first, second, study.labels)
        alone = _scores_of_rows(study).gap_interval(first, second, study.labels)
        sentences.append(
            f"The interval of {study.title(first)} less {study.title(second)} is that of new groups "
            f"({signed_range(span.low, span.high)}); it would be another if the rows of a group were independent "
            f"({signed_range(alone.low, alone.high)})."
        )
        numbers |= {"first": first, "second": second, **span.columns("groups_"), **alone.columns("rows_")}
    yield Finding("method.blocked_split", " ".join(sentences), numbers)


def _score_sentence(study: StudyResult, split: RandomSplit) -> str:
    """Return the sentence on the score of the rung `split.rung`, with the study's split and with a random split."""
    own = study.scores.score_interval(split.rung, study.labels)
    where = "on the latest rows" if split.by_time else "on groups that it did not learn from"
    of = "time" if split.by_time else "group"
    return (
        f"{study.title(split.rung)} scores {_score(study.scores.mean(split.rung, study.labels), own)} {where}; after "
        f"learning from as many rows drawn at random, whatever their {of}, {_score(split.score, split.interval)} on "
        "others."
    )


def _score(score: float, span: Interval) -> str:
    return f"{points(score)} (95 %: {points(span.low)} to {points(span.high)})"


def _scores_of_rows(study: StudyResult) -> Scores:
    """Return the scores of runs on all labelled examples, with bootstrap resamples of rows instead of whole groups."""
    task, at_top = study.task, [result.at(study.labels) for result in study.rung_results]
    scores = measure(at_top, without_groups(task), metric(task.metric, task.classes), study.scores.bootstrap)
    return replace(scores, runs_from=study.scores)
