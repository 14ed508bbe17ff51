"""The error about a link to an entity that a model lacks names the file and line of the link."""

import json
import lzma
import pickle

import pytest

from wordworth.text.unknown_entity import UnknownEntity, links_to

ERROR = UnknownEntity("Q99", "a [[Q99|b]]")


def test_the_message_shows_the_text_and_the_entity():
    assert str(ERROR).startswith("the text 'a [[Q99|b]]' links to 'Q99', an entity without a vector in this model; ")


@pytest.mark.parametrize(
    ("name", "content", "columns", "place"),
    [
        ("t.txt", "a [[Q1|b]]\n\nb [[ENT:Q99|c]]\n", None, ", line 3"),
        ("t.csv", 'text,other\n"a\nb",[[Q99|c]]\nc [[Q99|d]],e\n', ["text"], ", line 4"),
        ("t.csv", 'text,other\n"a\nb",[[Q99|c]]\nc [[Q99|d]],e\n', None, ", line 2"),
        ("t.jsonl", "".join(json.dumps({"text": f"a [[{e}|b]]"}) + "\n" for e in ("Q9", "Q99")), ["text"], ", line 2"),
        ("t.txt", "a Q99 b\n", None, ""),
        ("squad.json", '{"data": [\n]}', None, ""),
    ],
)
def test_the_place_is_that_of_the_first_link_or_the_file_alone(tmp_path, name, content, columns, place):
    (tmp_path / name).write_text(content)
    assert ERROR.in_files([tmp_path / name], columns).where == f"{tmp_path / name}{place}"


def test_files_are_looked_through_in_order_packed_or_not(tmp_path):
    (tmp_path / "a.txt").write_text("nothing\n")
    (tmp_path / "b.txt.xz").write_bytes(lzma.compress(b"a\nb [[Q99|c]]\n"))
    assert ERROR.in_files([tmp_path / "a.txt", tmp_path / "b.txt.xz"]).where == f"{tmp_path / 'b.txt.xz'}, line 2"


def test_identifiers_are_equal_however_their_accents_are_written():
    composed, decomposed = "Caf\u00e9", "Cafe\u0301"
    assert links_to(f"a [[{decomposed}|b]]", composed)
    assert links_to(f"a [[{composed}|b]]", decomposed)
    assert not links_to("a [[Cafe|b]]", composed)


def test_it_passes_from_one_process_to_another():
    again = pickle.loads(pickle.dumps(ERROR))  # noqa: S301 - of our own
    assert (again.entity, str(again)) == (ERROR.entity, str(ERROR))
