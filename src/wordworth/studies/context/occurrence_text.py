"""The text around the occurrences that the explorer shows, and the sense of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.studies.context.layer_measures import LayerData
from wordworth.studies.context.readers import Reader
from wordworth.studies.context.sentences import Sentences
from wordworth.studies.word_explorer import UNKNOWN, Context, excerpt
from wordworth.text.word_boundaries import Span


@dataclass(frozen=True, slots=True)
class Written:
    """The text at the plotted occurrences, word after word.

    Attributes:
        contexts: the text around each.
        senses: int64, indices into `Tags.labels`; `UNKNOWN` where none is tagged.
        tags: the number of tagged words in the sentences of these occurrences.
        missed: the number of those that start inside a word of the model.
    """

    contexts: tuple[Context, ...]
    senses: Integers
    tags: int = 0
    missed: int = 0


def written(look: LayerData, model: Reader, read: Sentences) -> Written:
    """Look up the text and sense of the occurrences that the explorer shows; only their sentences are split again."""
    of, occurrences = look.stream, np.concatenate([np.zeros(0, np.int64), *look.plan.shown.values()])
    sentences = of.sentence[occurrences]
    units = np.flatnonzero(of.counted)[occurrences] - (np.cumsum(of.units) - of.units)[sentences]
    wanted = np.unique(sentences).tolist()
    spans = dict(zip(wanted, model.spans([read.texts[sentence] for sentence in wanted]), strict=True))
    contexts, senses = list[Context](), list[int]()
    for sentence, unit in zip(sentences.tolist(), units.tolist(), strict=True):
        text, (start, end) = read.texts[sentence], spans[sentence][unit]
        contexts.append(excerpt(text[:start], text[start:end], text[end:]))
        senses.append(read.tags.at(sentence, _letter(text, start, end)) if read.tags else UNKNOWN)
    tags, missed = _missed(read, spans)
    return Written(tuple(contexts), np.array(senses, np.int64), tags, missed)


def _letter(text: str, start: int, end: int) -> int:
    """Return the position of a unit's first letter or digit; its start where it has none."""
    return next((position for position in range(start, end) if text[position].isalnum()), start)


def _missed(read: Sentences, spans: Mapping[int, Sequence[Span]]) -> tuple[int, int]:
    """Count the tagged words of these sentences, and those of them that start where no unit starts."""
    if read.tags is None:
        return 0, 0
    tags = missed = 0
    for sentence, units in spans.items():
        unit_starts = {_letter(read.texts[sentence], *span) for span in units}
        starts = read.tags.starts(sentence).tolist()
        tags, missed = tags + len(starts), missed + len(set(starts) - unit_starts)
    return tags, missed
