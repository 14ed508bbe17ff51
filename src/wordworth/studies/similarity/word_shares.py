"""Words with the largest contribution to the cosines of a data set, chosen on one half of the pairs.

The other half gives the numbers in the table, such as a word's share of the sum of all cosines.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Resamples, interval, mean_draws, share_draws
from wordworth.measures.weighted_sums import Floats, floats

WordParts = Mapping[str, tuple[float, float]]
"""Word -> its contribution to the cosine of a pair and its expected contribution, as `PairSimilarity.by_word` gives."""
MOST_WORDS, FEWEST_PAIRS, LEVEL = 20, 5, 0.95


def word_shares(
    pairs: Sequence[WordParts], random_pairs: Sequence[WordParts], cosines: Sequence[float], resamples: Resamples
) -> list[dict[str, object]]:
    """Return the rows of the table `word_shares`: the words that contribute most to cosines, the largest first.

    The words are chosen on a random half of the pairs, and all numbers are measured on the other half. On the half on
    which they were chosen, the best of many words would look too good.

    Args:
        pairs: for each pair the contributions of its words.
        random_pairs: the contributions in random pairs, of the first text of each pair and the second text of another;
            they show what a word contributes if the texts do not belong together.
        cosines: the cosine of each pair.
        resamples: number of resamples, and the seed.
    """
    order = seeds.child(resamples.seed, "similarity", "halves").permutation(len(pairs))
    chosen = _most(pairs, order[: len(order) // 2])
    measured = np.sort(order[len(order) // 2 :])
    whole = floats([cosines[pair] for pair in measured])
    parts = {word: [pairs[pair].get(word) for pair in measured] for word in chosen}
    often = {word: each for word, each in parts.items() if len(each) - each.count(None) >= FEWEST_PAIRS}
    level = 1 - (1 - LEVEL) / max(1, len(often))
    rows = []
    for word, each in often.items():
        beside = floats([random_pairs[pair].get(word, (0.0, 0.0))[0] for pair in measured])
        rows.append(_row(word, each, whole, (resamples, level)) | _beside_random(word, each, beside, resamples))
    return rows


def _most(pairs: Sequence[WordParts], half: np.ndarray) -> list[str]:
    """Return the words with the largest sum of contributions in some pairs, among words that occur in enough of them.

    Args:
        pairs: for each pair the contributions of its words.
        half: int64 [m], indices of the pairs that are summed.
    """
    sums, counts = defaultdict[str, float](float), Counter[str]()
    for pair in half:
        for word, (contribution, _) in pairs[pair].items():
            sums[word] += contribution
            counts[word] += 1
    often = [word for word in sums if counts[word] >= FEWEST_PAIRS]
    return sorted(often, key=lambda word: (-sums[word], word))[:MOST_WORDS]


def _row(
    word: str, parts: Sequence[tuple[float, float] | None], cosines: Floats, how: tuple[Resamples, float]
) -> dict[str, object]:
    resamples, level = how
    contribution = floats([part[0] if part else 0.0 for part in parts])
    expected = floats([part[1] if part else 0.0 for part in parts])
    each = np.arange(len(cosines))
    rng = seeds.child(resamples.seed, "similarity", "words", word)
    of_all = share_draws(contribution[:, None], cosines, each, resamples.draws, rng)[:, 0]
    of_expected = share_draws(contribution[:, None], expected, each, resamples.draws, rng)[:, 0]
    ratios = of_expected[np.isfinite(of_expected)]
    return {
        "word": word,
        "pairs": len(parts) - parts.count(None),
        "share": float(contribution.sum() / cosines.sum()),
        **interval(of_all).columns("share_"),
        "ratio": float(contribution.sum() / expected.sum()),
        **interval(ratios).columns("ratio_"),
        "above": interval(ratios, level).low > 1,
    }


def _beside_random(
    word: str, parts: Sequence[tuple[float, float] | None], random: Floats, resamples: Resamples
) -> dict[str, object]:
    """Return the columns with a word's mean contribution in pairs, in random pairs, and the difference.

    Args:
        word: the word, from which the seed of the resamples is derived.
        parts: for each pair the word's contribution and expected contribution; None if the pair lacks the word.
        random: float64 [pairs], the word's contribution in each random pair, 0 if the pair lacks the word.
        resamples: number of resamples, and the seed.
    """
    own = floats([part[0] if part else 0.0 for part in parts])
    draws = mean_draws(
        (own - random)[:, None], resamples.draws, seeds.child(resamples.seed, "similarity", "random words", word)
    )
    means = {"mean": float(own.mean()), "random": float(random.mean()), "gap": float((own - random).mean())}
    return {**means, **interval(draws[:, 0]).columns("gap_")}
