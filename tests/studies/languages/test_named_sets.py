"""Published sets in several languages are found by name in the folder of data."""

import lzma

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.conftest import rows, write

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.languages.named_sets import named_set
from wordworth.studies.languages.settings import NAMED_SETS


@pytest.mark.parametrize("name", NAMED_SETS)
def test_a_named_set_is_found_in_the_folder_of_data(name, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    with pytest.raises(BadInput, match=f"the files of {name} are not on this machine") as refused:
        named_set(name)
    assert NAMED_SETS[name] in refused.value.mend
    place = tmp_path / NAMED_SETS[name]
    if place.suffix:
        place.parent.mkdir(parents=True)
        packed = place.with_name(f"{place.name}.xz")
        packed.write_bytes(lzma.compress(b"text\n"))
        assert named_set(name) == packed
    else:
        place.mkdir(parents=True)
        assert named_set(name) == place


def test_a_study_of_a_named_file_is_that_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "parallel" / "sib200").mkdir(parents=True)
    path, model = write(tmp_path / "parallel" / "sib200" / "train.csv", rows()), write_tiny_encoder(tmp_path / "tiny")
    named, own = (ww.study_languages(data, model=str(model), draws=100) for data in ("sib200", path))
    assert named.data["name"] == "train.csv"
    assert named.tables == own.tables


def test_an_unknown_name_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="sib: there is no such file"):
        ww.study_languages("sib")
