"""Tags of every scheme become IOB2 by the rules of conlleval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.tasks.task_types.tagging import iob2, is_scheme

SAME = {
    "IOB1": "I-PER I-PER O I-LOC B-LOC I-LOC I-ORG",
    "IOB2": "B-PER I-PER O B-LOC B-LOC I-LOC B-ORG",
    "IOBES": "B-PER E-PER O S-LOC B-LOC E-LOC S-ORG",
    "BILOU": "B-PER L-PER O U-LOC B-LOC L-LOC U-ORG",
}


@pytest.mark.parametrize("name", SAME)
def test_one_sentence_in_every_scheme_gives_the_same_tags(name: str) -> None:
    assert iob2([SAME[name].split()]) == [SAME["IOB2"].split()]


def test_an_entity_does_not_run_on_into_the_next_sentence() -> None:
    assert iob2([["I-PER"], ["I-PER"], [], ["O"]]) == [["B-PER"], ["B-PER"], [], ["O"]]


@given(
    st.lists(
        st.lists(st.sampled_from(["O", *(f"{p}-{t}" for p in "BIESLU" for t in ("X", "Y"))]), max_size=8), max_size=5
    )
)
def test_the_entities_stay_the_same(rows: list[list[str]]) -> None:
    def found(sentences: list[list[str]]) -> list[tuple[int, int, int, str]]:
        names = sorted({"O", "B-X", "B-Y", *(tag for row in sentences for tag in row)})
        numbers = [np.array([names.index(tag) for tag in row], dtype=np.int64) for row in sentences]
        of = scheme(names)
        got = chunks(numbers, of)
        return [
            (int(s), int(a), int(b), of.types[k])
            for s, a, b, k in zip(got.sentence, got.start, got.end, got.kind, strict=True)
        ]

    assert found(iob2(rows)) == found(rows)
    assert iob2(iob2(rows)) == iob2(rows)


def test_parts_of_speech_are_no_scheme_of_entities() -> None:
    assert is_scheme({"O", "B-PER"})
    assert not is_scheme({"NN", "VB", "-LRB-"})
    assert not is_scheme({"O", "NN"})
