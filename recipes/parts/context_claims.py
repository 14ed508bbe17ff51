"""The findings of Ethayarajh 2019 as decision rules, each answered yes, no or cannot tell.

A rule is a statistic of one measure's curve over the layers, and the range in which the finding holds. The answer is
yes where the statistic's whole interval is inside that range, no where it is outside, and else cannot tell. The paper's
own curves give yes to every rule (a test checks this), so that a no is about the models and not about the rule.

Layer 0 never counts: it is the input, and static in one of the three architectures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.sentence_formatting import count_of

Answer = Literal["yes", "no", "cannot tell"]
Statistic = Callable[[Floats], Floats]
"""Maps curves [..., layers], the input layer included, to one number each [...]."""

LEAST = 0.02
"""Cosines that differ by less count as equal."""
NEAR = 0.1
"""A similarity this close to the baseline counts as equal to it: half of the .20 by which ELMo and BERT exceed it in
the paper."""
ONE_VECTOR = 0.05
"""The paper's upper bound on the share of variance that one static vector explains."""
BERT, GPT, ELMO = "bert", "gpt", "bilm"


def rise(curves: Floats) -> Floats:
    """Return the mean of the upper half of the layers minus that of the lower half; a middle layer is in neither.

    Raises:
        BadInput: if there are fewer than two layers above the input.
    """
    layers = curves.shape[-1] - 1
    if layers < 2:
        what = f"a model of {count_of(layers, 'layer')} has no upper and lower ones"
        raise BadInput(what, mend="train models of two layers or more (--model-size)")
    half = layers // 2
    return floats(curves[..., -half:].mean(axis=-1) - curves[..., 1 : 1 + half].mean(axis=-1))


def upper(curves: Floats) -> Floats:
    """Return the mean of the upper half of the layers."""
    return floats(curves[..., -max(1, (curves.shape[-1] - 1) // 2) :].mean(axis=-1))


def largest(curves: Floats) -> Floats:
    """Return the largest value of all layers above the input."""
    return floats(curves[..., 1:].max(axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One finding of the paper.

    Attributes:
        name: short name.
        text: the claim in a sentence.
        of: the architectures that the claim is about; it holds if it holds for all of them.
        measure: the measure whose curve decides (`trained.curves`).
        further_measures: other measures of the same thing, which are reported but decide nothing.
        statistic: the statistic of the curve.
        low, high: the claim holds where the statistic is above `low` and below `high`.
    """

    name: str
    text: str
    of: tuple[str, ...]
    measure: str
    further_measures: tuple[str, ...] = ()
    statistic: Statistic
    low: float = -np.inf
    high: float = np.inf

    def answer(self, span: Interval) -> Answer:
        """Decide the claim from the interval of its statistic."""
        if self.low < span.low and span.high < self.high:
            return "yes"
        return "no" if span.low >= self.high or span.high <= self.low else "cannot tell"


CLAIMS = (
    Claim(
        name="upper_layers",
        text="Upper layers are more contextual: a word's occurrences are less alike there.",
        of=(BERT, GPT, ELMO),
        measure="self_similarity_adjusted",
        further_measures=("self_similarity_centred",),
        statistic=rise,
        high=-LEAST,
    ),
    Claim(
        name="sentence_elmo",
        text="In ELMo the words of a sentence grow more alike towards the top.",
        of=(ELMO,),
        measure="intra_sentence",
        further_measures=("between_words",),
        statistic=rise,
        low=LEAST,
    ),
    Claim(
        name="sentence_bert",
        text="In BERT the words of a sentence grow less alike towards the top.",
        of=(BERT,),
        measure="intra_sentence",
        further_measures=("between_words",),
        statistic=rise,
        high=-LEAST,
    ),
    Claim(
        name="sentence_gpt",
        text="In GPT the words of a sentence are no more alike than any words are.",
        of=(GPT,),
        measure="intra_sentence",
        further_measures=("between_words",),
        statistic=upper,
        low=-NEAR,
        high=NEAR,
    ),
    Claim(
        name="stop_words",
        text="Stop words are among the most contextual words.",
        of=(BERT, GPT, ELMO),
        measure="stop_words",
        statistic=upper,
        high=-LEAST,
    ),
    Claim(
        name="one_vector",
        text="One static vector explains less than 5 % of the variance of a word's occurrences, the null subtracted.",
        of=(BERT, GPT, ELMO),
        measure="explained_published_over_null",
        further_measures=(
            "explained_published",
            "explained_centred_over_null",
            "explained_centred",
            "explained_literal_over_null",
            "explained_literal",
        ),
        statistic=largest,
        high=ONE_VECTOR,
    ),
)


def together(answers: Sequence[Answer]) -> Answer:
    """Combine the answers of several architectures: no if one says no, yes if all say yes, else cannot tell."""
    if "no" in answers:
        return "no"
    return "yes" if answers and set(answers) == {"yes"} else "cannot tell"
