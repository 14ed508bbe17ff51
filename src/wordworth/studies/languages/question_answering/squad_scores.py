"""F1 and exact match of each answer, by SQuAD's rules."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.measures.squad import scored
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.tasks.examples import Labels

MEASURES = ("span_f1", "exact_match")


def squad_scores(gold: Labels, answers: Sequence[str]) -> Floats:
    """Return F1 and exact match of each answer, float64 [n, 2], in the order of `MEASURES`.

    Args:
        gold: object [n], the gold answers of each question.
        answers: the predicted answers.
    """
    pairs = zip(gold, answers, strict=True)
    return floats([scored([each.text for each in right], answer)[::-1] for right, answer in pairs])
