"""Why the verdict names one contextual rung where another may be as good: one sentence for each reason.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wordworth.sentence_formatting import join_words, points_phrase

if TYPE_CHECKING:
    from wordworth.studies.worth.decision_rule import RungComparison, Verdict
    from wordworth.studies.worth.scores import Scores


def why_named(verdict: Verdict, scores: Scores, labels: int, title: Callable[[str], str]) -> str:
    """Return in words why each contextual rung that may be as good as the named one is not named; "" without any.

    The rule names the cheapest adequate rung of those surely ahead of every cheap rung, or else the best of them.

    Args:
        verdict: a verdict by which context leads.
        scores: every rung's scores.
        labels: the number of labelled examples of the verdict.
        title: function from the name of a rung to its title.
    """
    by_reason: dict[str, list[str]] = {}
    for rival in _rivals(verdict, scores, labels):
        by_reason.setdefault(_why_not(verdict, rival), []).append(title(rival.name))
    return "".join(
        f" {join_words(titles)} {reason.format(are='is' if len(titles) == 1 else 'are', named=title(verdict.rung))}"
        for reason, titles in by_reason.items()
    )


def _rivals(verdict: Verdict, scores: Scores, labels: int) -> Iterator[RungComparison]:
    """Yield the contextual rungs that are not surely behind the named one, and are cheaper or score higher."""
    named, is_before = verdict.of(verdict.rung), True
    for rung in verdict.contextual:
        if rung.name == named.name:
            is_before = False
            continue
        is_rival = rung.name not in scores.dropped and (is_before or rung.mean > named.mean)
        if is_rival and scores.gap_interval(rung.name, named.name, labels).high >= 0:
            yield rung


def _why_not(verdict: Verdict, rival: RungComparison) -> str:
    """Return the end of a sentence that begins with the titles of rungs: why they are not named."""
    named, margin = verdict.of(verdict.rung), points_phrase(verdict.margin)
    if named.adequate and rival.mean > named.mean:
        return f"may score higher, but surely by no more than {margin}."
    if rival not in verdict.surely_ahead:
        more = f"more than {margin} " if verdict.answer == "contextual is worth it" else ""
        return f"may be as good or better, but {{are}} not surely {more}ahead of every cheap rung."
    if named.adequate:
        return f"may be as good, but {{are}} not surely within {margin} of every other rung."
    return "may be as good; {named} is named because it scores highest of those surely ahead."
