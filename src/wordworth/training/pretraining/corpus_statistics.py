"""Statistics of each corpus of a run on several corpora: share, pieces per word, unknown pieces, held-out losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.sentence_formatting import percent
from wordworth.text.corpus.sampling_shares import sampling_shares
from wordworth.text.corpus.token_store import TokenStore, store_name
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.model import PretrainingModel
from wordworth.training.pretraining.setup import TrainingSetup, held_out_text

CORPUS = "corpus"
"""The kind of the log's rows."""
_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Corpora:
    """The corpora of a run that reads several corpora, for example one for each language.

    Attributes:
        stores: the token store of each corpus.
        shares: the share of each corpus in the mixture, 0 to 1.
        held_out: index of a corpus -> held-out text of that corpus alone.
    """

    stores: Sequence[TokenStore]
    shares: Sequence[float]
    held_out: Mapping[int, HeldOut]

    @classmethod
    def of(cls, settings: PretrainingConfig, setup: TrainingSetup) -> Corpora:
        """Return the corpora of a run that has several; for a run with one corpus, an empty `Corpora`.

        Raises:
            BadInput: a held-out store is damaged, or holds too little text.
        """
        if len(setup.stores) == 1:
            return cls((), (), {})
        shares = sampling_shares([len(store.ids) for store in setup.stores], settings.sampling).tolist()
        held_out = {
            number: held_out_text(
                settings, TokenStore.open(folder).require_intact(), setup.stores, setup.steps.objectives
            )
            for number, folder in settings.held_out_parts
        }
        return cls(setup.stores, shares, held_out)

    def rows(self, network: PretrainingModel) -> Iterator[dict[str, Any]]:
        """Yield a row of the log for each corpus, with the corpus's share in the mixture, and statistics of its pieces.

        The function `pieces` computes the statistics. If the corpus has held-out text, the row also has the losses of a
        model on that text.

        Args:
            network: the model to evaluate.
        """
        for number, (store, share) in enumerate(zip(self.stores, self.shares, strict=True)):
            held_out = self.held_out.get(number)
            yield {
                "corpus": corpus_name(store),
                "share": share,
                **pieces(store),
                **({} if held_out is None else held_out.evaluate(network)),
            }


def corpus_name(store: TokenStore) -> str:
    """Return the name of a store's corpus, without file suffixes such as `.jsonl.gz`."""
    name = store_name(store.folder)
    return name.partition(".")[0] or name


def pieces(store: TokenStore) -> dict[str, float]:
    """Return statistics of a token store by name: number of tokens, mean pieces per word, share of unknown tokens."""
    words = unknown = 0
    vocabulary = store.vocabulary
    for start in range(0, len(store.ids), _BLOCK):
        ids, overlap = store.ids[start : start + _BLOCK], min(start, 1)
        words += int(vocabulary.word_starts.find(store.ids[start - overlap : start + _BLOCK])[overlap:].sum())
        unknown += int(np.count_nonzero(ids == vocabulary.special_ids.get("unk", -1)))
    size = len(store.ids)
    return {"tokens": size, "pieces_a_word": size / max(words, 1), "unknown": unknown / max(size, 1)}


def corpus_note(row: Mapping[str, Any]) -> str:
    """Return a line for the user about a corpus, from its row of `Corpora.rows`."""
    loss = f"; held out, mlm {row['mlm']:.3f}" if "mlm" in row else ""
    return (
        f"{row['corpus']}: {percent(row['share'], 1)} of the sequences, {row['pieces_a_word']:.2f} pieces a word, "
        f"{percent(row['unknown'], 2)} unknown{loss}"
    )
