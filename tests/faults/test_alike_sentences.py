"""Sentences that differ in one word: every word occurs equally often, and nothing of the libraries reaches the user."""

import json
import warnings

from tests.cli.terminal import wordworth

SENTENCE = "the cat sat on the mat and he was at a big old house with dogs in it"


def test_study_context_of_alike_sentences_warns_of_nothing_that_its_libraries_say(tmp_path):
    (tmp_path / "alike.csv").write_text("text\n" + "".join(f"{SENTENCE} {number}\n" for number in range(200)))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        done = wordworth(
            "study", "context", "--models", "mini", "--data", tmp_path / "alike.csv", "--out", tmp_path / "out"
        )
    assert done.code == 0, done.err
    assert not [str(warning.message) for warning in heard if "constant" in str(warning.message)]
    assert "Warning" not in done.err
    tables = json.loads((tmp_path / "out" / "record.json").read_text())["tables"]
    assert set(tables["stop_words"]["columns"]["variety"]) == {None}
