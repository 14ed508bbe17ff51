import numpy as np
import pytest
from tests.studies.senses.made_up import MadeUp, Static, made_up, permuted_within_words

from wordworth.progress import SILENT
from wordworth.studies.senses import self_similarity_factors
from wordworth.studies.senses.nearest_centroid import fit_centroids
from wordworth.studies.senses.sense_dataset import Source, TaggedSentence, Target, build_dataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.word_explorer_tables import EMPTY

SETTINGS = SensesSettings(draws=200)


def words(of, model=MadeUp()):  # noqa: B008 - frozen
    return self_similarity_factors.words(of, fit_centroids(model, of, EMPTY, SETTINGS.occurrences, SILENT), SETTINGS)


class Cued(MadeUp):
    """Hardly hears fillers, the words that begin with f."""

    def _word(self, word):
        return super()._word(word) * (0.02 if word.startswith("f") else 1)


def polysemous(number=60, seed=0):
    """Words w0, w1, ... with 1 to 4 senses, each sense with a cue; fillers from few or many, whatever the senses."""
    rng, given = np.random.default_rng(seed), []
    for word in range(number):
        fillers = [f"f{word}x{place}" for place in range(1 + 8 * (word // 4 % 5))]
        for sentence in range(12):
            sense = sentence % (1 + word % 4)
            text = (f"cue{word}x{sense}", f"w{word}", *map(str, rng.choice(fillers, 5)))
            given.append(TaggedSentence(text, f"d{sentence}", (Target(1, 2, f"w{word}", str(sense), str(sense)),)))
    return build_dataset("polysemous", Source("x", "0", 0, {}), given)


def test_senses_sentences_and_forms_are_counted_as_they_stand():
    of = made_up(300)
    found = words(of)
    for place, word in enumerate(found.word):
        mine = of.word == word
        assert found.senses[place] == len(np.unique(of.sense[mine]))
        assert found.contexts[place] == len(np.unique(of.sentence[mine]))
    assert found.forms == pytest.approx(0)
    assert set(found.part_of_speech) == {""}  # these names tell no part of speech


def test_words_around_that_never_repeat_are_the_most_varied():
    def sentences(word, others):
        return [TaggedSentence((word, *other), f"{word}{n}", (Target(0, 1, word, "a" if n % 2 else "b", ""),))
                for n, other in enumerate(others)]  # fmt: skip

    always = sentences("same", [("x", "y")] * 12)
    never = sentences("other", [(f"u{n}", f"v{n}") for n in range(12)])
    found = words(build_dataset("t", Source("x", "0", 0, {}), [*always, *never]))
    assert found.variety == pytest.approx([1.0, 0.0])  # other, same


def test_polysemy_that_decides_how_alike_occurrences_are_is_found_with_the_rest_held():
    of = polysemous()
    rows = list(self_similarity_factors.rows("m", of, words(of, Cued()), SETTINGS))
    found = {(row["explanation"], row["held"]): row for row in rows if row["layer"] == 1}
    assert found["senses", False]["high"] < -0.5
    assert found["senses", True]["high"] < -0.5
    assert found["variety", False]["high"] < 0  # it goes with the senses, and tells nothing beside them
    assert found["variety", True]["low"] < 0 < found["variety", True]["high"]
    assert all(np.isnan(row["value"]) for row in rows if row["layer"] == 0)  # a static layer does not vary
    assert {row["words"] for row in rows} == {60}


def test_sense_labels_by_lot_explain_nothing_and_lie_no_further_apart():
    of = made_up(600)
    true, lot = words(of), words(permuted_within_words(of, np.random.default_rng(0)))
    (_, real), (_, null) = (list(self_similarity_factors.separation("m", of, one, SETTINGS)) for one in (true, lot))
    assert real["low"] > 0.02
    assert abs(null["difference"]) < real["difference"] / 4


def test_in_a_static_table_one_sense_is_as_close_as_two():
    of = made_up(300)
    (row,) = self_similarity_factors.separation("m", of, words(of, Static()), SETTINGS)
    assert row["same"] == pytest.approx(1, abs=1e-5)
    assert row["difference"] == pytest.approx(0, abs=1e-5)


def test_few_words_are_not_explained():
    of = made_up(200)
    assert list(self_similarity_factors.rows("m", of, words(of), SETTINGS)) == []
