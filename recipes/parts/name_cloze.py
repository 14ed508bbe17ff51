"""Cloze on names: a masked model completes a name of tagged sentences, all of whose tokens are hidden at once.

The score of a completion is the sum of the log-probabilities of its tokens at the hidden positions. A name is ranked
among all distinct names of the file with as many tokens; and it counts as completed where no more than ten of all
sequences of the vocabulary score higher, which is exact: the best sequences of independent positions are computed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from parts.scored import DRAWS, Scored
from wordworth.files import atomic_write
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.models.batch import pack
from wordworth.models.devices import device_of
from wordworth.models.language_model import LanguageModel, language_model
from wordworth.seeds import child
from wordworth.text.file_formats.conll import read_conll
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokens import Tokens

TOP = 10
_MOST_TOKENS = 12


@dataclass(frozen=True)
class Name:
    """A name in a sentence.

    Attributes:
        tokens: the tokens of the sentence.
        positions: int64 [m], the tokens of the name.
        sentence: the number of the sentence.
    """

    tokens: Tokens
    positions: Integers
    sentence: int

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the name's tokens."""
        return tuple(self.tokens.ids[self.positions].tolist())


@dataclass(frozen=True)
class Completions:
    """How a model completes n names.

    Attributes:
        ranks: float64 [n], the rank of the name among those with as many tokens, from 1; ties take their mean rank.
        candidates: int64 [n], the number of these.
        completed: bool [n], whether the name is among the ten best sequences of the whole vocabulary.
        nats: float64 [n], negative log-probability of the name, a token.
        tokens: int64 [n], the tokens of the name.
        sentence: int64 [n], the sentence of each name.
    """

    ranks: Floats
    candidates: Integers
    completed: Flags
    nats: Floats
    tokens: Integers
    sentence: Integers

    def save(self, path: Path) -> None:
        """Write the completions, atomically."""
        with atomic_write(path) as neighbour, neighbour.open("wb") as file:
            np.savez(file, **asdict(self))

    @classmethod
    def read(cls, path: Path) -> Completions:
        """Read what `save` wrote."""
        with np.load(path) as file:
            return cls(**{name: file[name] for name in file.files})


def names_of(path: Path, tokenizer: Tokenizer, longest: int) -> list[Name]:
    """Return the names of a tagged file, without those of unknown tokens or in sentences that the model cannot read.

    Args:
        path: the CoNLL file.
        tokenizer: cuts its sentences into tokens.
        longest: most tokens of a sentence.
    """
    table = read_conll(read_raw(path))
    words, tags = ([json.loads(cell) for cell in table.columns[name]] for name in ("words", "tags"))
    number = {name: index for index, name in enumerate(sorted({tag for sentence in tags for tag in sentence}))}
    spans = chunks([np.array([number[tag] for tag in sentence]) for sentence in tags], scheme(list(number)))
    first = np.cumsum([0, *map(len, words)])
    tokens, unknown = tokenizer.encode_words(words), tokenizer.special_ids.get("unk", -1)
    names = []
    for sentence, start, end in zip(spans.sentence.tolist(), spans.start.tolist(), spans.end.tolist(), strict=True):
        inside = tokens[sentence].words + first[sentence]
        positions = np.flatnonzero((tokens[sentence].words >= 0) & (inside >= start) & (inside < end))
        name = Name(tokens[sentence], positions, sentence)
        if 0 < len(positions) <= _MOST_TOKENS and unknown not in name.ids and len(name.tokens) <= longest:
            names.append(name)
    return names


def complete(model: Path | str, tagged: Path, made: Path, device: str, most: int) -> None:
    """Ask a model for at most so many names of a tagged file, the same ones for every model of one vocabulary.

    Args:
        model: a folder or name.
        tagged: the CoNLL file.
        made: file of the completions.
        device: cpu, cuda or auto.
        most: names that are asked for.
    """
    loaded = language_model(model).to(device_of(device))
    names = names_of(tagged, loaded.tokenizer, loaded.encoder.config.max_length)
    candidates = candidates_of(names)
    drawn = np.sort(child(0, "names").permutation(len(names))[:most])
    rows = [_completion(logs, names[row], candidates) for row, logs in _log_probabilities(loaded, names, drawn)]
    columns = (np.array(column) for column in zip(*rows, strict=True))
    Completions(*columns).save(made)


def candidates_of(names: Sequence[Name]) -> Mapping[int, Integers]:
    """Return number of tokens -> the distinct names of so many tokens, int64 [names, tokens]."""
    distinct = sorted({name.ids for name in names})
    sizes = {len(ids) for ids in distinct}
    return {size: np.array([ids for ids in distinct if len(ids) == size]) for size in sizes}


def _log_probabilities(model: LanguageModel, names: Sequence[Name], rows: Integers) -> Iterator[tuple[int, Floats]]:
    """Yield (a name's number, the log-probabilities of the vocabulary at its hidden positions, [m, vocabulary])."""
    mask = model.tokenizer.special_ids["mask"]
    for row in rows.tolist():
        name = names[row]
        hidden = name.tokens.ids.copy()
        hidden[name.positions] = mask
        tokens = Tokens(hidden, name.tokens.segments, name.tokens.offsets, name.tokens.words)
        with torch.inference_mode():
            states = model.encoder(pack([tokens]).to(model.encoder.device))
            logs = model.log_probabilities(states[torch.from_numpy(name.positions).to(states.device)])
        yield row, logs[:, : model.tokenizer.vocab_size].double().numpy(force=True)


def _completion(
    logs: Floats, name: Name, candidates: Mapping[int, Integers]
) -> tuple[float, int, bool, float, int, int]:
    """Return a row of `Completions`."""
    rows, ids = np.arange(len(name.positions)), np.array(name.ids)
    score = logs[rows, ids].sum()
    others = logs[rows, candidates[len(ids)]].sum(axis=1)
    ties = np.isclose(others, score, rtol=0, atol=1e-9)
    rank = 1 + np.sum((others > score) & ~ties) + (ties.sum() - 1) / 2
    completed = score >= kth_best(logs, TOP) - 1e-9
    return float(rank), len(others), bool(completed), float(-score / len(ids)), len(ids), name.sentence


def kth_best(logs: Floats, k: int) -> float:
    """Return the k-th highest sum of one entry of each row, [m, v].

    The best k sums of the first rows are enough to find those of one more row.

    >>> kth_best(np.log([[0.6, 0.4], [0.9, 0.1]]), 2) == np.log(0.4) + np.log(0.9)
    True
    """
    best = np.zeros(1)
    for row in logs:
        top = np.partition(row, -min(k, len(row)))[-k:]
        sums = np.sort((best[:, None] + top).ravel())[::-1]
        best = sums[:k]
    return float(best[-1])


def scored(completions: Sequence[Completions], measure: str, least_tokens: int) -> Scored:
    """Return a measure of one system's runs; sentences are resampled.

    Args:
        completions: one of each run, of the same names.
        measure: `mrr`, the mean reciprocal rank; `completed`, a share; or `nats`, those a token.
        least_tokens: fewest tokens of the names that count.
    """
    several = completions[0].tokens >= least_tokens
    weights = item_weights(int(several.sum()), DRAWS, child(0, "items", "names"), completions[0].sentence[several])
    rows = [_values(each, measure)[several] for each in completions]
    totals = weights.sum(axis=1)
    return Scored(np.array([row.mean() for row in rows]), np.array([weights @ row / totals for row in rows]))


def _values(completions: Completions, measure: str) -> Floats:
    """Return a measure of each name, float64 [n]."""
    measures: dict[str, Floats] = {
        "mrr": 1 / completions.ranks,
        "completed": completions.completed.astype(np.float64),
        "nats": completions.nats,
    }
    return measures[measure]
