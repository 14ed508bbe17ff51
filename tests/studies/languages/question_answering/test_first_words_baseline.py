from dataclasses import replace

import numpy as np

from wordworth.studies.languages.question_answering.first_words_baseline import first_words, most_words
from wordworth.tasks.examples import Answer, span_labels


def test_the_first_words_are_as_many_as_asked_and_at_most_those_of_the_context(data):
    questions = data.test[0]
    assert first_words(questions, 3) == [" ".join(text.split()[:3]) for text in questions.context_texts]
    assert first_words(questions, 99) == list(questions.context_texts)


def test_the_number_is_the_one_with_the_best_f1(data):
    questions = data.train[0]
    answers = span_labels([(Answer(" ".join(text.split()[1:5]), -1),) for text in questions.context_texts])
    assert most_words(replace(questions, answers=answers)) == 5
    assert np.array_equal(questions.contexts, replace(questions, answers=answers).contexts)
