"""A store is read block by block, sentence by sentence, and nothing is left out or read twice."""

from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.masking.stores import store_of

from wordworth.training.objectives.masking.store_blocks import text_blocks

SENTENCES = st.lists(st.lists(st.integers(5, 199), min_size=1, max_size=9), min_size=1, max_size=20)


@given(sentences=SENTENCES, block=st.integers(1, 60))
def test_blocks_are_whole_sentences_in_order(sentences, block):
    read = []
    for base, text in text_blocks(store_of(sentences), block):
        assert base == sum(map(len, read))
        read += [text.ids[start:end].tolist() for start, end in zip(text.starts[:-1], text.starts[1:], strict=True)]
        assert text.starts[-1] <= max(block, len(read[-1]))
    assert read == sentences


def test_an_unknown_token_is_in_no_unit():
    ((_, text),) = text_blocks(store_of([[7, 1, 8]]))
    assert text.maskable.tolist() == [True, False, True]
