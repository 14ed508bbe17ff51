"""Contributions of a query's words to the cosine with its nearest texts, compared with random texts as a control."""

from __future__ import annotations

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, Resamples, interval, mean_draws, share_draws
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.similarity.text_pairs import Collection
from wordworth.studies.similarity.word_parts_of_text_vector import TextUnits

QUERY_WORDS = {
    "position": "number of the word in the query, from 1, special tokens counted",
    "word": "the word, piece or special token",
    "special": "whether it is a special token",
    "mean": "its part of the cosine with each nearest text, mean over them",
    "low": "of its 95 % bootstrap interval, over the nearest texts",
    "high": "of its 95 % interval",
    "share": "its share of the sum of these cosines",
    "share_low": "of its 95 % interval",
    "share_high": "of its 95 % interval",
    "random": "its part with as many texts drawn at random: the mean of all texts",
    "random_low": "lower end of where 95 % of such draws lie",
    "random_high": "upper end",
    "others": "its part with as many texts nearest to the rest of the query, mean over them: those with the largest "
    "cosine less this word's part",
    "others_low": "of its 95 % bootstrap interval, over these texts",
    "others_high": "of its 95 % interval",
    "p": "share of random draws with a part as large as in these texts, times the number of words",
}


def query_word_rows(query: TextUnits, collection: Collection, resamples: Resamples) -> list[dict[str, object]]:
    """Return a row for each word of a query, with its contribution to cosines with the nearest and with random texts.

    A word, or a token if the settings ask for pieces, is a unit of the query. The nearest texts are chosen by the sum
    of the contributions of all units. A unit whose contribution varies much from text to text therefore contributes
    more to the nearest texts than to random ones, whatever it means. So each row also has the unit's contribution to
    the texts that are nearest when its own contribution is left out.

    Args:
        query: the units of the query; there are no rows if its vector is not a sum over tokens.
        collection: the vectors of all texts, and which are nearest.
        resamples: number of resamples, and the seed.
    """
    if query.parts is None:
        return []
    parts = query.parts / np.linalg.norm(query.vector) @ collection.vectors.T.astype(float)
    cosines, number = parts.sum(0), len(collection.nearest)
    drawn = seeds.child(resamples.seed, "similarity", "random texts").integers(
        len(cosines), size=(resamples.draws, number)
    )
    rows = []
    for unit, values in enumerate(parts):
        own, rng = values[collection.nearest], seeds.child(resamples.seed, "similarity", "query words", unit)
        shares = share_draws(own[:, None], cosines[collection.nearest], np.arange(number), resamples.draws, rng)
        by_others = values[np.argsort(values - cosines, kind="stable")[:number]]
        random = floats(values[drawn].mean(1))
        as_large = (1 + (random >= by_others.mean()).sum()) / (1 + resamples.draws)
        rows.append({
            "position": unit + 1,
            "word": query.names[unit],
            "special": query.is_special[unit],
            "mean": float(own.mean()),
            **_over_texts(own, resamples, rng).columns(),
            "share": float(own.sum() / cosines[collection.nearest].sum()),
            **interval(shares[:, 0]).columns("share_"),
            "random": float(values.mean()),
            **interval(random).columns("random_"),
            "others": float(by_others.mean()),
            **_over_texts(by_others, resamples, rng).columns("others_"),
            "p": min(1.0, float(as_large) * len(parts)),
        })  # fmt: skip
    return rows


def _over_texts(values: Floats, resamples: Resamples, rng: np.random.Generator) -> Interval:
    return interval(mean_draws(values[:, None], resamples.draws, rng)[:, 0])
