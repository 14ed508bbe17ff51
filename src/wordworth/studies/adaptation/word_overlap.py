"""The share of frequent words that a task and a corpus have in common (Gururangan et al. 2020, section 2 and figure 2).

Overlaps depend on the sizes of the samples. So the words of one random half of the task's texts are compared with the
words of the other half, which gives the largest overlap that can be expected. The same half is also compared with an
equal number of words of the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.text.corpus.evaluation_overlap import plain_words

MOST_WORDS = 10_000
"""Most frequent words that are compared."""
STOP_WORDS = 100
"""Number of the most frequent words of all texts together that are left out, as words of the language in general."""
SPLITS = 20
_LONGEST = 100_000

OVERLAP = {
    "texts": "what stands beside one half of the task's texts",
    "overlap": "share of its frequent words that are among those of the task's half; mean over random halves",
    "least": "in one of the halves",
    "most": "in one of the halves",
    "words": "number of frequent words that were compared, a mean",
}


def overlap_rows(task: Sequence[str], others: Mapping[str, Sequence[str]], seed: int) -> list[dict[str, Any]]:
    """Return the rows of the table `overlap`: the share of frequent words that a task has in common with each corpus.

    The words of a random half of the task's texts are compared with the words of the other half and of each corpus.
    Values are means over 20 random halves.

    Args:
        task: the texts of the task.
        others: name of each corpus -> its texts.
        seed: seed of the random halves.
    """
    shares: dict[str, list[tuple[float, int]]] = {name: [] for name in ("the other half", *others)}
    words = [plain_words(text) for text in task]
    corpora = {name: [plain_words(text) for text in texts] for name, texts in others.items()}
    stop = {
        word
        for word, _ in Counter(
            word for texts in (words, *corpora.values()) for text in texts for word in text
        ).most_common(STOP_WORDS)
    }
    for number in range(SPLITS):
        rng = seeds.child(seed, "adaptation", "overlap", str(number))
        order = rng.permutation(len(words))
        half = Counter(word for row in order[: len(order) // 2] for word in words[row][:_LONGEST] if word not in stop)
        total = half.total()
        beside = {"the other half": [words[row] for row in order[len(order) // 2 :]], **corpora}
        for name, texts in beside.items():
            other = Counter(_first(texts, rng, total, stop))
            shares[name].append(_overlap(half, other))
    return [
        {
            "texts": name,
            "overlap": float(np.mean([share for share, _ in drawn])),
            "least": min(share for share, _ in drawn),
            "most": max(share for share, _ in drawn),
            "words": round(float(np.mean([count for _, count in drawn]))),
        }
        for name, drawn in shares.items()
    ]


def _first(texts: Sequence[Sequence[str]], rng: np.random.Generator, total: int, stop: set[str]) -> Iterator[str]:
    """Yield the first `total` words, other than stop words, of texts in random order."""
    left = total
    for row in rng.permutation(len(texts)):
        for word in texts[row]:
            if word not in stop:
                if not left:
                    return
                left -= 1
                yield word


def _overlap(first: Counter[str], second: Counter[str]) -> tuple[float, int]:
    """Return the share of the most frequent words that two samples have in common, and the number of words compared."""
    count = min(MOST_WORDS, len(first), len(second))
    common = {word for word, _ in first.most_common(count)} & {word for word, _ in second.most_common(count)}
    return len(common) / max(1, count), count
