"""`search` checks what it is asked before it reads a model."""

import pytest
from tests.retrieval.small_index import build

import wordworth as ww
from wordworth.errors import BadInput


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k": 0}, "`k` 0 is out of range; give 1 or more"),
        ({"k": 2.5}, "`k` is 2.5; give a whole number"),
        ({"where": "langs = 'en'"}, "column 'langs' not found; did you mean 'lang'"),
        ({"where": "lang ="}, "cannot read this condition at its end"),
        ({"where": 7}, "`where` is 7"),
        ({"table": "reviews"}, "`table` names a table of a database, and this index is a folder"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path, options, said):
    with pytest.raises(BadInput, match=said):
        ww.search("word1", build(tmp_path), **options)


def test_a_condition_that_cannot_be_read_is_found_before_the_model_is(tmp_path):
    folder = build(tmp_path)
    (tmp_path / "table.txt").unlink()
    with pytest.raises(BadInput, match="cannot read this condition"):
        ww.search("word1", folder, where="lang =")


def test_a_folder_without_an_index_is_refused(tmp_path):
    for call in (ww.load_index, lambda folder: ww.search("x", folder), lambda folder: ww.add_to_index(["x"], folder)):
        with pytest.raises(BadInput, match="there is no index here; make one with wordworth search build"):
            call(tmp_path / "nothing")
    assert not list(tmp_path.iterdir())
