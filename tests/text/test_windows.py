"""Windows over long texts: nothing lost, nothing counted twice, everything told."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokens import Tokens
from wordworth.text.windows import WindowSpec, max_context, plan_windows, spans, take


@st.composite
def frames(draw: st.DrawFn) -> WindowSpec:
    prefix, suffix, room = draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.integers(1, 12))
    overlap = draw(st.integers(0, room - 1))
    return WindowSpec(max_length=prefix + suffix + room, overlap=overlap, prefix=prefix, suffix=suffix)


lengths = st.integers(0, 60)


@settings(max_examples=200)
@given(frames(), lengths)
def test_every_token_is_in_a_window_and_counted_once(frame: WindowSpec, inner: int) -> None:
    length = inner + frame.prefix + frame.suffix
    made = plan_windows([length], frame).windows
    counted = np.concatenate([window.positions[window.is_counted] for window in made])
    assert sorted(counted.tolist()) == list(range(length))


@settings(max_examples=200)
@given(frames(), lengths)
def test_windows_are_full_framed_and_share_the_overlap(frame: WindowSpec, inner: int) -> None:
    length = inner + frame.prefix + frame.suffix
    made = plan_windows([length], frame).windows
    marks = [*range(frame.prefix), *range(length - frame.suffix, length)]
    for window in made:
        assert len(window.positions) == min(length, frame.max_length)
        assert [place for place in window.positions if not frame.prefix <= place < length - frame.suffix] == marks
        assert (np.diff(window.positions) > 0).all()
    for left, right in pairwise(made):
        assert len(np.intersect1d(left.positions, right.positions)) >= frame.overlap + frame.prefix + frame.suffix


@settings(max_examples=200)
@given(frames(), lengths)
def test_no_fewer_windows_would_do(frame: WindowSpec, inner: int) -> None:
    found = spans(inner, frame.capacity, frame.overlap)
    step = frame.capacity - frame.overlap
    assert len(found) == max(1, -(-(inner - frame.overlap) // step))


@settings(max_examples=200)
@given(frames(), lengths)
def test_each_token_is_counted_where_it_sees_most(frame: WindowSpec, inner: int) -> None:
    covering = spans(inner, frame.capacity, frame.overlap)
    owner = max_context(covering, inner)
    for place, window in enumerate(owner.tolist()):
        sides = [min(place - start, end - 1 - place) for start, end in covering]
        assert sides[window] == max(sides)


@pytest.mark.parametrize(
    ("covering", "length", "expected"),
    [
        ([(0, 370), (128, 498), (256, 500)], 500, [0] * 249 + [1] * 129 + [2] * 122),
        ([(0, 5), (2, 7)], 7, [0, 0, 0, 0, 1, 1, 1]),  # the fourth sees as much in both: the earlier
        ([(0, 5), (3, 8), (6, 11)], 11, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]),
    ],
)
def test_published_windows_give_the_published_owners(covering: list, length: int, expected: list[int]) -> None:
    assert max_context(covering, length).tolist() == expected


def test_marks_are_counted_in_the_window_at_their_end_of_the_text() -> None:
    first, middle, last = plan_windows([12], WindowSpec(max_length=6, overlap=1)).windows
    assert (first.is_counted[0], middle.is_counted[0], last.is_counted[0]) == (True, False, False)
    assert (first.is_counted[-1], middle.is_counted[-1], last.is_counted[-1]) == (False, False, True)


def test_a_mean_over_counted_tokens_is_the_mean_over_the_text() -> None:
    values = np.random.default_rng(0).normal(size=97)
    made = plan_windows([97], WindowSpec(max_length=20, overlap=7)).windows
    pooled = sum(values[window.positions][window.is_counted].sum() for window in made) / 97
    assert np.isclose(pooled, values.mean())


def test_windows_of_a_text_keep_its_marks_offsets_and_words(small: Tokenizer) -> None:
    (tokens,) = small.encode(["a b c d e f g"])
    planned = plan_windows([len(tokens)], WindowSpec(max_length=5, overlap=1)).windows
    parts = [take(tokens, window.positions) for window in planned]
    assert [[small.token(int(index)) for index in part.ids] for part in parts] == [
        ["[CLS]", "a", "b", "c", "[SEP]"],
        ["[CLS]", "c", "d", "e", "[SEP]"],
        ["[CLS]", "e", "f", "g", "[SEP]"],
    ]
    assert parts[1].offsets.tolist() == [[0, 0], [4, 5], [6, 7], [8, 9], [0, 0]]
    assert parts[1].words.tolist() == [-1, 2, 3, 4, -1]


def test_a_text_that_fits_is_its_own_window(small: Tokenizer) -> None:
    (tokens,) = small.encode(["a b c"])
    (planned,) = plan_windows([len(tokens)], WindowSpec(max_length=5)).windows
    whole = take(tokens, planned.positions)
    assert np.array_equal(whole.ids, tokens.ids)


def test_a_list_is_windowed_in_order_and_counted() -> None:
    made = plan_windows([5, 12, 2, 30], WindowSpec(max_length=10, overlap=2))
    assert [window.sequence for window in made.windows] == [0, 1, 1, 2, *[3] * 5]
    assert (made.windowed, made.cut, made.dropped) == (2, 0, 0)


def test_cutting_keeps_the_start_and_counts_what_goes() -> None:
    made = plan_windows([5, 12, 30], WindowSpec(max_length=10, overlap=2), long="cut")
    assert made.windows[1].positions.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]
    assert made.windows[1].is_counted.all()
    assert (len(made.windows), made.windowed, made.cut, made.dropped) == (3, 0, 2, 22)


def test_refusing_long_texts_names_the_first_with_its_numbers() -> None:
    lengths_of_texts = [512] * 17 + [903, 2_000]
    with pytest.raises(BadInput, match=r"text 17 \(the first is 0\) has 903 tokens, the encoder reads 512"):
        plan_windows(lengths_of_texts, WindowSpec(max_length=512), long="error")
    assert len(plan_windows(lengths_of_texts[:17], WindowSpec(max_length=512), long="error").windows) == 17


@pytest.mark.parametrize(
    ("limit", "overlap", "says"),
    [
        (2, 0, "a window of 2 tokens leaves no room beside 2 special tokens"),
        (10, 8, "an overlap of 8 tokens does not fit windows of 8 tokens; choose an overlap from 0 to 7"),
        (10, -1, "an overlap of -1 tokens"),
    ],
)
def test_settings_that_cannot_work_are_refused(limit: int, overlap: int, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        WindowSpec(max_length=limit, overlap=overlap)


def test_a_hundred_thousand_tokens_are_windowed_at_once() -> None:
    made = plan_windows([100_002], WindowSpec(max_length=512, overlap=64)).windows
    assert len(made) == -(-(100_000 - 64) // (510 - 64))


def test_taking_tokens_takes_every_part_of_them() -> None:
    ids = np.arange(4)
    tokens = Tokens(
        ids=ids, segments=ids + 1, offsets=np.arange(8).reshape(4, 2).astype(np.int32), words=ids.astype("i4")
    )
    some = take(tokens, np.array([0, 3]))
    assert (some.ids.tolist(), some.segments.tolist(), some.words.tolist()) == ([0, 3], [1, 4], [0, 3])
    assert some.offsets.tolist() == [[0, 1], [6, 7]]


def test_a_misspelt_way_to_read_long_texts_is_refused() -> None:
    with pytest.raises(
        BadInput, match=r"long_texts: no way to read long texts 'trunc'; available: 'window', 'cut', 'error'"
    ):
        plan_windows([3], WindowSpec(max_length=8, overlap=1, prefix=1, suffix=1), long="trunc")  # type: ignore[arg-type]
