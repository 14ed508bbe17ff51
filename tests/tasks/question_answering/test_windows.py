"""Long contexts are read in windows, each behind its question."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.question_answering.questions import one_question, sized

from wordworth.errors import BadInput
from wordworth.tasks.question_answering.windows import WindowSettings, piece_span, span_windows
from wordworth.tasks.task import Answer, Examples
from wordworth.text.windows import spans
from wordworth.text.wordpiece_reference import basic_words, word_pieces


@pytest.mark.parametrize(
    ("context", "asked", "windows"),
    [
        (500, 11, [(0, 370), (128, 370), (256, 244)]),
        (370, 11, [(0, 370)]),
        (371, 11, [(0, 370), (128, 243)]),
        (1000, 20, [(0, 361), (128, 361), (256, 361), (384, 361), (512, 361), (640, 360)]),
    ],
)
def test_windows_advance_by_the_stride_and_the_last_is_short(letters, context, asked, windows):
    made = span_windows(sized(asked, context), letters)
    assert [(int(start), int(end - start)) for start, end in made.spans] == windows
    assert max(made.lengths) <= 384


def test_a_piece_belongs_to_the_window_with_most_context_around_it(letters):
    shown = span_windows(sized(11, 500), letters).window_with_most_context(0)
    assert [np.flatnonzero(shown == window)[[0, -1]].tolist() for window in range(3)] == [
        [0, 248],
        [249, 377],
        [378, 499],
    ]


def test_short_windows_share_pieces_by_the_same_rule(letters):
    made = span_windows(sized(1, 11), letters, WindowSettings(limit=9, stride=3))
    assert made.spans.tolist() == [[0, 5], [3, 8], [6, 11]]
    assert made.window_with_most_context(0).tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]


def test_a_window_is_what_the_tokenizer_makes_of_the_pair(letters):
    examples = one_question("who the?", "the cat. The dog!")
    (whole,) = letters.encode(examples.first, examples.second)
    tokens = span_windows(examples, letters).tokens(0)
    assert tokens.ids.tolist() == whole.ids.tolist()
    assert tokens.segments.tolist() == whole.segments.tolist()
    second = whole.segments == 1
    assert tokens.offsets[second].tolist() == whole.offsets[second].tolist()


def test_long_questions_are_cut_and_contexts_are_read_once(letters):
    examples = Examples((" ".join("q" * 100), "q"), ("a b c", "a b c"))
    made = span_windows(examples, letters)
    assert [len(pieces) for pieces in made.question_ids] == [64, 1]
    assert (len(made.contexts), made.context_of.tolist()) == (1, [0, 0])


def test_an_empty_context_still_has_a_window(letters):
    made = span_windows(one_question("q", ""), letters)
    assert (made.spans.tolist(), made.lengths.tolist()) == ([[0, 0]], [4])


def test_a_limit_without_room_is_refused(letters):
    with pytest.raises(BadInput, match="no room for a context after a question of 10 pieces"):
        span_windows(sized(10, 20), letters, WindowSettings(limit=13))


def test_a_context_is_needed(letters):
    with pytest.raises(BadInput, match="questions without contexts"):
        span_windows(Examples(("q",)), letters)


@given(length=st.integers(0, 60), room=st.integers(1, 20), stride=st.integers(1, 30))
@settings(max_examples=60)
def test_windows_cover_every_piece_and_only_the_last_is_short(length, room, stride):
    covering = spans(length, room, max(room - stride, 0), fill_last=False)
    shown = {piece for start, end in covering for piece in range(start, end)}
    assert shown == set(range(length))
    assert all(end - start == room for start, end in covering[:-1])


def test_windows_without_the_whole_answer_say_the_first_token(letters):
    context = " ".join("abcdefgh"[n % 8] for n in range(11))
    examples = Examples(("q", "q", "q"), (context,) * 3)
    made = span_windows(examples, letters, WindowSettings(limit=9, stride=3))
    gold = made.gold(((Answer("d e", 6), Answer("a", 0)), (), (Answer("d e f g h a", 6),)))
    # pieces 3 and 4 are in the windows (0, 5) and (3, 8), whose contexts begin at token 3
    assert gold[:3].tolist() == [[6, 7], [3, 4], [0, 0]]
    assert gold[3:].tolist() == [[0, 0]] * 6


def test_an_answer_without_a_place_is_passed_over(letters):
    made = span_windows(Examples(("q", "q"), ("a b c",) * 2), letters)
    gold = made.gold(((Answer("c", -1), Answer("b", 2)), (Answer("c", -1),)))
    assert gold.tolist() == [[4, 4], [-1, -1]]


@pytest.mark.parametrize(
    ("context", "answer", "pieces"),
    [
        ("(1895-1943)", "1895", ["1895"]),
        ("The Japanese came", "Japan", ["japanese"]),
        ("The unwantedly came", "unwanted", ["unwanted"]),
        ("worth $3.5 billion.", "$3.5 billion", ["$", "3", ".", "5", "billion"]),
    ],
)
def test_answers_are_narrowed_to_their_pieces(minilm, context, answer, pieces):
    (tokens,) = minilm.encode([context])
    start = context.index(answer)
    found = piece_span(tokens.offsets[1:-1], start, start + len(answer))
    assert found is not None
    assert [minilm.token(int(piece)) for piece in tokens.ids[1:-1]][found[0] : found[1] + 1] == pieces


@pytest.fixture(scope="module")
def vocabulary(minilm):
    return frozenset(minilm.token(index) for index in range(minilm.vocab_size))


def narrowed(context, answer, vocabulary):
    """The paper's way, which knows words but no offsets: the slow twin of `piece_span`."""
    words, pieces, owner = context.split(), [], []
    for number, word in enumerate(words):
        for part in basic_words(word):
            for piece in word_pieces(part, vocabulary):
                pieces.append(piece)
                owner.append(number)
    places = np.cumsum([0, *(len(word) + 1 for word in words)])
    first = int(np.searchsorted(places, answer.start, side="right")) - 1
    last = int(np.searchsorted(places, answer.start + len(answer.text) - 1, side="right")) - 1
    low = owner.index(first)
    high = len(owner) - 1 - owner[::-1].index(last)
    wanted = " ".join(piece for part in basic_words(answer.text) for piece in word_pieces(part, vocabulary))
    for start in range(low, high + 1):
        for end in range(high, start - 1, -1):
            if " ".join(pieces[start : end + 1]) == wanted:
                return start, end
    return low, high


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_offsets_find_the_span_that_the_papers_narrowing_finds(minilm, vocabulary, data):
    parts = ["(1895-1943)", "the", "U.S.", "Ada", "Lovelace's", "engine,", "$3.5bn", "unwanted", "co-op", '"quoted"']
    words = data.draw(st.lists(st.sampled_from(parts), min_size=1, max_size=8))
    context = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    start = len(" ".join([*words[:first], ""]))
    text = " ".join(words[first : last + 1]).strip("(),.\"'")
    answer = Answer(text, context.index(text, start))
    (tokens,) = minilm.encode([context])
    found = piece_span(tokens.offsets[1:-1], answer.start, answer.start + len(answer.text))
    assert found == narrowed(context, answer, vocabulary)
