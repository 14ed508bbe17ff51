import numpy as np
import pytest
from tests.studies.languages.conftest import write
from tests.studies.languages.translation_retrieval.pair_tables import pairs

from wordworth.measures.bootstrap import item_weights
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, RANDOM
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.translation_retrieval.layers import LayerChoice
from wordworth.studies.languages.translation_retrieval.pairs import read_pairs
from wordworth.studies.languages.translation_retrieval.tables import (
    CHOSEN,
    INPUT,
    LANGUAGES,
    LAYERS,
    RETRIEVAL,
    VECTORS,
    RetrievedPairs,
    language_rows,
    layer_rows,
    mean_retrieved,
    retrieval_rows,
    train_share,
)
from wordworth.text.file_formats.read import read_rows


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A model whose layer 1 retrieves nine of ten in `aa` and one of ten in `bb`; all else retrieves one of ten."""
    read = read_pairs(read_rows(write(tmp_path_factory.mktemp("t") / "p.csv", pairs(400))), LanguagesSettings())
    rng = np.random.default_rng(0)
    low = {number: rng.random((2, 2, 2, 400)) < 0.1 for number in (0, 1)}
    own = {number: each.copy() for number, each in low.items()}
    own[0][1, 1] = rng.random((2, 400)) < 0.9
    others = {(system, number): rng.random((2, 400)) < 0.1 for system in (VECTORS, CHARACTERS) for number in (0, 1)}
    plain = LayerChoice(0, centred=False)
    choices = {CHOSEN: LayerChoice(1, centred=True), INPUT: plain, RANDOM: plain}
    weights = item_weights(int(read.item.max()) + 1, 500, rng)
    return RetrievedPairs(read, {CHOSEN: own, RANDOM: low}, others, choices, weights)


def test_a_language_is_aligned_where_the_chosen_layer_is_ahead_of_all_baselines(made):
    rows = [{**row, "unknown": 0.0} for row in language_rows(made)]
    assert all(set(row) == set(LANGUAGES) for row in rows)
    assert [row["aligned"] for row in rows] == ["yes", "cannot tell"]
    for number, row in enumerate(rows):
        right, test = made.by_layer[CHOSEN][number][1, 1], made.pairs.test[made.pairs.rows(number)]
        assert row["retrieved"] == pytest.approx(right[:, test].mean())
        assert (row["pairs"], row["candidates"]) == (test.sum(), 400)
        assert row["retrieved_low"] <= row["retrieved"] <= row["retrieved_high"]
        above = right[:, test].mean() - made.others[CHARACTERS, number][:, test].mean()
        assert row["above_characters"] == pytest.approx(above)


def test_every_system_and_every_layer_has_a_row(made):
    rows = list(retrieval_rows(made))
    assert len(rows) == 2 * 5
    assert all(set(row) == set(RETRIEVAL) for row in rows)
    assert {row["chance"] for row in rows} == {1 / 400}
    layers = list(layer_rows(made))
    assert [(row["layer"], row["centred"]) for row in layers] == [(0, False), (1, False), (0, True), (1, True)]
    assert all(set(row) == set(LAYERS) for row in layers)
    train = [made.by_layer[CHOSEN][n][1, 1][:, ~made.pairs.test[made.pairs.rows(n)]].mean() for n in (0, 1)]
    assert layers[3]["train"] == pytest.approx(np.mean(train)) == train_share(made, made.by_layer[CHOSEN], 1, 1)


def test_the_mean_of_languages_weighs_them_alike(made):
    value, draws = mean_retrieved(made, CHOSEN)
    assert value == pytest.approx(np.mean([row["retrieved"] for row in language_rows(made)]))
    assert np.quantile(draws, 0.025) < value < np.quantile(draws, 0.975)
