"""The published curves of Ethayarajh 2019, "How Contextual are Contextualized Word Representations?".

The curves are means over the paper's words, computed by `recipes/parts/context_published.py` from the statistics
released with the paper (github.com/kawine/contextual).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Curve = tuple[float | None, ...]
"""One value per layer, from the input layer on; None if no value was released."""


@dataclass(frozen=True, slots=True)
class Published:
    """The curves of one model by layer that Ethayarajh (2019) published, rounded to three decimals.

    Attributes:
        baseline: mean cosine of random words.
        self_similarity: self-similarity, mean over words, minus the baseline.
        intra_sentence: intra-sentence similarity, mean over sentences, minus the baseline.
        explained: maximum explainable variance by the formula of the released statistics (the measure
            `explained_published`), without adjustment.
    """

    baseline: Curve
    self_similarity: Curve
    intra_sentence: Curve
    explained: Curve


CURVES: Mapping[str, Published] = {
    "ELMo": Published(
        baseline=(0.008, 0.157, 0.136),
        self_similarity=(0.992, 0.587, 0.506),
        intra_sentence=(0.31, 0.425, 0.485),
        explained=(None, 0.033, 0.039),
    ),
    "BERT": Published(
        baseline=(0.105, 0.168, 0.219, 0.245, 0.327, 0.377, 0.42, 0.398, 0.399, 0.484, 0.561, 0.675, 0.477),
        self_similarity=(0.849, 0.753, 0.652, 0.578, 0.471, 0.404, 0.345, 0.346, 0.332, 0.27, 0.221, 0.164, 0.278),
        intra_sentence=(0.33, 0.354, 0.351, 0.345, 0.315, 0.318, 0.306, 0.313, 0.321, 0.287, 0.259, 0.195, 0.299),
        explained=(None, 0.01, 0.015, 0.02, 0.023, 0.024, 0.025, 0.028, 0.029, 0.026, 0.023, 0.026, 0.04),
    ),
    "GPT-2": Published(
        baseline=(0.611, 0.644, 0.597, 0.614, 0.587, 0.573, 0.578, 0.582, 0.595, 0.617, 0.667, 0.758, 0.978),
        self_similarity=(0.306, 0.277, 0.303, 0.294, 0.297, 0.292, 0.272, 0.26, 0.243, 0.223, 0.185, 0.129, 0.007),
        intra_sentence=(0.197, 0.181, -0.014, -0.065, -0.05, -0.014, 0.008, 0.032, 0.04, 0.041, 0.026, 0.01, 0.012),
        explained=(None, 0.16, 0.286, 0.302, 0.301, 0.3, 0.297, 0.299, 0.302, 0.308, 0.308, 0.351, 0.713),
    ),
}
