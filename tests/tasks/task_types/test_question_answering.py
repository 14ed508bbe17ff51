import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.tasks import task_types
from wordworth.tasks.examples import Answer, Examples, span_labels
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING

CONTEXT = "Rome fell and Rome rose"
ROME, AGAIN, FELL, UNPLACED = Answer("Rome", 0), Answer("Rome", 14), Answer("fell", 5), Answer("fall", -1)


def labels(*answers):
    return span_labels(answers)


def test_it_is_known_by_both_its_names():
    assert task_types.get("question_answering") is task_types.get("span") is QUESTION_ANSWERING


@pytest.mark.parametrize(
    ("answers", "problem"),
    [((ROME, AGAIN), ""), ((UNPLACED,), ""), ((), ""), ((Answer("Rome", 1),), "not in its context at its start")],
)
def test_an_answer_must_stand_in_its_context_where_it_says(answers, problem):
    label_problem = QUESTION_ANSWERING.label_problem(labels(answers), Examples(("what?",), (CONTEXT,)), ())
    assert problem in label_problem
    assert bool(label_problem) == bool(problem)


def test_a_question_is_learned_from_if_it_has_a_place_or_no_answer_at_all():
    gold = labels((ROME,), (UNPLACED,), (), (UNPLACED, FELL))
    assert QUESTION_ANSWERING.learnable(gold).tolist() == [True, False, True, True]
    assert QUESTION_ANSWERING.has_unanswerable(gold)
    assert not QUESTION_ANSWERING.has_unanswerable(gold[:2])


def test_questions_with_and_without_an_answer_are_scored_apart_where_there_are_both():
    assert QUESTION_ANSWERING.further_metrics(labels((ROME,), ())) == ("has_answer_f1", "no_answer_f1")
    assert QUESTION_ANSWERING.further_metrics(labels((ROME,), (FELL,))) == ()
    assert QUESTION_ANSWERING.further_metrics(labels((), ())) == ()


def test_the_baseline_answers_nothing_where_some_questions_have_no_answer_and_there_is_none_where_all_have_one():
    assert QUESTION_ANSWERING.baseline_predictions(labels((ROME,), ()), (), 3).tolist() == ["", "", ""]
    assert QUESTION_ANSWERING.baseline_predictions(labels((ROME,)), (), 3) is None


def test_questions_on_one_context_are_resampled_together():
    examples = Examples(("a?", "b?", "c?"), ("one", "two", "one"))
    assert QUESTION_ANSWERING.clusters(examples) == ("one", "two", "one")


def test_answers_are_told_each_once_and_none_as_none():
    assert QUESTION_ANSWERING.label_text((ROME, AGAIN, FELL), ()) == "Rome / fell"
    assert QUESTION_ANSWERING.label_text("fell", ()) == "fell"
    assert QUESTION_ANSWERING.label_text("", ()) == QUESTION_ANSWERING.label_text((), ()) == "no answer"
    assert QUESTION_ANSWERING.plain_value((ROME, AGAIN), ()) == ["Rome", "Rome"]


@pytest.mark.parametrize(
    ("gold", "predictions", "failed"),
    [
        (((ROME,), ()), ("", ""), True),
        (((ROME,), ()), ("Rome", ""), False),
        (((), ()), ("", ""), False),  # every question has none: saying so is right
        (((ROME,), (FELL,)), ("Rome", "Rome"), False),
    ],
)
def test_one_answer_to_all_is_a_training_that_failed_where_only_some_have_an_answer(gold, predictions, failed):
    assert QUESTION_ANSWERING.is_degenerate(labels(*gold), predictions) == failed


@pytest.mark.parametrize(
    ("gold", "predicted", "marks"),
    [
        ((FELL,), "fell", [(5, 9, "both", "answer")]),
        ((AGAIN,), "Rome", [(14, 18, "both", "answer")]),  # of two places the nearest to the gold one
        ((FELL,), "Rome", [(5, 9, "gold", "answer"), (0, 4, "predicted", "answer")]),
        ((), "rose", [(19, 23, "predicted", "answer")]),
        ((FELL,), "", [(5, 9, "gold", "answer")]),
        ((UNPLACED,), "not there", []),
    ],
)
def test_answers_are_marked_where_they_stand(gold, predicted, marks):
    assert QUESTION_ANSWERING.marks(CONTEXT, (gold, predicted), ()) == marks


@given(text=st.text("ab ", max_size=12), predicted=st.text("ab ", max_size=3), start=st.integers(0, 11))
def test_every_mark_of_a_prediction_holds_the_predicted_text(text, predicted, start):
    gold = (Answer(text[start : start + 2], start),) if text[start : start + 2] else ()
    for begin, end, side, _ in QUESTION_ANSWERING.marks(text, (gold, predicted), ()):
        assert text[begin:end] == (gold[0].text if side == "gold" else predicted)


def test_a_reader_sees_the_context_first_and_each_context_once():
    assert QUESTION_ANSWERING.texts("what?", CONTEXT) == (CONTEXT, "what?")
    assert QUESTION_ANSWERING.shown_once("a?", CONTEXT) == QUESTION_ANSWERING.shown_once("b?", CONTEXT)
