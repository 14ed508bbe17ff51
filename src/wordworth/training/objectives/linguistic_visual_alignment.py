"""Alignment of the two sides of a sequence: does the second side (such as codes) belong to the first (its words)?"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.training.objectives.sentence_pairs import NextSentence


@dataclass(frozen=True, slots=True)
class Alignment(NextSentence):
    """The objective to tell whether the words and codes of a sequence belong together (linguistic-visual alignment).

    The label is 0 if they belong together, 1 if the codes are of another sequence. The label is predicted from the
    first token, in place of next sentence prediction (VideoBERT, Sun et al. 2019, arXiv 1904.01766, section 3.3).
    Sequences without a label are left out: sequences of words or codes alone, and sequences whose masked tokens are
    predicted.
    """

    name: str = "alignment"
    head_name: str = "alignment"
