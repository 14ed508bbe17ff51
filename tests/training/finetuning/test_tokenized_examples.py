import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.tokens import Tokens
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples

EXAMPLES = st.lists(st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=5), max_size=3), min_size=1, max_size=8)
"""Examples, each of them sequences of ids."""


def sequence(ids):
    length = len(ids)
    words = np.arange(length, dtype=np.int32)
    return Tokens(np.array(ids, np.int64), np.zeros(length, np.int64), np.zeros((length, 2), np.int32), words)


def tokenized(examples):
    offsets = np.cumsum([0, *map(len, examples)])
    tokens = tuple(sequence(ids) for example in examples for ids in example)
    return TokenizedExamples(tokens, offsets, np.array([len(example) > 1 for example in examples]))


def plain(found):
    return [tokens.ids.tolist() for tokens in found]


@given(EXAMPLES)
def test_an_example_is_as_long_as_all_its_sequences_and_ids_are_told_once(examples):
    made = tokenized(examples)
    assert len(made) == len(examples)
    assert made.lengths.tolist() == [sum(map(len, example)) for example in examples]
    assert made.sizes.tolist() == [len(ids) for example in examples for ids in example]
    assert made.used_ids.tolist() == sorted({number for example in examples for ids in example for number in ids})
    assert made.num_truncated == sum(len(example) > 1 for example in examples)


@given(examples=EXAMPLES, data=st.data())
def test_examples_that_are_taken_keep_all_their_sequences_in_order(examples, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(examples) - 1), min_size=1, max_size=6)))
    made = tokenized(examples)
    expected = [ids for row in rows for ids in examples[row]]
    assert plain(made.sequences(rows)) == expected
    taken = made.take(rows)
    assert plain(taken.tokens) == expected
    assert plain(taken.sequences(np.arange(len(rows)))) == expected
    assert taken.lengths.tolist() == made.lengths[rows].tolist()
    assert taken.truncated.tolist() == made.truncated[rows].tolist()


def test_a_batch_holds_the_sequences_one_after_the_other():
    made = tokenized([[[1, 2], [3]], [[4, 5, 6]], [[7]]])
    batch = made.batch(np.array([2, 0]))
    assert batch.ids.tolist() == [7, 1, 2, 3]
    assert batch.starts.tolist() == [0, 1, 3, 4]


def test_ids_of_more_sequences_than_are_read_at_once_are_all_told():
    made = TokenizedExamples.single([sequence([number % 7_000]) for number in range(9_000)], np.zeros(9_000, bool))
    assert made.used_ids.tolist() == list(range(7_000))
    assert made.sequences(np.array([8_999]))[0].ids.tolist() == [1_999]
