"""Mean length of the dependency arcs of English texts, by the parser that comes with Wordworth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from wordworth.errors import BadInput
from wordworth.measures.input_difficulty import mean_arc_length
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.load import EncoderSpec
from wordworth.progress import SILENT, Progress
from wordworth.training.probes.biaffine_parser import ParserBatch
from wordworth.training.probes.saved_parser import SavedParser

SHIPPED = Path(__file__).parents[1] / "models" / "shipped" / "parser"
MOST_WORDS = 100
"""Number of words of a text, from its beginning, that are parsed, so that long texts do not take long."""
_LONGEST = 60
"""Words after which a sentence without an end is cut."""
_ENDS = frozenset(".!?…")
_AT_ONCE = 128


def arc_lengths(texts: Sequence[Sequence[str]], folder: Path = SHIPPED, progress: Progress = SILENT) -> Floats:
    """Return the mean length of the dependency arcs of each text, in words, float64 [texts].

    The length of an arc is the distance between the positions of a word and its head. A text is cut into sentences
    after full stops, question and exclamation marks. A text without an arc has 0, a text without words NaN.

    Args:
        texts: the words of each text, with punctuation marks as words; the first `MOST_WORDS` of a text are parsed.
        folder: folder of the parser.
        progress: receives the number of parsed sentences.

    Raises:
        BadInput: the folder is damaged, or the parser was trained on another encoder than the installed one.
        MissingExtra: torch is not installed.
    """
    saved = SavedParser.read(folder)
    encoder = EncoderSpec(name=saved.model).open()
    if fingerprint(encoder) != saved.fingerprint:
        raise BadInput("this parser was made for another encoder", where=str(folder), mend="train it again")
    parts = [sentences(text[:MOST_WORDS]) for text in texts]
    flat = [sentence for part in parts for sentence in part]
    order, heads = sorted(range(len(flat)), key=lambda row: len(flat[row])), dict[int, np.ndarray]()
    layers = tuple(range(len(saved.parser.mix.logits)))
    with progress.step("parsing the test texts", len(order)) as step:
        for start in range(0, len(order), _AT_ONCE):
            rows = order[start : start + _AT_ONCE]
            lengths = [len(flat[row]) for row in rows]
            states = encoder.word_states([flat[row] for row in rows], layers=layers, pooling="mean")
            values = torch.from_numpy(states.values.transpose(1, 0, 2))
            of_rows = saved.parser.head_indices(ParserBatch(values, lengths))
            heads.update(zip(rows, np.split(of_rows, np.cumsum(lengths)[:-1]), strict=True))
            step.advance(len(rows))
    ends = np.cumsum([0, *map(len, parts)])
    return floats([mean_arc_length([heads[row] for row in range(start, end)]) for start, end in pairwise(ends)])


def sentences(words: Sequence[str]) -> list[list[str]]:
    """Cut the words of a text into sentences, after marks that end a sentence; a sentence has at most 60 words."""
    cut: list[list[str]] = []
    for number, word in enumerate(words):
        ended = number and words[number - 1] in _ENDS and word not in _ENDS
        if not cut or ended or len(cut[-1]) == _LONGEST:
            cut.append([])
        cut[-1].append(word)
    return cut
