"""Chunks of tags, as CoNLL's scorer sees them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures import chunk_f1
from wordworth.measures.metrics import metric

NAMES = tuple(sorted({"O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in ("PER", "LOC"))}))


def tags(text):
    return np.array([NAMES.index(tag) for tag in text.split()])


def spans(text):
    of = chunk_f1.scheme(NAMES)
    found = chunk_f1.chunks([tags(text)], of)
    return [(a, b, of.types[kind]) for a, b, kind in zip(found.start, found.end, found.kind, strict=True)]


def plainly(names):
    """The slow twin: one tag after another."""
    out, before = [], ("", "")
    for place, tag in enumerate(names):
        prefix, kind = chunk_f1.stripped(tag)
        if prefix and (not before[0] or kind != before[1] or prefix in "BS" or before[0] in "ES"):
            out.append([place, place + 1, kind])
        elif prefix:
            out[-1][1] = place + 1
        before = (prefix, kind)
    return [tuple(chunk) for chunk in out]


@pytest.mark.parametrize(
    ("gold", "said", "counts"),
    [
        ("B-PER I-PER O B-LOC", "I-PER I-PER O I-LOC", (2, 2, 2)),
        ("B-PER B-PER O", "B-PER I-PER O", (0, 2, 1)),
        ("B-PER I-PER", "B-PER I-LOC", (0, 1, 2)),
    ],
)
def test_the_scorers_worked_examples_come_out(gold, said, counts):
    of = chunk_f1.scheme(NAMES)
    true, theirs = chunk_f1.chunks([tags(gold)], of), chunk_f1.chunks([tags(said)], of)
    assert (chunk_f1.is_matched(true, theirs).sum(), len(true.start), len(theirs.start)) == counts
    score = metric("entity_f1", NAMES).score((tags(gold),), (tags(said),))
    assert score == pytest.approx(2 * counts[0] / (counts[1] + counts[2]))
    for name, below in (("entity_precision", counts[2]), ("entity_recall", counts[1])):
        assert metric(name, NAMES).score((tags(gold),), (tags(said),)) == pytest.approx(counts[0] / below)


@given(st.lists(st.lists(st.sampled_from(NAMES), max_size=8), min_size=1, max_size=4))
def test_chunks_are_those_of_reading_tag_by_tag(sentences):
    of = chunk_f1.scheme(NAMES)
    found = chunk_f1.chunks([np.array([NAMES.index(tag) for tag in s], dtype=np.int64) for s in sentences], of)
    begins = np.cumsum([0, *map(len, sentences)])
    slow = [(i, begins[i] + a, begins[i] + b, kind) for i, s in enumerate(sentences) for a, b, kind in plainly(s)]
    fast = zip(found.sentence, found.start, found.end, (of.types[kind] for kind in found.kind), strict=True)
    assert list(fast) == slow


def test_every_way_of_writing_the_same_entities_gives_the_same_chunks():
    same = ["I-PER I-PER O I-LOC", "B-PER I-PER O B-LOC", "B-PER E-PER O S-LOC"]
    assert {tuple(spans(text)) for text in same} == {((0, 2, "PER"), (3, 4, "LOC"))}


def test_a_sentence_end_ends_an_entity():
    of = chunk_f1.scheme(NAMES)
    assert len(chunk_f1.chunks([tags("B-PER"), tags("I-PER")], of).start) == 2


def test_errors_can_be_counted_by_entity_and_by_word():
    gold, said = (tags("B-PER I-PER O B-LOC"), tags("O")), (tags("B-PER O O B-LOC"), tags("O"))
    true, missed = chunk_f1.missed(gold, said, NAMES)
    assert (true.lengths.tolist(), missed.tolist()) == ([2, 1], [1, 0])
    sentences, wrong = chunk_f1.mistagged(gold, said)
    assert (sentences.tolist(), wrong.tolist()) == ([0, 0, 0, 0, 1], [0, 1, 0, 0, 0])


def test_a_missing_tag_is_refused():
    with pytest.raises(ValueError, match="sentence 0 has 2 words and 1 predicted tags"):
        metric("entity_f1", NAMES).score((tags("O O"),), (tags("O"),))
