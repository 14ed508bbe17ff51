"""`Tags`: the words that annotators tagged with senses, looked up by sentence and start."""

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
        start: int64 [tags], the position of the tagged word's first letter or digit in its sentence.
        sense: int64 [tags], indices into `labels`.
        labels: the readable label of each sense, and the word that it is a sense of.
        several: lower-case forms with at least two senses tagged three times or more, the most often tagged first ->
            the sentences in which each is tagged, int64, ascending.
    """

    sentence: Integers
    start: Integers
    sense: Integers
    labels: tuple[tuple[str, str], ...]
    several: Mapping[str, Integers]

    @classmethod
    def of(cls, tagged: SenseDataset, texts: Sequence[str]) -> Tags:
        """Collect the tags of the sentences that are among the texts; for a repeated sentence, its first tags."""
        index_of = {text: index for index, text in enumerate(texts)}
        begins = [_begins(words) for words in tagged.sentences]
        sentence_index = [index_of.get(written(words), UNKNOWN) for words in tagged.sentences]
        rows = np.array(
            [
                (sentence_index[sentence], begins[sentence][start], sense)
                for sentence, (start, _), sense in zip(tagged.sentence, tagged.span, tagged.sense, strict=True)
            ],
            np.int64,
        )
        _, first = np.unique(rows[:, :2], axis=0, return_index=True)
        rows_used = first[rows[first, 0] != UNKNOWN]
        names = ((tagged.labels[sense], tagged.words[word]) for sense, word in enumerate(tagged.word_of))
        sentences, starts, senses = rows[rows_used].T.copy()
        return cls(sentences, starts, senses, tuple(names), _several(tagged, rows_used, sentences))

    def at(self, sentence: int, start: int) -> int:
        """Return the sense of the word that starts there; `UNKNOWN` where none is tagged."""
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        matches = np.flatnonzero(self.start[low:high] == start)
        return int(self.sense[low + matches[0]]) if len(matches) else UNKNOWN

    def starts(self, sentence: int) -> Integers:
        """Return the starts of a sentence's tagged words."""
        low, high = np.searchsorted(self.sentence, (sentence, sentence + 1))
        return self.start[low:high]


def written(words: Sequence[str]) -> str:
    """Join the words of a sentence into a text."""
    return " ".join(words)


def _begins(words: Sequence[str]) -> list[int]:
    """Return the position of each word's first letter or digit in the text; of its first character without one."""
    befores = accumulate((len(word) + 1 for word in words), initial=0)
    return [
        before + next((offset for offset, character in enumerate(word) if character.isalnum()), 0)
        for before, word in zip(befores, words, strict=False)
    ]


def _several(tagged: SenseDataset, kept: Integers, sentences: Integers) -> dict[str, Integers]:
    counts, where = Counter[tuple[str, int]](), dict[str, list[int]]()
    for occurrence, sentence in zip(kept.tolist(), sentences.tolist(), strict=True):
        form = tagged.form(occurrence).lower()
        counts[form, int(tagged.sense[occurrence])] += 1
        where.setdefault(form, []).append(sentence)
    senses = Counter(form for (form, _), count in counts.items() if count >= _LEAST)
    fit = [form for form in where if senses[form] >= _SENSES]
    order = sorted(fit, key=lambda form: (-len(where[form]), form))
    return {form: np.unique(np.array(where[form], np.int64)) for form in order}
