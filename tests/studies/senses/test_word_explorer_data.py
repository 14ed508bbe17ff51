"""The explorer shows words of two senses, their occurrences and neighbours."""

import numpy as np
import pytest
from tests.studies.senses import made_up, test_wic

from wordworth.progress import SILENT
from wordworth.studies.senses import study as whole
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import read_pairs

SETTINGS = SensesSettings(models=("m", "t"), draws=100, pool=60, shown=12)


@pytest.fixture(scope="module")
def record():
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("pairs", test_wic.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "open_reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        yield whole.study(SETTINGS, SILENT)


def test_the_explorer_shows_words_of_two_senses_with_their_occurrences_and_neighbours(record):
    words = {row["word"]: row for row in record.tables["explorer"].rows()}
    assert set(words) == {"bank", "bat"}  # the sun has one sense
    pictured = [row for row in record.tables["occurrences"].rows() if row["entry"] == words["bank"]["entry"]]
    assert len(pictured) <= 12
    assert {row["sense"] for row in pictured} == {0, 1}
    for row in record.tables["neighbours"].rows():
        assert row["words"]
        assert row["form"] not in row["words"]


def test_senses_that_context_shows_lie_apart_in_the_picture(record):
    bank = next(row["entry"] for row in record.tables["explorer"].rows() if row["word"] == "bank")
    rows = [row for row in record.tables["occurrences"].rows() if row["entry"] == bank]
    places = [np.array([[row["x"], row["y"]] for row in rows if row["sense"] == sense]) for sense in (0, 1)]
    within = np.mean([np.linalg.norm(place - place.mean(axis=0), axis=1).mean() for place in places])
    assert np.linalg.norm(places[0].mean(axis=0) - places[1].mean(axis=0)) > within
