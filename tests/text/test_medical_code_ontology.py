"""Ontologies are read with all their links; ancestors and edges are those of the hand example; circles are refused."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.text.medical_code_ontology import read_ontology

TREE = "child,parent\nA,\nA1,A\nA2,A\nA1x,A1\nA1y,A1\nA2x,A2\n"


def read(tmp_path, text, name="tree.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_ontology(tmp_path / name)


def test_ancestors_are_listed_from_the_nearest_on(tmp_path):
    ontology = read(tmp_path, TREE)
    assert ontology.ancestors("A1x") == ("A1", "A")
    assert ontology.ancestors("A") == ()


def test_a_code_may_have_several_parents_and_each_ancestor_counts_once(tmp_path):
    ontology = read(tmp_path, "child,parent\nx,a\nx,b\na,top\nb,top\n")
    assert ontology.ancestors("x") == ("a", "b", "top")


def test_columns_code_and_parent_of_published_tables_are_read_and_others_are_not(tmp_path):
    ontology = read(tmp_path, "code\tlevel\tparent\tname\nA\t1\t\troot\nA1\t2\tA\tchild\n", "tree.tsv")
    assert ontology.parents == {"A": (), "A1": ("A",)}


def test_codes_with_dots_as_those_of_icd_10_cm_are_under_their_categories(tmp_path):
    rows = ["code\tlevel\tparent\tname\tbillable", "ch1\t1\t\tInfectious (A00-B99)\t", "A00-A09\t2\tch1\tIntestinal\t"]
    rows += [
        "A00\t3\tA00-A09\tCholera\t0",
        "A00.0\t4\tA00\tCholera due to biovar cholerae\t1",
        "A00.1\t4\tA00\tEltor\t1",
    ]
    ontology = read(tmp_path, "\n".join(rows), "icd10cm.tsv")
    assert ontology.ancestors("A00.0") == ("A00", "A00-A09", "ch1")
    graph = ontology.graph(["A00.1", "A00.0"])
    assert graph.nodes == ("A00.1", "A00.0", "A00", "A00-A09", "ch1")


def test_hypernyms_of_wordnet_are_read_once_their_columns_are_named_child_and_parent(tmp_path):
    links = (
        "source,relation,target\ndog,hypernym,canine\ndog,hypernym,pet\ncanine,hypernym,animal\npet,hypernym,animal\n"
    )
    with pytest.raises(BadInput, match="column 'child' not found"):
        read(tmp_path, links)
    ontology = read(tmp_path, links.replace("source", "child").replace("target", "parent"))
    assert ontology.ancestors("dog") == ("canine", "pet", "animal")
    assert set(ontology.graph(["dog", "canine"]).nodes) == {"dog", "canine", "pet", "animal"}


def test_the_graph_holds_the_codes_their_ancestors_and_no_other_node(tmp_path):
    graph = read(tmp_path, TREE).graph(["A1x", "A2x"])
    assert graph.nodes == ("A1x", "A2x", "A1", "A", "A2")
    assert graph.codes == 2

    def named(edges):
        return {(graph.nodes[one], graph.nodes[other]) for one, other in edges.T.tolist() if one != other}

    assert named(graph.from_children) == {("A1", "A1x"), ("A2", "A2x"), ("A", "A1"), ("A", "A2")}
    assert named(graph.from_ancestors) == {("A1x", "A1"), ("A1x", "A"), ("A2x", "A2"), ("A2x", "A")}
    for edges in (graph.from_children, graph.from_ancestors):
        assert np.isin(np.arange(len(graph.nodes)), edges[0, edges[0] == edges[1]]).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("child,parent\nx,a\na,b\nb,c\nc,a\nc,d\n", "tree.csv, line 5: a code is its own ancestor: "),
        ("child,parent\nb,a\na,a\n", "tree.csv, line 3: a code is its own ancestor: a → a"),
        ("child,parent\na,\n,a\n", "a row without a code"),
        ("child\na\n", "'parent'"),
        ("name,parent\na,\n", "'child'"),
    ],
)
def test_what_is_no_ontology_is_one_clear_error(tmp_path, text, message):
    with pytest.raises(BadInput) as error:
        read(tmp_path, text)
    assert message in str(error.value)
    assert "tree.csv" in str(error.value)


def test_the_circle_is_written_from_child_to_parent(tmp_path):
    with pytest.raises(BadInput) as error:
        read(tmp_path, "child,parent\nx,a\na,b\nb,a\n")
    assert any(circle in str(error.value) for circle in ("a → b → a", "b → a → b"))


def test_an_ontology_without_a_parent_of_any_code_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"tree.csv: no code of the visits has a parent here.*leave the ontology out"):
        read(tmp_path, "child,parent\na,\nb,\nc,a\n").graph(["a", "b"])


def test_codes_that_it_lacks_are_named_with_their_place(tmp_path):
    codes, locations = ["A1x", "A1z", "B"], ["visits.csv, line 4", "visits.csv, line 9", "visits.csv, line 2"]
    with pytest.raises(BadInput, match=r"visits.csv, line 9: tree.csv has no code 'A1z' and 1 more of the visits.*A1"):
        read(tmp_path, TREE).graph(codes, locations)
    with pytest.raises(BadInput, match=r"tree.csv: tree.csv has no code 'A1z'"):
        read(tmp_path, TREE).graph(codes)
