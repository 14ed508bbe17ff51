"""Words in context (WiC): whether a word has the same sense in two sentences, by a threshold on the cosine.

The cosine is between the word's vector in the first sentence and its vector in the second sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.measures.classification import fit_threshold
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.progress import Progress
from wordworth.studies.senses.sense_dataset import Source
from wordworth.studies.word_vectors_by_layer import LayerReader, span_vectors
from wordworth.text.file_formats.table import TextTable

NEEDED = ("split", "word", "indices", "sentence1", "sentence2", "label")
SPLITS = ("train", "dev", "test")
_SAME = {"T": True, "TRUE": True, "1": True, "F": False, "FALSE": False, "0": False}
_INDICES = re.compile(r"(\d+)-(\d+)")
_LEAST = 10


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of sentences with a word in common, from all splits.

    Attributes:
        name: name of the set.
        seed_name: string that seeds random choices: the name of a published set, or a hash of the user's sentences.
        source: the file that the pairs were read from.
        sentences: the words of each sentence; pair i has the sentences 2 i and 2 i + 1.
        word_index: int64 [pairs, 2], the index of the common word in each sentence.
        same: bool [pairs], whether the word has the same sense in both sentences.
        word: the common word of each pair.
        split: the split of each pair, one of `SPLITS`.
    """

    name: str
    seed_name: str
    source: Source
    sentences: tuple[tuple[str, ...], ...]
    word_index: Integers
    same: Flags
    word: tuple[str, ...]
    split: tuple[str, ...]

    def in_split(self, split: str) -> Flags:
        """Return for each pair whether it is in a split (one of `SPLITS`), bool [pairs]."""
        return np.array([each == split for each in self.split], bool)


def read_pairs(name: str, table: TextTable, limit: int | None, seed: int) -> Pairs:
    """Read pairs of sentences with a word in common from a table, a row for each pair.

    The columns are `split` (`train`, `dev` or `test`; there need be no `dev`), `word`, `indices`, `sentence1`,
    `sentence2` and `label`. `indices` are the word's positions in the two sentences, such as `2-6`, counted from 0
    after splitting at spaces. `label` is T if the word has the same sense in both sentences, else F.

    Args:
        name: name of the set.
        table: the rows.
        limit: largest number of pairs of each split that are used, drawn at random; None for all.
        seed: seed of the draw.

    Raises:
        BadInput: a column is missing, `train` or `test` has fewer than 10 pairs, or a row cannot be read or has an
            unknown split (the message then names the line).
    """
    missing = [column for column in NEEDED if column not in table.columns]
    if missing:
        mend = f"it has {', '.join(table.columns)}; rename a column"
        raise BadInput(f"no column {missing[0]!r}", where=table.path, mend=mend)
    splits = [_split(table, row) for row in range(len(table))]
    kept = _drawn(splits, limit, seed)
    for split in ("train", "test"):
        if sum(splits[row] == split for row in kept) < _LEAST:
            what = f"fewer than {_LEAST} pairs of split {split!r}"
            mend = "add pairs of that split: the threshold is fitted on train and used on test"
            raise BadInput(what, where=table.path, mend=mend)
    rows = [_pair(table, row) for row in kept]
    return Pairs(
        name=name,
        seed_name=name,
        source=Source(Path(table.path).name, table.sha256, len(table), {}),
        sentences=tuple(words for both, _, _ in rows for words in both),
        word_index=np.array([indices for _, indices, _ in rows], np.int64),
        same=np.array([same for _, _, same in rows], bool),
        word=tuple(table.columns["word"][row] for row in kept),
        split=tuple(splits[row] for row in kept),
    )


def _split(table: TextTable, row: int) -> str:
    split = table.columns["split"][row].strip()
    if split not in SPLITS:
        raise BadInput(f"split is {split!r}", where=_where(table, row), mend=f"it is one of {', '.join(SPLITS)}")
    return split


def _where(table: TextTable, row: int) -> str:
    return f"{table.path}, {table.unit} {table.positions[row]}"


def _drawn(splits: Sequence[str], limit: int | None, seed: int) -> list[int]:
    """Draw at most `limit` rows of each split; return the indices of the rows, split by split.

    Args:
        splits: the split of each row.
        limit: the largest number of rows of a split; None for all.
        seed: seed of the draw.
    """
    drawn = list[int]()
    for split in SPLITS:
        rows = [row for row, name in enumerate(splits) if name == split]
        if limit is not None:
            rng = seeds.child(seed, "senses", "pairs", split)
            rows = [rows[index] for index in seeds.sorted_sample(rng, len(rows), limit)]
        drawn += rows
    return drawn


_Pair = tuple[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, int], bool]


def _pair(table: TextTable, row: int) -> _Pair:
    where = _where(table, row)
    cells = {name: table.columns[name][row].strip() for name in NEEDED}
    indices, label = _INDICES.fullmatch(cells["indices"]), cells["label"].upper()
    if indices is None:
        raise BadInput(f"indices are {cells['indices']!r}", where=where, mend="write them as 2-6, counted from 0")
    if label not in _SAME:
        raise BadInput(f"the label is {cells['label']!r}", where=where, mend="write T or F")
    both = (tuple(cells["sentence1"].split()), tuple(cells["sentence2"].split()))
    first, second = int(indices[1]), int(indices[2])
    if first >= len(both[0]) or second >= len(both[1]):
        mend = "count each sentence's words, split at spaces, from 0"
        raise BadInput(f"indices {cells['indices']} are beyond the end of a sentence", where=where, mend=mend)
    return both, (first, second), _SAME[label]


_AT_ONCE = 128
PAIRS = {
    "model": "name as given",
    "data": "set of pairs",
    "layer": "0 is the input layer",
    "threshold": "pairs with this cosine or more are classified as one sense; fitted on train at this layer",
    "train": "accuracy on the train pairs",
    "dev": "accuracy on the dev pairs; null without them",
    "test": "accuracy on the test pairs",
    "low": "lower end of the 95 % interval of `test`, over resampled words",
    "high": "upper end of the 95 % interval",
    "chance": "accuracy on test of the more frequent answer of train",
    "chosen": "whether this layer is best on dev (on train without one)",
    "pairs": "number of test pairs",
}


@dataclass(frozen=True, slots=True)
class Cosines:
    """For each pair of sentences with a word in common, the cosine of the word's vectors in the two sentences.

    Attributes:
        pairs: the pairs of sentences.
        values: float64 [pairs, layers], the cosine by each layer; 0 for a word without a vector.
    """

    pairs: Pairs
    values: Floats


def cosines(model: LayerReader, pairs: Pairs, progress: Progress) -> Cosines:
    """Encode the sentences of all pairs, and return for each pair the cosine of the common word's two vectors.

    Args:
        model: the reader of the model's layers.
        pairs: the pairs of sentences.
        progress: receives the progress.
    """
    blocks = []
    with progress.step(f"{pairs.name}: reading pairs with {model.name}", len(pairs.word)) as step:
        for begin in range(0, len(pairs.word), _AT_ONCE):
            positions = pairs.word_index[begin : begin + _AT_ONCE].ravel()
            sentences = pairs.sentences[2 * begin : 2 * begin + len(positions)]
            spans = [(row, int(position), int(position) + 1) for row, position in enumerate(positions)]
            units = unit_or_zero(floats(span_vectors(model, sentences, spans)))
            blocks.append(np.einsum("nld,nld->nl", units[::2], units[1::2]).round(9))  # equal vectors, equal cosines
            step.advance(len(positions) // 2)
    return Cosines(pairs, floats(np.concatenate(blocks)))


def pair_rows(model: str, measured: Cosines, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `pairs` for one model on one data set, a row for each layer.

    A row has the layer's accuracy if exactly the pairs with a cosine of at least a threshold are predicted to share a
    sense.

    Args:
        model: name of the model.
        measured: the cosines of the pairs.
        draws: number of bootstrap resamples of words.
        seed: seed of the resamples.
    """
    pairs = measured.pairs
    in_split = {split: pairs.in_split(split) for split in SPLITS}
    thresholds = floats(
        [fit_threshold(values[in_split["train"]], pairs.same[in_split["train"]]) for values in measured.values.T]
    )
    right = floats((measured.values >= thresholds) == pairs.same[:, None])
    score = {split: right[pair_rows].mean(axis=0) if pair_rows.any() else None for split, pair_rows in in_split.items()}
    selection = score["train"] if score["dev"] is None else score["dev"]
    words = np.array(pairs.word)[in_split["test"]]
    chance = seeds.child(seed, "senses", "pairs", pairs.seed_name)
    drawn = share_draws(right[in_split["test"]], np.ones(len(words)), words, draws, chance)
    majority_is_same = pairs.same[in_split["train"]].mean() >= 0.5  # noqa: PLR2004 - the commoner answer
    for layer, threshold in enumerate(thresholds):
        span = interval(drawn[:, layer])
        yield {
            "model": model, "data": pairs.name, "layer": layer, "threshold": threshold,
            **{split: None if values is None else values[layer] for split, values in score.items()},
            "low": span.low, "high": span.high,
            "chance": float((pairs.same[in_split["test"]] == majority_is_same).mean()),
            "chosen": layer == int(np.argmax(selection)) if selection is not None else False, "pairs": len(words),
        }  # fmt: skip
