"""Words of the sentences that people tagged with their senses, by where in which sentence they begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.word_explorer import UNKNOWN

_LEAST, _SENSES = 3, 2


@dataclass(frozen=True, slots=True)
class Tags:
    """Tagged words, ordered by sentence.

    Attributes:
        sentence: int64 [tags], ascending.
        start: int64 [tags], the first letter or digit of the tagged word in its sentence.
        sense: int64 [tags], into `labels`.
        labels: what people call each sense, and the word that it is a sense of.
        several: forms in lower case that have two senses at least three times each, the most often tagged first; the
            sentences, int64 ascending, that each is tagged in.
    """

    sentence: Integers
    start: Integers
    sense: Integers
    labels: tuple[tuple[str, str], ...]
    several: Mapping[str, Integers]

    @classmethod
    def of(cls, tagged: SenseDataset, texts: Sequence[str]) -> Tags:
        """The tags of those sentences that are among the texts; of a repeated sentence those that stood first."""
        place = {text: number for number, text in enumerate(texts)}
        begins = [_begins(words) for words in tagged.sentences]
        number = [place.get(written(words), UNKNOWN) for words in tagged.sentences]
        rows = np.array(
            [
                (number[sentence], begins[sentence][start], sense)
                for sentence, (start, _), sense in zip(tagged.sentence, tagged.span, tagged.sense, strict=True)
            ],
            np.int64,
        )
        _, first = np.unique(rows[:, :2], axis=0, return_index=True)
        kept = first[rows[first, 0] != UNKNOWN]
        names = ((tagged.labels[sense], tagged.words[word]) for sense, word in enumerate(tagged.word_of))
        sentences, starts, senses = rows[kept].T.copy()
        return cls(sentences, starts, senses, tuple(names), _several(tagged, kept, sentences))

    def at(self, sentence: int, start: int) -> int:
        """The sense of the word that begins there; `UNKNOWN` where none is tagged."""
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        found = np.flatnonzero(self.start[low:high] == start)
        return int(self.sense[low + found[0]]) if len(found) else UNKNOWN

    def starts(self, sentence: int) -> Integers:
        """Where the tagged words of a sentence begin."""
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        return self.start[low:high]


def written(words: Sequence[str]) -> str:
    """A sentence of given words as a text."""
    return " ".join(words)


def _begins(words: Sequence[str]) -> list[int]:
    """Each word's first letter or digit in the text; its first character where it has none."""
    befores = accumulate((len(word) + 1 for word in words), initial=0)
    return [
        before + next((place for place, character in enumerate(word) if character.isalnum()), 0)
        for before, word in zip(befores, words, strict=False)
    ]


def _several(tagged: SenseDataset, kept: Integers, sentences: Integers) -> dict[str, Integers]:
    counts, where = Counter[tuple[str, int]](), dict[str, list[int]]()
    for place, sentence in zip(kept.tolist(), sentences.tolist(), strict=True):
        form = tagged.form(place).lower()
        counts[form, int(tagged.sense[place])] += 1
        where.setdefault(form, []).append(sentence)
    senses = Counter(form for (form, _), count in counts.items() if count >= _LEAST)
    fit = [form for form in where if senses[form] >= _SENSES]
    order = sorted(fit, key=lambda form: (-len(where[form]), form))
    return {form: np.unique(np.array(where[form], np.int64)) for form in order}
