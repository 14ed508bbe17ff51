"""What twice the labels would do for the rung that the verdict names, and to the verdict: predicted, not measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.measures.learning_curves import CONTROL, Extension
from wordworth.records import Finding
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.scores import Draws, RunScores, Scores
from wordworth.text_format import inline_title, signed

if TYPE_CHECKING:
    from wordworth.studies.worth.sensitivity import VerdictInputs

NAME = "condition.more_labels"
Extensions = Mapping[str, Extension | None]


def more_labels_finding(case: VerdictInputs, scores: Scores, verdict: Verdict, extensions: Extensions) -> Finding:
    """What twice the labels would bring the rung that the verdict names, and what the verdict would then be.

    Rungs without a fitted curve are left out of the second part; the rule's answer is then compared with its answer for
    the same rungs today.

    Args:
        case: the rungs and the margin.
        scores: every rung's scores.
        verdict: the verdict at all labels.
        extensions: each rung's curve beyond the labels there are, by name.
    """
    title, extension = inline_title(case.title(verdict.rung)), extensions.get(verdict.rung)
    if extension is None:
        text = f"{title} was measured at too few numbers of labels to say what more of them would bring."
        return Finding(NAME, text, {"changes": False})
    predicted, doubled = foretold(scores, extensions), int(extension.labels[0])
    known = [(name, family) for name, family in case.ladder if predicted.has(name, doubled)]
    without_curve = [inline_title(case.title(name)) for name, _ in case.ladder if not predicted.has(name, doubled)]
    then = judge(predicted, known, doubled, case.epsilon)
    now = judge(scores, known, case.labels, case.epsilon) if without_curve else verdict
    numbers = _gain(scores, verdict.rung, extension)
    verdict_text = _verdict_text(case.told(then), case.told(now), without_curve)
    if not verdict.contextual:
        verdict_text = f"By all such curves, {case.leads(then, verdict)} then."
    text = (
        f"With twice the labels ({doubled:,}), {title} would gain about {signed(numbers['gain'])} points "
        f"(95 %: {signed(numbers['low'])} to {signed(numbers['high'])}); {_basis(extension)}. "
        f"{verdict_text}"
    )
    answers = {
        "answer": then.answer,
        "rung": then.rung,
        "changes": case.told(then) != case.told(now),
        "without": without_curve,
    }
    return Finding(NAME, text, numbers | answers)


def _basis(extension: Extension) -> str:
    """What a predicted score is based on."""
    if extension.selection.family.name != CONTROL:
        return "this is read off a curve fitted to the smaller sizes, not measured"
    return (
        "this is its last score carried on, not a measurement: no curve fitted to the smaller sizes predicted "
        "that score better than the score before it did"
    )


def foretold(scores: Scores, extensions: Extensions) -> Scores:
    """The predicted scores at twice the labels of every rung that has a curve, in the form that the rule takes.

    The runs on all labels are shifted, in each resample by the gain of the curve fitted to it, so that differences stay
    paired and the differences between runs remain. The error of the curve's family at the held-out size, one doubling
    away as here, is an extra source of chance for each rung.
    """
    table = {}
    for rung, extension in extensions.items():
        if extension is not None:
            labels = scores.sizes(rung)[-1]
            now, gain = scores.table[rung, labels], _gains(scores, rung, extension)
            noise = seeds.child(scores.seed, "family error", rung).normal(0, extension.selection.error, scores.draws)
            shifted = RunScores(now.point + np.median(gain), now.by_draw + gain + noise)
            table[rung, int(extension.labels[0])] = shifted
    return replace(scores, table=table)


def _gains(scores: Scores, rung: str, extension: Extension) -> Draws:
    """float64 [draws]: the gain of the fitted curve over the score at all labels, in each resample."""
    gains: Draws = extension.scores[:, 0] - scores.score_draws(rung, scores.sizes(rung)[-1])
    return gains


def _gain(scores: Scores, rung: str, extension: Extension) -> dict[str, Any]:
    """The rung's predicted gain with its 95 % interval, and the error of each family of curves at the held-out size."""
    now, interval = scores.mean(rung, scores.sizes(rung)[-1]), extension.intervals[0]
    gain = float(np.median(_gains(scores, rung, extension)))
    errors = {name: error for name, error in extension.selection.errors.items() if math.isfinite(error)}
    numbers = {"labels": int(extension.labels[0]), "gain": gain, "low": interval.low - now, "high": interval.high - now}
    return {**numbers, "extrapolated": True, "family": extension.selection.family.name, "errors": errors}


def _verdict_text(then: str, now: str, without_curve: list[str]) -> str:
    """The rule's answer at twice the labels; `without_curve` are the rungs that have no curve to apply it to.

    >>> _verdict_text("cannot tell yet", "cannot tell yet", [])
    "By the verdict's rule on all such curves, the verdict stays."
    """
    if without_curve:
        gives = f"gives the same then as now: {now}" if then == now else f"gives now: {now}; and then: {then}"
        return (
            f"Without {' and '.join(without_curve)}, measured at too few numbers of labels, the verdict's rule {gives}."
        )
    stays = "the verdict stays" if then == now else f"it would be: {then}"
    return f"By the verdict's rule on all such curves, {stays}."
