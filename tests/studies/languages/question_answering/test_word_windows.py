import numpy as np

from wordworth.models.load import load
from wordworth.studies.languages.question_answering.answer_features import words_of
from wordworth.studies.languages.question_answering.word_windows import word_windows
from wordworth.training.task_heads.question_answering import SpanHead


def test_a_head_finds_the_words_of_the_answer_in_the_window_of_a_question(files, data):
    questions, head = data.test[0], SpanHead(nulls=False)
    inputs = word_windows(questions, load(str(files / "tiny")).tokenizer)
    assert inputs.sizes.tolist() == [1 + len(words_of(text)) for text in questions.context_texts]
    gold = head.targets(questions.answers, inputs).values.numpy()
    scores = [np.zeros((size, 2), np.float32) for size in inputs.sizes]
    for row, (first, last) in enumerate(gold):
        scores[row][first, 0] = scores[row][last, 1] = 9.0
    assert list(head.decoded(scores, inputs).answers()) == [gold[0].text for gold in questions.answers]
