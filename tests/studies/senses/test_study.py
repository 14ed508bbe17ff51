"""The study from sets and models to its record."""

import pytest
from tests.studies.senses import made_up, test_wic

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.senses import study as whole
from wordworth.studies.senses.sense_dataset import build_dataset
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


def test_the_layers_behind_the_chosen_figure_are_on_record(record):
    chosen = [row for row in record.tables["scores"].rows() if row["layer"] == -1 and row["of"] == "ambiguous"]
    assert {row["model"]: row["layers"] for row in chosen} == {"made-up model": [1], "made-up table": [0]}


def test_who_teaches_is_on_record(record):
    assert {row["data"]: row["teachers"] for row in record.tables["sets"].rows()} == {
        "made-up": "documents", "pairs": "part",
    }  # fmt: skip
    apart = [one._replace(document=f"{number:04d}") for number, one in enumerate(made_up.made_up_sentences(90))]
    split = [one._replace(in_train=number % 2 == 0, tested=number % 2 == 1) for number, one in enumerate(apart)]
    assert whole.training_source(build_dataset("apart", made_up.SOURCE, apart)) == "sentences"
    assert whole.training_source(build_dataset("split", made_up.SOURCE, split)) == "part"


def test_what_needs_no_vectors_is_there_once_a_set_whatever_the_number_of_models(record):
    rows = record.tables["scores"].rows()
    plain = [(row["data"], row["system"], row["of"]) for row in rows if row["model"] is None]
    assert len(plain) == len(set(plain)) == 4
    assert {row["model"] for row in rows} == {None, "made-up model", "made-up table"}


def test_the_same_seed_gives_the_same_bytes(record):
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("pairs", test_wic.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "open_reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        again = whole.study(SETTINGS, SILENT)
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_words_that_no_other_document_shows_are_refused(monkeypatch):
    monkeypatch.setattr(whole, "open_reader", lambda *_: made_up.MadeUp())
    monkeypatch.setattr(whole, "read_sets", lambda _: [made_up.made_up(60, documents=1)])
    with pytest.raises(BadInput, match="no tested word has two senses"):
        whole.study(SensesSettings(draws=100), SILENT)
