"""Mining of hard negatives: for each row, a text of another row whose vector is near that of the row's first text.

The candidates are the second texts of all rows. Two kinds are left out: texts that are the second text of a row with
the same first text, and texts whose cosine with the first text is above 95 % of the cosine of the row's own second
text, since they may be positives too. This rule, TopK-PercPos, was the best of the rules that Moreira et al. 2024
(arXiv 2407.15831, section 4) compare. A model with a prompt before queries and another before documents reads first
texts as queries and candidates as documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.files import content_key
from wordworth.measures.binomial import exact_interval
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.load import Loaded, load
from wordworth.models.prompts import Role, prompts_by_role, with_prompt_of
from wordworth.progress import Progress, Step
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent, some_of
from wordworth.sources import resolve, short_name
from wordworth.tasks.reading.sentence_rows import SentenceRows

MARGIN = 0.05
"""A candidate is left out where its cosine is above that of the row's second text less this share of it."""
_ROWS, _CANDIDATES = 256, 32_768
"""Rows and candidates that are compared at once: their cosines are 32 MB."""
NONE = -1
Indices = NDArray[np.int64]
Vectors = NDArray[np.float32]


class MinedNegatives(NamedTuple):
    """The hard negatives of n rows: for each row, the index of the row whose second text is its hard negative.

    The index is `NONE` for a row without a candidate.

    Attributes:
        hard: int64 [n], the hard negatives.
        unfiltered: int64 [n], what the hard negatives would be if the second texts of other rows with the same first
            text were not left out.
    """

    hard: Indices
    unfiltered: Indices


def with_hard_negatives(rows: SentenceRows, miner: str, progress: Progress) -> SentenceRows:
    """Return the rows, with a hard negative as the third text of each row that had none, and a note on them.

    A row for which no hard negative is found stays without a third text.

    Args:
        rows: rows whose second text is a positive of the first.
        miner: the model whose vectors are compared: a catalogue name, a folder or a hub name.
        progress: receives the progress.

    Raises:
        BadInput: nothing has the miner's name, or the model gives no vectors of texts.
    """
    weights, model = resolve(miner, hash_whole=True).sha256.values(), load(miner)
    prompts = [f"{role} {prompt}" for role, prompt in prompts_by_role(model).items()]
    key = content_key("hard_negatives", str(MARGIN), *weights, *prompts, *rows.first, "", *rows.second)
    mined = MinedNegatives(*ArrayCache().array(key, lambda: np.stack(_mined(rows, model, progress))))
    third = [own or ("" if row == NONE else rows.second[row]) for own, row in zip(rows.third, mined.hard, strict=True)]
    note = _note(rows, third, mined, short_name(miner))
    return replace(rows, third=tuple(third), notes=(*rows.notes, note))


def _mined(rows: SentenceRows, model: Loaded, progress: Progress) -> MinedNegatives:
    texts = list(dict.fromkeys([*rows.first, *rows.second]))
    number = {text: index for index, text in enumerate(texts)}
    first, second = (np.array([number[text] for text in side]) for side in (rows.first, rows.second))
    prompts = prompts_by_role(model)

    def vectors(role: Role) -> Vectors:
        encoder = with_prompt_of(role, prompts, model)
        return unit_or_zero(encoder.encode(texts, long_texts="cut", progress=progress))

    documents = vectors("document")
    queries = vectors("query") if prompts else documents
    with progress.step("mining hard negatives", len(rows)) as step:
        return nearest_negatives(documents, first, second, step, queries=queries)


def nearest_negatives(
    vectors: Vectors, first: Indices, second: Indices, step: Step | None = None, *, queries: Vectors | None = None
) -> MinedNegatives:
    """Find the hard negative of each of n rows: the nearest second text of another row that is not a positive too.

    The docstring of this module says which texts are left out because they may be positives.
    Beside the vectors, memory grows with n only, not with n².

    Args:
        vectors: float32 [texts, width], the vectors of the texts, of length 1 or 0.
        first: int64 [n], the index of each row's first text.
        second: int64 [n], the index of each row's second text.
        step: progress display, advanced by the number of rows done.
        queries: float32 [texts, width], the vectors of the same texts when encoded as first texts, with the prompt of
            queries for example; None if they equal `vectors`.
    """
    sides = (vectors if queries is None else queries, vectors)
    candidates, row_of = np.unique(second, return_index=True)
    position = np.searchsorted(candidates, second)
    rows_of_text = _grouped(first)
    nearest = np.full((2, len(first)), NONE)
    for start in range(0, len(first), _ROWS):
        rows = np.arange(start, min(start + _ROWS, len(first)))
        known = [position[rows_of_text[text]] for text in first[rows].tolist()]
        nearest[:, rows] = _nearest(sides, candidates, first[rows], second[rows], known)
        if step is not None:
            step.advance(len(rows))
    taken = np.append(row_of, NONE)  # the position -1 is no row
    return MinedNegatives(*taken[nearest])


def _grouped(values: Indices) -> dict[int, Indices]:
    """Return value -> the positions at which it occurs, int64, ascending."""
    order = np.argsort(values, kind="stable")
    different, starts = np.unique(values[order], return_index=True)
    return dict(zip(different.tolist(), np.split(order, starts[1:]), strict=True))


def _nearest(
    vectors: tuple[Vectors, Vectors], candidates: Indices, first: Indices, second: Indices, known: list[Indices]
) -> tuple[Indices, Indices]:
    """Return the hard negatives of some rows, and what these would be unfiltered (`MinedNegatives`).

    Both are positions in `candidates`, int64 [rows] each; `NONE` for a row without a candidate.

    Args:
        vectors: (vectors of texts as first texts, vectors of texts as candidates), float32 [texts, width] each.
        candidates: int64 [candidates], the indices of the candidates among the texts, ascending.
        first: int64 [rows], the index of each row's first text.
        second: int64 [rows], the index of each row's second text.
        known: for each row, the positions in `candidates` of all second texts of rows with its first text.
    """
    queries, documents = vectors[0][first], vectors[1]
    own = np.einsum("nd,nd->n", queries, documents[second])
    limit = own - MARGIN * np.abs(own)
    row = np.repeat(np.arange(len(first)), [len(positions) for positions in known])
    right = np.concatenate(known)
    best = np.full((2, len(first)), -np.inf, np.float32)
    nearest = np.full((2, len(first)), NONE)
    for start in range(0, len(candidates), _CANDIDATES):
        block = candidates[start : start + _CANDIDATES]
        cosines = queries @ documents[block].T
        excluded = (cosines > limit[:, None]) | (block == first[:, None]) | (block == second[:, None])
        cosines[excluded] = -np.inf
        _keep_best(cosines, start, best[1], nearest[1])
        inside = (right >= start) & (right < start + len(block))
        cosines[row[inside], right[inside] - start] = -np.inf
        _keep_best(cosines, start, best[0], nearest[0])
    return nearest[0], nearest[1]


def _keep_best(cosines: Vectors, start: int, best: Vectors, nearest: Indices) -> None:
    """Update `best` and `nearest` in place for the rows whose largest cosine in a block exceeds their best so far.

    Args:
        cosines: float32 [rows, candidates of the block]; -inf for a candidate that is left out.
        start: the position of the block's first candidate among all candidates.
        best: float32 [rows], the largest cosine of each row so far.
        nearest: int64 [rows], the position among all candidates of the candidate with this cosine.
    """
    position = cosines.argmax(axis=1)
    largest = np.take_along_axis(cosines, position[:, None], axis=1)[:, 0]
    is_better = largest > best
    best[is_better], nearest[is_better] = largest[is_better], position[is_better] + start


def _note(rows: SentenceRows, third: list[str], mined: MinedNegatives, miner: str) -> Finding:
    """Return the finding that says how many hard negatives were mined, and how many of them may be false.

    Args:
        rows: the rows before mining.
        third: the third text of each row after mining; "" for none.
        mined: the hard negatives of the rows.
        miner: name of the model whose vectors were compared.
    """
    own, filled = sum(map(bool, rows.third)), sum(map(bool, third))
    text = f"{miner} mined a hard negative for {some_of(filled - own, len(rows), 'row', 'rows')}"
    several = list(_texts_with_several(rows))
    false = sum(_is_false(rows, mined, text_rows) for text_rows in several)
    numbers = {"miner": miner, "mined": filled - own, "rows": len(rows), "texts": len(several), "false": false}
    if not several:
        text += ". How many of them are right by mistake is unknown: no first text has two second texts."
        return Finding("method.hard_negatives", text, numbers)
    ends = exact_interval(false, len(several))
    with_several = count_of(len(several), "first text")
    share = f"{percent(false / len(several), 1)} ({percent(ends.low, 1)} to {percent(ends.high, 1)})"
    text += (
        f". Of {with_several} with several right second texts, {share} would have had one of these as its negative, if "
        "it had not been known to be right: so many are false where there is as much that nobody labelled."
    )
    return Finding("method.hard_negatives", text, {**numbers, "share": false / len(several), **ends.columns()})


def _texts_with_several(rows: SentenceRows) -> Iterator[list[int]]:
    """Yield for each first text that has more than one second text the indices of its rows."""
    rows_of: dict[str, list[int]] = {}
    for row, text in enumerate(rows.first):
        rows_of.setdefault(text, []).append(row)
    yield from (several for several in rows_of.values() if len({rows.second[row] for row in several}) > 1)


def _is_false(rows: SentenceRows, mined: MinedNegatives, several: list[int]) -> bool:
    """Return whether the unfiltered hard negative of a first text is one of the second texts of its own rows.

    Args:
        rows: all rows.
        mined: the hard negatives of all rows.
        several: the indices of the rows with this first text; the hard negative of the first of them is judged.
    """
    negative = int(mined.unfiltered[several[0]])
    return negative != NONE and rows.second[negative] in {rows.second[row] for row in several}
