"""From scores to answers, by the paper's rules."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.question_answering.questions import flat, one_question, sized

from wordworth.tasks.question_answering.decode_spans import (
    Candidate,
    Decoded,
    DecodingSettings,
    decode,
    tuned_threshold,
)
from wordworth.tasks.question_answering.windows import WindowSettings, span_windows
from wordworth.tasks.task import Answer, Examples


def scored(windows, places):
    """Flat scores with peaks: {(window, token): score} for starts and for ends."""
    starts, ends = flat(windows.lengths), flat(windows.lengths)
    for side, peaks in zip((starts, ends), places, strict=True):
        for (window, token), score in peaks.items():
            side[window][token] = score
    return starts, ends


def test_the_best_start_and_end_give_the_exact_text(letters):
    windows = span_windows(one_question("q", "The  cat, the dog."), letters)
    starts, ends = scored(windows, ({(0, 4): 5.0}, {(0, 7): 4.0}))  # [CLS] q [SEP] the c ##a ##t ,
    (best, *_) = decode(windows, starts, ends).candidates[0]
    assert (best.text, best.start, best.score) == ("cat,", 5, 9.0)


def test_an_answer_neither_ends_before_it_starts_nor_lies_in_the_question(letters):
    windows = span_windows(one_question("q r s", "a b c"), letters)
    starts, ends = scored(windows, ({(0, 7): 9.0, (0, 1): 99.0}, {(0, 5): 9.0, (0, 7): 1.0}))
    (best, *_) = decode(windows, starts, ends).candidates[0]
    assert best.text == "c"  # token 7 to 7; 7 to 5 runs backwards, and token 1 is the question's


def test_an_answer_is_at_most_so_many_pieces_long(letters):
    windows = span_windows(sized(1, 40), letters)
    peaks = ({(0, 3): 9.0}, {(0, 3 + 29): 5.0, (0, 3 + 30): 9.0})
    (best, *_) = decode(windows, *scored(windows, peaks)).candidates[0]
    assert len(best.text.split()) == 30
    (best, *_) = decode(windows, *scored(windows, peaks), DecodingSettings(longest=31)).candidates[0]
    assert len(best.text.split()) == 31


def test_no_answer_is_as_likely_as_in_the_window_that_doubts_it_most(letters):
    windows = span_windows(sized(1, 11), letters, WindowSettings(limit=9, stride=3))
    starts, ends = scored(windows, ({(0, 0): 3.0, (1, 0): -2.0, (2, 0): 4.0}, {(0, 0): 1.0, (1, 0): 0.5, (2, 0): 0.0}))
    assert decode(windows, starts, ends).no_answer_score.tolist() == [-1.5]


def test_a_start_counts_only_where_it_has_most_context(letters):
    windows = span_windows(sized(1, 11), letters, WindowSettings(limit=9, stride=3))
    # piece 3 has most context in the window (0, 5), where it is token 6; in (3, 8) it is token 3
    starts, ends = scored(windows, ({(1, 3): 50.0, (0, 6): 1.0}, {(1, 3): 50.0, (0, 6): 1.0}))
    best, *others = decode(windows, starts, ends).candidates[0]
    assert best.score < 50
    assert all(candidate.score < 100 for candidate in others)
    starts[1][3], ends[1][3] = 0.0, 0.0
    starts[0][6] = ends[0][6] = 50.0
    assert decode(windows, starts, ends).candidates[0][0].score == 100.0


def test_an_empty_context_is_answered_by_nothing_at_any_threshold_and_that_is_certain(letters):
    windows = span_windows(one_question("q", ""), letters)
    decoded = decode(windows, *scored(windows, ({(0, 0): -2.0}, {(0, 0): -1.0})))
    assert decoded.no_answer_margin.tolist() == [np.inf]
    assert [decoded.answers(threshold) for threshold in (None, np.inf, 0.0, -np.inf)] == [[""]] * 4


def test_equal_texts_are_one_candidate_and_the_best_of_them(letters):
    windows = span_windows(one_question("q", "a b a"), letters)
    starts, ends = scored(windows, ({(0, 3): 1.0, (0, 5): 2.0}, {(0, 3): 1.0, (0, 5): 2.0}))
    candidates = decode(windows, starts, ends).candidates[0]
    texts = [candidate.text for candidate in candidates]
    assert len(texts) == len(set(texts))
    assert (candidates[0].text, candidates[0].start) == ("a", 4)


def test_probabilities_sum_to_one_and_the_nonanswer_is_the_last(letters):
    windows = span_windows(one_question("q", "a b"), letters)
    decoded = decode(windows, *scored(windows, ({(0, 0): 30.0}, {})))
    with_null = decoded.probabilities(0, null=True)
    assert (len(with_null), with_null.sum()) == (len(decoded.candidates[0]) + 1, pytest.approx(1))
    assert with_null[-1] > 0.99


def test_scores_of_another_shape_or_a_diverged_run_are_refused(letters):
    windows = span_windows(one_question("q", "a b"), letters)
    with pytest.raises(ValueError, match="as long as its window"):
        decode(windows, flat([3]), flat([3]))
    with pytest.raises(ValueError, match="diverged"):
        decode(windows, flat(windows.lengths, np.nan), flat(windows.lengths))


def slow(windows, starts, ends, best, longest):
    """`run_squad.py`'s loops, window by window and pair by pair: the specification."""
    answers = []
    for question in range(len(windows.question_ids)):
        context = int(windows.context_of[question])
        offsets, whole = windows.contexts[context].offsets, windows.texts[context]
        found, null = [], np.inf
        covering = [windows.spans[window] for window in windows.of_question(question)]
        for place, window in enumerate(windows.of_question(question)):
            null = min(null, float(starts[window][0]) + float(ends[window][0]))
            low, high = windows.spans[window]
            begin = windows.context_start(window)
            for start in sorted(range(len(starts[window])), key=lambda t: -starts[window][t])[:best]:
                for end in sorted(range(len(ends[window])), key=lambda t: -ends[window][t])[:best]:
                    i, j = start - begin + low, end - begin + low
                    if not (low <= i < high and low <= j < high) or j < i or j - i + 1 > longest:
                        continue
                    context_of = [min(i - a, b - 1 - i) + 0.01 * (b - a) if a <= i < b else -1 for a, b in covering]
                    if context_of.index(max(context_of)) == place:
                        found.append((float(starts[window][start]) + float(ends[window][end]), i, j))
        found.sort(key=lambda entry: -entry[0])
        texts = dict.fromkeys(whole[offsets[i, 0] : offsets[j, 1]] for _, i, j in found)
        answers.append((list(texts)[:best] or [""], null))
    return answers


@given(seed=st.integers(0, 10**6), lengths=st.lists(st.integers(0, 25), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_fast_decoding_is_the_papers(letters, seed, lengths):
    rng = np.random.default_rng(seed)
    contexts = tuple(" ".join("abc"[letter] for letter in rng.integers(0, 3, length)) for length in lengths)
    windows = span_windows(Examples(("q r",) * len(lengths), contexts), letters, WindowSettings(limit=14, stride=4))
    starts, ends = ([rng.integers(-3, 4, n).astype(np.float32) for n in windows.lengths] for _ in range(2))
    decoded = decode(windows, starts, ends, DecodingSettings(best=6, longest=4))
    wanted = slow(windows, starts, ends, 6, 4)
    assert [[one.text for one in some] for some in decoded.candidates] == [texts for texts, _ in wanted]
    assert decoded.no_answer_score.tolist() == [null for _, null in wanted]


def made_up(doubts):
    return Decoded(tuple((Candidate("x", 0, 0.0),) for _ in doubts), np.array(doubts, dtype=np.float64))


def considered(scores):
    """What was considered for one question, best first."""
    return tuple(Candidate(f"answer {place}", place, score) for place, score in enumerate(sorted(scores)[::-1]))


SCORES = st.floats(-50, 50)
DECODED = st.lists(st.tuples(st.lists(SCORES, min_size=1, max_size=4), SCORES), min_size=1, max_size=20).map(
    lambda drawn: Decoded(tuple(considered(scores) for scores, _ in drawn), np.array([null for _, null in drawn]))
)


@given(DECODED, st.lists(st.floats(-110, 110), min_size=2, max_size=6))
def test_a_higher_threshold_never_adds_an_empty_answer(decoded, thresholds):
    rising = [-np.inf, *sorted(thresholds), np.inf]
    empty = [{row for row, said in enumerate(decoded.answers(bound)) if not said} for bound in rising]
    assert all(above <= below for below, above in pairwise(empty))
    assert (empty[0], empty[-1]) == (set(range(len(decoded.candidates))), set())
    assert all(said in {"", some[0].text} for said, some in zip(decoded.answers(0.0), decoded.candidates, strict=True))
    assert decoded.answers(np.inf) == decoded.answers()


def test_the_threshold_is_tuned_on_gold():
    gold = ((Answer("x", 0),), (Answer("x y z", 0),), ())
    best, threshold = tuned_threshold(made_up([0.1, 0.4, 0.9]), gold)
    assert (best, threshold) == (pytest.approx(100 * 2.5 / 3), 0.4)  # F1 of x against x y z is 1/2
    assert made_up([0.1, 0.4, 0.9]).answers(threshold) == ["x", "x", ""]


def test_where_silence_is_best_the_threshold_silences_all():
    best, threshold = tuned_threshold(made_up([-9.0, -8.0]), ((), ()))
    assert (best, threshold) == (100, -np.inf)
    assert made_up([-9.0, -8.0]).answers(threshold) == ["", ""]
