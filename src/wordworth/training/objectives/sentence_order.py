"""Sentence order: two neighbouring texts, swapped or not (ALBERT, Lan et al. 2020, arXiv 1909.11942, section 3.1).

Next sentence prediction can be solved by topic alone; this cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.training.objectives.nsp import NextSentence


@dataclass(frozen=True, slots=True)
class SentenceOrder(NextSentence):
    """Label 0: in the order of the document; 1: swapped. The sampler makes the pairs, the head is NSP's."""

    name: str = "sop"
