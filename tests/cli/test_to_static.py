import json

import pytest
from tests.cli.terminal import wordworth
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.array_cache import ArrayCache
from wordworth.representations.rung import RunContext
from wordworth.testing.sample_tasks import sample_task

TASK = sample_task("single")


TEXTS = TASK.examples.first[:40]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_encoder(folder / "tiny")
    (folder / "texts.txt").write_text("\n\n".join(TEXTS) + "\n")
    return folder


def test_the_command_makes_a_table_that_worth_and_the_benchmarks_take(place, tmp_path):
    from wordworth.representations.static_vectors import StaticRung

    options = ("--corpus", place / "texts.txt", "--least", 2, "--width", 8, "--out", tmp_path / "static")
    done = wordworth("to-static", place / "tiny", *options)
    assert done.code == 0, done.err
    assert "8 wide" in done.out
    assert json.loads((tmp_path / "static" / "config.json").read_text())["wordworth"]["method"] == "pc1"
    opened = StaticRung(str(tmp_path / "static"), "static", "static").prepare(TASK, RunContext(ArrayCache(tmp_path)))
    assert opened.cost().disk_bytes > 0
    assert wordworth("to-static", place / "tiny", "--out", tmp_path / "x").err.startswith("wordworth: no corpus")


def test_a_table_of_pieces_needs_no_text_and_names_no_occurrences(place, tmp_path):
    done = wordworth("to-static", place / "tiny", "--method", "pieces", "--out", tmp_path / "static")
    assert done.code == 0, done.err
    first, *_ = done.out.splitlines()
    assert first.startswith(f"{tmp_path / 'static'}: 0 words, ")
    assert "occurrences" not in first


def test_a_method_that_is_none_is_refused_with_the_flag_of_what_was_meant(place, tmp_path):
    done = wordworth("to-static", place / "tiny", "--method", "sif", "--out", tmp_path / "static")
    assert done.code == 2
    assert not (tmp_path / "static").exists()
    assert "--method" in done.err
    assert "pc1" in done.err
