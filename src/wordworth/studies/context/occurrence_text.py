"""What stands in the text at the occurrences that the explorer shows: the words around each, and its sense."""

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
    """What stands in the text at the occurrences pictured, those of one word after another.

    Attributes:
        contexts: the text around each.
        senses: int64, into `Tags.labels`; `UNKNOWN` where nobody tagged one.
        tags: tagged words in the sentences that these stand in.
        missed: of them those that begin inside a word of the model.
    """

    contexts: tuple[Context, ...]
    senses: Integers
    tags: int = 0
    missed: int = 0


def written(look: LayerData, model: Reader, read: Sentences) -> Written:
    """The text around the occurrences that the explorer shows; their sentences alone are taken apart once more."""
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
    """The first letter or digit of a unit; its start where it has none."""
    return next((place for place in range(start, end) if text[place].isalnum()), start)


def _missed(read: Sentences, spans: Mapping[int, Sequence[Span]]) -> tuple[int, int]:
    """How many words of these sentences are tagged, and how many of them begin where no unit does."""
    if read.tags is None:
        return 0, 0
    tags = missed = 0
    for sentence, places in spans.items():
        begun = {_letter(read.texts[sentence], *place) for place in places}
        starts = read.tags.starts(sentence).tolist()
        tags, missed = tags + len(starts), missed + len(set(starts) - begun)
    return tags, missed
