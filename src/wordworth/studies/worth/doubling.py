"""What twice the labels would bring the rung that the verdict names, and the verdict itself: foretold, not measured."""

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

    Rungs without a fitted curve are left out of that; what the rule gives is then set beside what it gives of the same
    rungs today.
    """
    title, found = inline_title(case.title(verdict.rung)), extensions.get(verdict.rung)
    if found is None:
        text = f"{title} was measured at too few numbers of labels to say what more of them would bring."
        return Finding(NAME, text, {"changes": False})
    ahead, more = foretold(scores, extensions), int(found.labels[0])
    known = [(name, family) for name, family in case.ladder if ahead.has(name, more)]
    left = [inline_title(case.title(name)) for name, _ in case.ladder if not ahead.has(name, more)]
    then = judge(ahead, known, more, case.epsilon)
    now = judge(scores, known, case.labels, case.epsilon) if left else verdict
    numbers = _gain(scores, verdict.rung, found)
    asked = _asked(case.told(then), case.told(now), left)
    if not verdict.contextual:
        asked = f"By all such curves, {case.leads(then, verdict)} then."
    text = (
        f"With twice the labels ({more:,}), {title} would gain about {signed(numbers['gain'])} points "
        f"(95 %: {signed(numbers['low'])} to {signed(numbers['high'])}); {_source(found)}. "
        f"{asked}"
    )
    answers = {"answer": then.answer, "rung": then.rung, "changes": case.told(then) != case.told(now), "without": left}
    return Finding(NAME, text, numbers | answers)


def _source(found: Extension) -> str:
    """What a foretold score is read off."""
    if found.selection.family.name != CONTROL:
        return "this is read off a curve fitted to the smaller sizes, not measured"
    return (
        "this is its last score carried on, not a measurement: no curve fitted to the smaller sizes foretold that "
        "score better than the score before it did"
    )


def foretold(scores: Scores, extensions: Extensions) -> Scores:
    """The scores at twice the labels of every rung that has a curve, in the form that the verdict's rule asks for.

    The runs on all labels are moved, in each resample by what the curve fitted to it gains, so that differences stay
    paired and what runs differ by is kept. What the curve's family was off by at the held-out size, one doubling away
    as here, is one more source of chance, a rung's own.
    """
    table = {}
    for rung, found in extensions.items():
        if found is not None:
            labels = scores.sizes(rung)[-1]
            now, gain = scores.table[rung, labels], _gains(scores, rung, found)
            error = seeds.child(scores.seed, "family error", rung).normal(0, found.selection.error, scores.draws)
            moved = RunScores(now.point + np.median(gain), now.by_draw + gain + error)
            table[rung, int(found.labels[0])] = moved
    return replace(scores, table=table)


def _gains(scores: Scores, rung: str, found: Extension) -> Draws:
    """float64 [draws]: what the fitted curve gains over all labels, in each resample."""
    gains: Draws = found.scores[:, 0] - scores.score_draws(rung, scores.sizes(rung)[-1])
    return gains


def _gain(scores: Scores, rung: str, found: Extension) -> dict[str, Any]:
    """What the rung would gain, with the 95 % interval, and how each family of curves did at the held-out size."""
    now, span = scores.mean(rung, scores.sizes(rung)[-1]), found.intervals[0]
    gain = float(np.median(_gains(scores, rung, found)))
    errors = {name: error for name, error in found.selection.errors.items() if math.isfinite(error)}
    numbers = {"labels": int(found.labels[0]), "gain": gain, "low": span.low - now, "high": span.high - now}
    return {**numbers, "extrapolated": True, "family": found.selection.family.name, "errors": errors}


def _asked(then: str, now: str, left: list[str]) -> str:
    """What the verdict's rule gives at twice the labels; `left` are the rungs that have no curve to ask.

    >>> _asked("cannot tell yet", "cannot tell yet", [])
    "By the verdict's rule, asked of all such curves, the verdict stays."
    """
    if left:
        gives = f"gives then what it gives now: {now}" if then == now else f"gives now: {now}; and then: {then}"
        return f"Without {' and '.join(left)}, measured at too few numbers of labels, the verdict's rule {gives}."
    stays = "the verdict stays" if then == now else f"it would be: {then}"
    return f"By the verdict's rule, asked of all such curves, {stays}."
