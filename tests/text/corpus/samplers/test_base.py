import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.corpus.samplers.base import Pass, check_room


def a_pass(count):
    numbers = np.arange(4 * count).reshape(2, count, 2)
    return Pass(numbers[0], numbers[1], np.arange(count) % 2)


@given(count=st.integers(1, 9), data=st.data())
def test_sequences_that_are_taken_have_both_their_texts_and_their_label(count, data):
    made, rows = a_pass(count), data.draw(st.lists(st.integers(0, count - 1), max_size=6))
    taken = made.take(np.array(rows, dtype=np.int64))
    assert len(taken) == len(rows)
    for place, row in enumerate(rows):
        assert taken.texts[place].tolist() == [made.first[row].tolist(), made.second[row].tolist()]
        assert taken.labels[place] == made.labels[row]


def test_first_texts_are_of_segment_0_and_second_ones_of_segment_1():
    assert a_pass(3).segments.tolist() == [[0, 1]] * 3
    assert a_pass(3).take(slice(1, None)).labels.tolist() == [1, 0]


@pytest.mark.parametrize(("room", "told"), [(1, "room for 1 tokens"), (-2, "room for 0 tokens")])
def test_too_short_sequences_are_refused_with_what_is_needed(room, told):
    check_room(2, least=2)
    with pytest.raises(BadInput, match=rf"{told} .*, 2 are needed; give a greater length"):
        check_room(room, least=2)
