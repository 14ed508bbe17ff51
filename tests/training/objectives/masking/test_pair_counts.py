"""Neighbours are counted exactly: as a loop over all pairs counts them, whatever the blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import CONTINUATIONS, PIECES
from tests.training.objectives.masking import reference
from tests.training.objectives.masking.stores import store_of

from wordworth.progress import SILENT
from wordworth.training.objectives.masking import pair_counts
from wordworth.training.objectives.masking.masking_units import WholeWords
from wordworth.training.objectives.masking.pair_counts import count_pairs
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.masking.store_blocks import text_blocks

LETTERS = np.arange(PIECES) != 6  # 6 is a comma
PIECE = st.sampled_from([6, 7, 8, 9, 130])
SENTENCES = st.lists(st.lists(PIECE, min_size=1, max_size=12), min_size=1, max_size=12)
LISTED = {(7, 8), (8, 9, 130)}


def counted(store, unit, least):
    with SILENT.step("counting") as step:
        counts = count_pairs(store, unit, LETTERS, least, step)
    pairs = [tuple(store.ids[first:end].tolist()) for first, end in counts.spans]
    return sorted(zip(pairs, counts.joint.tolist(), counts.left.tolist(), counts.right.tolist(), strict=True)), counts


def expected(sentences, listed, least):
    heads = [[not index or not CONTINUATIONS[id_] for index, id_ in enumerate(each)] for each in sentences]
    units = [reference.phrases(ids, head, listed) for ids, head in zip(sentences, heads, strict=True)]
    pairs, singles = reference.pair_counts(units, LETTERS.tolist())
    rows = [
        (left + right, count, singles[left], singles[right]) for (left, right), count in pairs.items() if count >= least
    ]
    return sorted(rows), sum(singles.values())


@pytest.mark.parametrize("listed", [set(), LISTED], ids=["words", "phrases"])
@given(sentences=SENTENCES, least=st.integers(1, 3), block=st.integers(1, 40))
def test_counts_are_those_of_a_loop_over_all_neighbours(listed, sentences, least, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_counts, "text_blocks", lambda store: text_blocks(store, block))
        patch.setattr(pair_counts, "_BUCKET_BITS", 4)  # many pairs share a bucket
        rows, counts = counted(store_of(sentences), Phrases(frozenset(listed)) if listed else WholeWords(), least)
    assert (rows, counts.total) == expected(sentences, listed, least)


def test_a_pair_stands_in_one_sentence_and_its_order_counts():
    rows, _ = counted(store_of([[7, 8], [8, 7], [7], [8]]), WholeWords(), 1)
    assert rows == [((7, 8), 1, 3, 3), ((8, 7), 1, 3, 3)]
