"""Scores of answers, on features whose truth is known."""

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache
from wordworth.measures.squad import exact_match, overlap_f1
from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, SHUFFLED
from wordworth.studies.languages.question_answering import answer_scores as module
from wordworth.studies.languages.question_answering.answer_features import end_to_end, words_of
from wordworth.studies.languages.question_answering.answer_scores import (
    SpanLearner,
    answer_scores,
    held_out,
    moved,
)
from wordworth.studies.languages.question_answering.first_words_baseline import first_words, most_words
from wordworth.studies.languages.question_answering.word_windows import word_windows
from wordworth.studies.languages.tables import LANGUAGES, language_rows
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.training.task_heads.question_answering import SpanHead

WIDTH = 8


class Known:
    """Features that tell the ends of an answer, alike in all languages, or with start and end exchanged in `bb`."""

    def __init__(self, learner, *, shared=True, strength=3.0):
        self.learner, self.shared, self.strength = learner, shared, strength

    def of(self, language, *, test):
        questions = self.learner.data.part(language, test=test)
        windows = word_windows(questions, self.learner.tokenizer)
        gold = SpanHead(nulls=False).targets(questions.answers, windows).values.numpy() - 1
        rng, blocks = np.random.default_rng(language + 10 * test), []
        for text, ends in zip(questions.context_texts, gold, strict=True):
            block = rng.normal(size=(len(words_of(text)), WIDTH)) * 0.3
            for side, word in enumerate(ends):
                block[word, side if self.shared else (side + language) % 2] += self.strength
            blocks.append(block.astype(np.float32))
        return end_to_end(blocks)


@pytest.fixture(scope="module")
def learner(files, data):
    return SpanLearner(data, load(str(files / "tiny")).tokenizer, 100, 0)


def scores_of(learner, folder, **choices):
    none = Known(learner, strength=0.0)
    systems = {MODEL: Known(learner, **choices), RANDOM: none, CHARACTERS: none}
    return answer_scores(systems, learner, FinishedParts("key", SILENT, ArrayCache(folder / "cache")))


@pytest.fixture(scope="module")
def scored(learner, tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    return scores_of(learner, folder), folder


def test_answers_of_one_language_carry_to_another_where_the_features_are_shared(scored):
    scores, _ = scored
    rows = list(language_rows(scores))
    assert all(set(row) == set(LANGUAGES) for row in rows)
    assert [row["served"] for row in rows] == ["yes"] * 3
    assert all(row["zero_shot"] > 0.9 for row in rows[1:])
    assert [row["transfers"] for row in rows[1:]] == ["yes", "yes"]
    assert scores.accuracy(MODEL, 0, 0)[0] > 0.9
    assert [key for key in scores.values if key[0] == SHUFFLED] == [(SHUFFLED, train, train) for train in range(3)]
    assert (scores.size(0, test=False), scores.size(0, test=True)) == (36, 36)


def test_they_do_not_where_another_language_marks_ends_as_starts(learner, tmp_path):
    scores = scores_of(learner, tmp_path, shared=False)
    assert scores.accuracy(MODEL, 1, 1)[0] > 0.9
    assert scores.values[MODEL, 0, 1]["exact_match"][0] < 0.1
    assert scores.accuracy(MODEL, 0, 1)[0] < 0.8


def test_exact_match_is_at_most_f1_in_every_resample(scored):
    for value in scored[0].values.values():
        assert value["exact_match"][0] <= value["span_f1"][0]
        assert np.all(value["exact_match"][1] <= value["span_f1"][1])


def test_the_measures_are_means_of_squad_s_scores_and_contexts_are_resampled_whole(learner, data):
    answers = [gold[0].text if row % 2 else gold[0].text.split()[0] for row, gold in enumerate(data.test[1].answers)]
    found = learner.measures({"1": np.array(answers)}, 1)
    gold = [[answer.text for answer in each] for each in data.test[1].answers]
    for name, score in (("span_f1", overlap_f1), ("exact_match", exact_match)):
        each = np.array([score(right, answer) for right, answer in zip(gold, answers, strict=True)])
        assert found[name][0] == pytest.approx(each.mean())
        by_context = [each[data.test[1].contexts == context].mean() for context in np.unique(data.test[1].contexts)]
        expected = np.std(by_context) / np.sqrt(len(by_context))
        assert found[name][1].std() == pytest.approx(expected, rel=0.4)


def test_all_languages_have_the_same_resamples(learner, data):
    right = {str(language): np.array([gold[0].text for gold in data.test[language].answers]) for language in (0, 1)}
    for language, answers in right.items():
        answers[::2] = "?"
        right[language] = answers
    first, second = (learner.measures(right, language)["exact_match"][1] for language in (0, 1))
    assert np.array_equal(first, second)


def test_the_constant_answer_is_the_first_words_of_the_context(data, scored):
    answers = first_words(data.test[2], most_words(data.train[0]))
    gold = [[answer.text for answer in each] for each in data.test[2].answers]
    expected = np.mean([overlap_f1(right, answer) for right, answer in zip(gold, answers, strict=True)])
    assert scored[0].constant_score(2)[0] == pytest.approx(expected)


def test_what_an_earlier_call_has_finished_is_read(learner, scored, monkeypatch):
    monkeypatch.setattr(module, "train_probe", lambda *_, **__: pytest.fail("a head is trained anew"))
    after = scores_of(learner, scored[1])
    assert all(after.accuracy(*key)[0] == scored[0].accuracy(*key)[0] for key in scored[0].values)


def test_one_training_context_in_ten_stops_the_training_with_all_its_questions(data):
    stops, questions = held_out(data.train[0]), data.train[0]
    assert stops.sum() == 3
    assert set(questions.contexts[stops]).isdisjoint(questions.contexts[~stops])


def test_moved_answers_are_not_learned(learner):
    vectors = Known(learner).of(0, test=False)
    true, control = (min(learner.trained(vectors, 0, shuffled=shuffled)[1].losses) for shuffled in (False, True))
    assert control > true + 0.3


def test_an_answer_moves_to_any_place_of_its_context_and_keeps_its_length(data):
    questions, starts = data.train[0], set()
    for seed in range(20):
        answers = moved(questions, np.random.default_rng(seed))
        for context, gold, (answer,) in zip(questions.context_texts, questions.answers, answers, strict=True):
            assert context.startswith(answer.text, answer.start)
            assert len(words_of(answer.text)) == len(words_of(gold[0].text))
        starts.add(answers[0][0].start)
    assert len(starts) > 6
