"""Alignment of two sides: does the second side of a sequence, such as its codes, belong to the first, its words?"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.training.objectives.sentence_pairs import NextSentence


@dataclass(frozen=True, slots=True)
class Alignment(NextSentence):
    """Linguistic-visual alignment: label 0 if the sides belong together, 1 if the second is that of another sequence.

    VideoBERT (Sun et al. 2019, arXiv 1904.01766, section 3.3) predicts it from the first token in the stead of the next
    sentence. Instances of one side, and those that are completed, have no label and are left out.
    """

    name: str = "alignment"
    head_name: str = "alignment"
