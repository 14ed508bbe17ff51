"""Labels of related languages beside those of distant ones, in made answers whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.languages.worlds import world

from wordworth.array_cache import ArrayCache
from wordworth.measures.bootstrap import item_weights
from wordworth.progress import SILENT
from wordworth.seeds import child
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, Answers, answers_of
from wordworth.studies.languages.language_families import Relations
from wordworth.studies.languages.related_languages import LEAST, RELATED, related_languages
from wordworth.studies.languages.text_features import CharacterFeatures, EncoderFeatures
from wordworth.studies.study_result_cache import FinishedParts

LANGUAGES = ("en", "de", "nl", "fr", "es", "it", "fi", "et", "ta", "ml", "tr", "hi", "xx")
"""Four genera with relatives; Turkish and Hindi have none, and `xx` is of unknown descent."""


def answers(near=0.8, far=0.5, *, teachers=0.0, characters=0.0, items=300, seed=0):
    """Answers that are right with the probability `near` from labels of a relative, `far` from a distant language's.

    Args:
        near: the model's probability with labels of the same genus, or of the language itself.
        far: its probability with labels of others.
        teachers: how much more the labels of Germanic and Romance languages teach, wherever they are taken.
        characters: how much more labels of relatives give to n-grams.
        items: number of items.
        seed: seed of the draws.
    """
    rng, count = child(seed, "related"), len(LANGUAGES)
    data, _ = world(items=items, languages=2)
    item = np.tile(np.arange(items), count)
    language = np.repeat(np.arange(count), items)
    data = replace(data, language=language, languages=LANGUAGES, item=item)
    kin = Relations.of(LANGUAGES).related | np.eye(count, dtype=bool)
    chance = {
        MODEL: np.where(kin, near, far) + teachers * (np.arange(count) < 6)[:, None],
        RANDOM: np.full((count, count), 0.5),
        CHARACTERS: np.where(kin, 0.5 + characters, 0.5),
    }
    right = {
        (system, train): rng.random(items * count) < chance[system][train][language]
        for system in chance
        for train in range(count)
    }
    weights = item_weights(items, 200, child(seed, "draws"))
    return Answers(data, right, np.arange(items * count), weights)


def test_rows_are_means_over_the_training_languages_of_either_kind():
    made = answers()
    rows, _ = related_languages(made, 0)
    assert all(set(row) == set(RELATED) for row in rows)
    row = next(row for row in rows if row["language"] == "et")
    assert (row["num_related"], row["num_distant"]) == (1, 10)
    index = LANGUAGES.index
    assert row["related"] == made.accuracy(MODEL, index("fi"), index("et"))[0]
    distant = [made.accuracy(MODEL, train, index("et")) for train in range(12) if LANGUAGES[train] not in ("fi", "et")]
    assert row["distant"] == pytest.approx(np.mean([value for value, _ in distant]))
    draws = made.accuracy(MODEL, index("fi"), index("et"))[1] - np.mean([of for _, of in distant], axis=0)
    assert row["change"] == pytest.approx(row["related"] - row["distant"])
    assert (row["change_low"], row["change_high"]) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])))


def test_related_labels_are_ahead_where_they_are():
    rows, (finding,) = related_languages(answers(), 0)
    assert finding.numbers["change"] == pytest.approx(np.mean([row["change"] for row in rows]))
    assert finding.numbers["change_low"] < 0.3 < finding.numbers["change_high"]
    assert finding.numbers["change_low"] > 0.25
    assert finding.numbers["above_characters_low"] > 0.2
    assert finding.numbers["fitted_low"] < 0.3 < finding.numbers["fitted_high"]
    assert finding.numbers["fitted_low"] > 0.2
    assert finding.numbers["random_low"] < 0 < finding.numbers["random_high"]
    assert finding.numbers["languages"] == list(LANGUAGES[:10])
    assert finding.numbers["unknown"] == ["xx"]
    assert "on average over 10 languages" in finding.text


def test_training_languages_that_teach_more_everywhere_are_no_relatives():
    _, (finding,) = related_languages(answers(0.5, 0.5, teachers=0.3), 0)
    assert finding.numbers["change"] > 0.05, "Germanic and Romance languages have relatives that teach more"
    assert finding.numbers["fitted"] == pytest.approx(0, abs=0.02)


def test_what_is_spelt_alike_is_not_the_models_gain():
    _, (finding,) = related_languages(answers(characters=0.3), 0)
    assert finding.numbers["above_characters_low"] < 0 < finding.numbers["above_characters_high"]


def test_few_languages_have_rows_and_no_mean_and_made_ones_have_neither(tmp_path):
    data, features = world(items=100, languages=3)
    random = EncoderFeatures(features.vectors[::-1].copy())
    systems = {MODEL: features, RANDOM: random, CHARACTERS: CharacterFeatures(data.texts)}
    finished = FinishedParts("key", SILENT, ArrayCache(tmp_path / "cache"))
    made = answers_of(systems, data, 100, 0, finished)
    assert related_languages(made, 0) == ([], ()), "the languages a, b and c have no family"
    few = replace(made, data=replace(data, languages=("en", "de", "fi")))
    rows, findings = related_languages(few, 0)
    assert [row["language"] for row in rows] == ["en", "de"]
    assert len(rows) < LEAST
    assert findings == ()
