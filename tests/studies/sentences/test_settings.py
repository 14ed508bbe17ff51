"""Settings that cannot be used are refused before a file or a model is read."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.sentences.settings import SentencesSettings


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"sets": ("sts17",)}, "no set 'sts17'"),
        ({"dimensions": (0,)}, "cut to nothing"),
        ({"model": "no such model"}, "no such model"),
        ({"draws": 5}, "draws. 5 is out of range"),
        ({"limit": 2}, "limit. 2 is out of range"),
    ],
)
def test_a_setting_out_of_range_is_refused(choices, message):
    with pytest.raises(BadInput, match=message):
        SentencesSettings(**{"model": "mini", **choices})


def test_what_is_named_twice_is_scored_once_and_a_model_not_beside_itself():
    settings = SentencesSettings(model="mini", dimensions=(64, 8, 64), other_models=("glove", "mini", "glove"))
    assert settings.dimensions == (64, 8)
    assert settings.other_models == ("glove",)


def test_a_model_is_the_same_however_its_folder_is_spelt(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    settings = SentencesSettings(model="a", other_models=("./b", "b/", "glove", str(tmp_path / "a")))
    assert settings.other_models == ("./b", "glove")


def test_published_sets_are_all_without_pairs_and_none_beside_them_unless_asked_for():
    assert SentencesSettings(model="mini").published == ("sts",)
    assert SentencesSettings(model="mini", data="x.csv").published == ()
    assert SentencesSettings(model="mini", data="x.csv", sets=("stsb",)).published == ("stsb",)
