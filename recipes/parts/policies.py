"""The rules that people follow without a study, and what each of them costs in points.

A rule names a rung from what is known before anything is measured on the labels (or, for the best point estimate, from
a table of scores without intervals). Its regret is how far that rung truly falls short of the best one less epsilon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval
from wordworth.studies.worth.decision_rule import Verdict
from wordworth.tasks.task import Task

FEW_LABELS = 80
"""Labels a class up to which the published rule of thumb takes SetFit, and fine-tuning above.

The ladders here have no few-shot rung, so that frozen vectors stand for it; `few_labels.py` judges the rule as it is.
"""
_DRAWS = 1_000


def policies(verdict: Verdict, task: Task, labels: int) -> dict[str, str]:
    """Return the name of the rung that each rule names; a rule is left out where its rung was not measured.

    Args:
        verdict: of the study.
        task: the task.
        labels: the number of labels.
    """
    few = labels / max(len(task.classes), 1) <= FEW_LABELS
    named = {
        "the verdict": verdict.rung,
        "the best point estimate": verdict.best,
        "always TF-IDF": "tfidf",
        "always frozen MiniLM": "minilm",
        "always fine-tune": "minilm-finetuned",
        "by labels a class": "minilm" if few else "minilm-finetuned",
    }
    measured = {comparison.name for comparison in verdict.comparisons}
    return {policy: rung for policy, rung in named.items() if rung in measured}


def policy_regrets(rows: Sequence[Mapping[str, Any]], epsilon: float) -> dict[str, dict[str, Any]]:
    """Return each rule's mean regret in points with its 95 % interval over data sets, and its largest.

    Args:
        rows: of the studies, each with its data set, the true scores and what each rule names.
        epsilon: how far behind the best a rung may be without regret, on the metric's scale.
    """
    names = dict.fromkeys(policy for row in rows for policy in row["policies"])
    return {name: _regret(name, [row for row in rows if name in row["policies"]], epsilon) for name in names}


def _regret(name: str, rows: Sequence[Mapping[str, Any]], epsilon: float) -> dict[str, Any]:
    """Return the regret of one rule; data sets are resampled, as the draws of one share its rows."""
    regrets: dict[str, list[float]] = {}
    for row in rows:
        short = max(row["true"].values()) - epsilon - row["true"][row["policies"][name]]
        regrets.setdefault(row["set"], []).append(100 * max(0.0, short))
    means = np.array([float(np.mean(of_set)) for of_set in regrets.values()])
    drawn = seeds.child(0, "policies", name).integers(len(means), size=(_DRAWS, len(means)))
    span = interval(means[drawn].mean(axis=1))
    return {
        "studies": len(rows),
        "mean_regret": float(means.mean()),
        "between": [span.low, span.high],
        "largest": max(max(of_set) for of_set in regrets.values()),
    }
