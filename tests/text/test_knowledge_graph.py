"""Triples of a knowledge graph are read from a folder of three parts or from one file, and bad lines are named."""

import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.knowledge_graph import HEAD, RELATION, TAIL, read_graph

PARTS = {
    "train": "ann\tknows\tbob\nbob\tknows\tcid\nann\tlikes\ttea\n",
    "valid": "ann\tknows\tcid\n",
    "test": "cid\tlikes\ttea\n",
}


def folder(path, **changed):
    path.mkdir()
    for part, text in {**PARTS, **changed}.items():
        if text is not None:
            (path / f"{part}.tsv").write_text(text)
    return path


def test_entities_and_relations_are_numbered_in_order_over_all_parts(tmp_path):
    graph = read_graph(folder(tmp_path / "kg"))
    assert graph.entities == ("ann", "bob", "cid", "tea")
    assert graph.relations == ("knows", "likes")
    assert graph.train.tolist() == [[0, 0, 1], [1, 0, 2], [0, 1, 3]]
    assert graph.valid.tolist() == [[0, 0, 2]]
    assert graph.test.tolist() == [[2, 1, 3]]
    assert graph.name == "kg"
    assert [(name, rows) for name, _, rows in graph.files] == [("train.tsv", 3), ("valid.tsv", 1), ("test.tsv", 1)]


def test_entities_are_called_by_the_names_beside_them_and_else_by_their_identifiers(tmp_path):
    names = "id\tkind\tname\nann\tperson\tAnn Lee\ncid\tperson\t\n"
    graph = read_graph(folder(tmp_path / "kg", entities=names))
    assert graph.titles == ("Ann Lee", "bob", "cid", "tea")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("id\tname\nann\tAnn\ncid\tCid\nann\tAnna\n", r"line 4: the entity 'ann' stands here twice, first in line 2"),
        ("id\tname\nann\tAnn\n\ndan\tDan\n", r"line 4: no triple has the entity 'dan'; remove or correct its line"),
        ("ident\tname\nann\tAnn\n", r"line 1: column 'id' not found; begin this file with a line of column names"),
        ("id\tlabel\nann\tAnn\n", r"line 1: column 'name' not found"),
    ],
)
def test_a_file_of_names_that_does_not_fit_the_triples_is_one_clear_error(tmp_path, names, message):
    with pytest.raises(BadInput, match=rf"entities\.tsv, {message}"):
        read_graph(folder(tmp_path / "kg", entities=names))


@pytest.mark.parametrize("part", ["valid", "test"])
def test_an_entity_that_is_not_learned_must_be_named_where_there_is_a_file_of_names(tmp_path, part):
    triples = "ann\tknows\tbob\ndan\tknows\tann\n"
    assert "dan" in read_graph(folder(tmp_path / "bare", **{part: triples})).entities
    named = read_graph(folder(tmp_path / "named", entities="id\tname\ndan\tDan\n", **{part: triples}))
    assert named.titles[named.entities.index("dan")] == "Dan"
    message = rf"{part}\.tsv, line 2: neither a training triple nor the file of names has the entity 'dan'; correct it"
    with pytest.raises(BadInput, match=message):
        read_graph(folder(tmp_path / "lacks", entities="id\tname\nann\tAnn\n", **{part: triples}))


def test_parts_may_be_compressed_and_called_txt(tmp_path):
    path = folder(tmp_path / "kg", train=None, valid=None)
    (path / "train.tsv.xz").write_bytes(lzma.compress(PARTS["train"].encode()))
    (path / "valid.txt").write_text(PARTS["valid"])
    assert len(read_graph(path).triples) == 5


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("train", "ann\tknows\n", r"train\.tsv, line 1: a line of 2 fields, not 3"),
        ("test", "\ncid\t\ttea\n", r"test\.tsv, line 2: a triple with an empty field"),
        (
            "valid",
            "\nann\tknows\tcid\nann\thates\tcid\n",
            r"valid\.tsv, line 3: no training triple has the relation 'hates'",
        ),
        ("valid", "\n", r"valid\.tsv: the file is empty"),
        ("test", None, "there is no file of test triples, such as test.tsv"),
    ],
)
def test_what_is_no_graph_is_one_clear_error(tmp_path, part, text, message):
    with pytest.raises(BadInput, match=message):
        read_graph(folder(tmp_path / "kg", **{part: text}))


def test_of_one_file_a_share_is_held_out_whose_entities_and_relation_are_learned(tmp_path):
    rng = np.random.default_rng(0)
    rows = {f"e{a}\tr{r}\te{b}" for a, b, r in rng.integers((30, 30, 3), size=(400, 3))}
    path = tmp_path / "triples.tsv"
    path.write_text("\n".join(sorted(rows)))
    graph = read_graph(path)
    assert len(graph.valid) == len(graph.test) == round(0.05 * len(rows))
    assert sorted(map(tuple, graph.triples)) == sorted({tuple(row) for row in graph.triples})
    assert len(graph.triples) == len(rows)
    learned = set(graph.train[:, [HEAD, TAIL]].ravel())
    for part in (graph.valid, graph.test):
        assert set(part[:, [HEAD, TAIL]].ravel()) <= learned
        assert set(part[:, RELATION]) <= set(graph.train[:, RELATION])
    assert read_graph(path).test.tolist() == graph.test.tolist() != read_graph(path, seed=1).test.tolist()


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=30))
def test_what_is_held_out_is_always_learned_of_or_refused(tmp_path_factory, triples):
    path = tmp_path_factory.mktemp("kg") / "triples.tsv"
    path.write_text("\n".join(f"e{h}\tr{r}\te{t}" for h, r, t in triples))
    try:
        graph = read_graph(path)
    except BadInput as error:
        assert "too few" in str(error)  # noqa: PT017 - either outcome is right
        return
    held = np.concatenate((graph.valid, graph.test))
    assert np.isin(held[:, [HEAD, TAIL]], graph.train[:, [HEAD, TAIL]]).all()
    assert np.isin(held[:, RELATION], graph.train[:, RELATION]).all()


def test_a_file_with_too_few_triples_is_refused(tmp_path):
    path = tmp_path / "triples.tsv"
    path.write_text("a\tr\tb\n")
    with pytest.raises(BadInput, match="too few"):
        read_graph(path)
