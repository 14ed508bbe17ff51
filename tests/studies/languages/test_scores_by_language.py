"""Every system is trained on every language; who is tested where, and what a finished part saves."""

import numpy as np

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, SHUFFLED
from wordworth.studies.languages.scores_by_language import ScoresByLanguage, scores_by_language
from wordworth.studies.study_result_cache import FinishedParts

LANGUAGES = ("en", "de", "fr")


class Items:
    """Three languages with one item more to test on in each than in the one before."""

    languages, origins = LANGUAGES, ()

    def part(self, language, *, test):
        return range(2 + language) if test else range(10)


class Learner:
    """Predicts the numbers of the languages it was trained and tested on; keeps what it was asked to learn."""

    name, title = "learner", "learning"

    def __init__(self):
        self.trained = []

    def amount(self, train):  # noqa: ARG002 - a Learner
        return 1

    def predictions(self, inputs, train, tested, step, *, shuffled):
        self.trained.append((inputs, train, tuple(tested), shuffled))
        step.advance()
        return {str(test): np.array([train, test]) for test in tested}

    def measures(self, predictions, test):
        train, number = predictions[str(test)]
        value = 10.0 * train + number
        return {"score": (value, np.full(4, value)), "exact": (value / 2, np.full(4, value / 2))}

    def constant(self, test):
        return {"score": (float(test), np.full(4, float(test)))}


def made(tmp_path, learner) -> ScoresByLanguage:
    systems = {MODEL: "vectors", RANDOM: "other vectors", CHARACTERS: "spellings"}
    finished = FinishedParts("key", SILENT, ArrayCache(tmp_path / "cache"))
    return scores_by_language(systems, learner, Items(), "score", finished)


def test_the_model_is_tested_in_every_language_and_a_control_only_where_it_learned_or_from_the_source(tmp_path):
    learner = Learner()
    scores = made(tmp_path, learner)
    tested = {(inputs, train, shuffled): tests for inputs, train, tests, shuffled in learner.trained}
    assert all(tested["vectors", train, False] == (0, 1, 2) for train in range(3))
    assert tested["spellings", 0, False] == tested["other vectors", 0, False] == (0, 1, 2)
    assert tested["spellings", 1, False] == (1,)
    assert tested["vectors", 2, True] == (2,)
    assert scores.accuracy(MODEL, 2, 1)[0] == 21.0
    assert scores.accuracy(SHUFFLED, 2, 2)[0] == 22.0
    assert scores.constant_score(1)[0] == 1.0
    assert [scores.size(language, test=True) for language in range(3)] == [2, 3, 4]


def test_a_row_has_the_further_measures_that_are_named(tmp_path):
    rows = list(made(tmp_path, Learner()).rows(["exact"]))
    assert len(rows) == 9
    own = next(row for row in rows if (row["train"], row["test"]) == ("de", "fr"))
    assert (own["accuracy"], own["exact"]) == (12.0, 6.0)


def test_what_an_earlier_call_has_learned_is_not_learned_again(tmp_path):
    made(tmp_path, Learner())
    second = Learner()
    assert made(tmp_path, second).accuracy(MODEL, 1, 2)[0] == 12.0
    assert second.trained == []
