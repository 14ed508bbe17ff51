import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.testing.sample_tasks import sample_task


def test_sample_tasks_of_choice_and_of_spans_are_what_they_say():
    spans, choices = sample_task("span"), sample_task("choice")
    contexts = spans.examples.second or ()
    context_and_answer = [(context, answers[0]) for context, answers in zip(contexts, spans.answers, strict=True)]
    assert all(context.startswith(answer.text, answer.start) for context, answer in context_and_answer)
    assert {len(options) for options in choices.examples.options or ()} == {3}
    assert set(choices.labels.tolist()) == {0, 1, 2}


KINDS = ["classification", "pair_classification", "regression", "multilabel", "tagging", "multiple_choice",
         "question_answering", "pronoun_resolution"]  # fmt: skip
GOOD, BAD = {"good", "great", "lovely", "superb", "delightful"}, {"bad", "awful", "dreadful", "poor", "boring"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_labels_that_it_calls_right_and_a_third_of_its_rows_to_test(kind):
    task = sample_task(kind, 30)
    assert task.kind == kind
    assert task.type.label_problem(task.labels, task.examples, task.classes) == ""
    assert sorted([*task.train, *task.test]) == list(range(30))
    assert len(task.test) == 10


@given(size=st.integers(3, 40), seed=st.integers(0, 50))
def test_the_more_frequent_feeling_is_the_class_and_its_lead_the_value(size, seed):
    texts, values = sample_task("classification", size, seed), sample_task("regression", size, seed)
    assert texts.examples.first == values.examples.first
    for text, label, value in zip(texts.examples.first, texts.labels, values.labels, strict=True):
        lead = sum(word in GOOD for word in text.split()) - sum(word in BAD for word in text.split())
        assert value == lead
        assert texts.classes[label] == ("good" if lead > 0 else "bad" if lead < 0 else "mixed")


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_examples_and_another_seed_others(kind):
    one, same, other = (sample_task(kind, 30, seed) for seed in (0, 0, 1))
    assert one.examples == same.examples
    assert one.examples != other.examples


def test_the_thing_of_a_sentence_is_what_is_tagged():
    task = sample_task("tagging", 20)
    for words, tags in zip(task.examples.words, task.labels, strict=True):
        tagged = [word for word, tag in zip(words, tags, strict=True) if task.classes[tag] == "B-thing"]
        assert len(tagged) == 1
        assert tagged[0] in {"film", "book", "dinner", "hotel", "song", "phone"}
