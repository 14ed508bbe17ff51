"""The tables of `recipes/multilingual.py`: each language under each model, and the differences between models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parts.domain_stores import StoreSizes
from parts.held_out_bits import Answers, bits_per_character
from parts.language_texts import HELD_OUT, LEARNED, texts_of
from parts.scored import Scored
from wordworth.measures.bootstrap import Interval
from wordworth.records import Finding
from wordworth.text.corpus.sampling_shares import sampling_shares
from wordworth.text.corpus.token_store import TokenStore
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_statistics import piece_counts

ALL = "all languages"
LANGUAGES = {
    "language": "the language",
    "model": "kind of vocabulary, and exponent of the languages' sizes for text and vocabulary",
    "characters": "learned from",
    "share": "of the sequences that are read, 0 to 1",
    "pieces_per_word": "of held-out text",
    "unknown": "share of the held-out words with a piece that the vocabulary lacks, 0 to 1",
    "frequencies": "bits a character of held-out text if only how often each piece is learned from is known",
    "bits": "bits a character of held-out words that are hidden, 15 % of the pieces; mean over seeds",
    "low": "lower end of the 95 % interval, over seeds and documents",
    "high": "upper end of it",
    "seeds": "runs",
}
DIFFERENCES = {
    "language": f"the language; `{ALL}` is the mean over them",
    "model": "the model",
    "over": "the model that it is held against",
    "bits": "its bits a character less the other's, paired by seed and document; negative where it is better",
    "low": "lower end of the 95 % interval, over seeds and documents",
    "high": "upper end of it",
}
Scores = Mapping[str, Mapping[str, Scored]]
"""Model -> language -> bits a character."""


def language_rows(
    text: Path, arms: Mapping[str, tuple[Path, float]], bits: Mapping[str, Sequence[Path]], languages: Sequence[str]
) -> tuple[list[dict[str, Any]], Scores]:
    """Return the table of languages, and the scores behind it.

    Args:
        text: folder of the texts, as `divide` wrote it.
        arms: model -> the folder of its tokenizer and stores, and its exponent.
        bits: model -> the folder of each seed's losses.
        languages: the languages.
    """
    rows, scores = list[dict[str, Any]](), dict[str, dict[str, Scored]]()
    for name, (folder, exponent) in arms.items():
        tokenizer, scores[name] = Tokenizer.read(folder / "tokenizer"), {}
        learned = {language: TokenStore.open(folder / LEARNED / language) for language in languages}
        shares = sampling_shares([len(store.ids) for store in learned.values()], exponent).tolist()
        for language, share in zip(languages, shares, strict=True):
            texts = texts_of(text, HELD_OUT, language)
            store = TokenStore.open(folder / HELD_OUT / language)
            sizes = StoreSizes(len(texts), sum(map(len, texts)), len(store.ids), 0)
            answers = [Answers.read(seed / f"{language}.npz") for seed in bits[name]]
            score = scores[name][language] = bits_per_character(answers, sizes, "documents")
            counts = piece_counts(tokenizer, texts)
            rows.append(
                {
                    "language": language,
                    "model": name,
                    "characters": sum(map(len, texts_of(text, LEARNED, language))),
                    "share": share,
                    "pieces_per_word": counts.per_word,
                    "unknown": float(counts.unknown.sum() / counts.words.sum()),
                    "frequencies": _bits_of_frequencies(learned[language], store) * sizes.tokens / sizes.characters,
                    "bits": score.mean,
                    **_ends(score.interval),
                    "seeds": len(answers),
                }
            )
    return sorted(rows, key=lambda row: row["language"]), scores


def difference_rows(scores: Scores, base: str) -> list[dict[str, Any]]:
    """Return each model's bits less those of the base, by language and in the mean."""
    rows = []
    for name, by_language in scores.items():
        if name != base:
            gaps = {language: score.minus(scores[base][language]) for language, score in by_language.items()}
            for language, gap in ({ALL: _mean(list(gaps.values()))} | gaps).items():
                rows.append(
                    {"language": language, "model": name, "over": base, "bits": gap.mean, **_ends(gap.interval)}
                )
    return rows


def findings(differences: Sequence[Mapping[str, Any]], languages: int, base: str) -> list[Finding]:
    """Return the verdict: each model beside the base, in the mean and by language."""
    parts = []
    for row in differences:
        if row["language"] == ALL:
            own = [each for each in differences if each["model"] == row["model"] and each["language"] != ALL]
            better, worse = sum(each["high"] < 0 for each in own), sum(each["low"] > 0 for each in own)
            parts.append(
                f"{row['model']} {row['bits']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f}), fewer in {better} "
                f"languages and more in {worse} of {languages}"
            )
    return [Finding("verdict", f"Bits a character beside {base}: {'; '.join(parts)}.")]


def _bits_of_frequencies(learned: TokenStore, held_out: TokenStore) -> float:
    """Return the bits a piece of held-out text under the frequencies of pieces, each counted once more."""
    counts = np.bincount(learned.ids, minlength=learned.vocabulary.vocab_size) + 1.0
    return float(-np.log2(counts / counts.sum())[held_out.ids].mean())


def _mean(several: Sequence[Scored]) -> Scored:
    """Return the mean over languages; their documents are resampled together where they are translations."""
    return Scored(np.mean([each.point for each in several], axis=0), np.mean([each.draws for each in several], axis=0))


def _ends(interval: Interval) -> dict[str, float]:
    return {"low": interval.low, "high": interval.high}
