"""Alignment of two sides: does the second side of a sequence, such as its codes, belong to the first, its words?"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.training.objectives.sentence_pairs import NextSentence


@dataclass(frozen=True, slots=True)
class Alignment(NextSentence):
    """Linguistic-visual alignment: label 0 if words and codes belong together, 1 if the codes are of another sequence.

    VideoBERT (Sun et al. 2019, arXiv 1904.01766, section 3.3): predicted from the first token, in place of next
    sentence prediction. Sequences without a label (of one side, or for masked completion) are left out.
    """

    name: str = "alignment"
    head_name: str = "alignment"
