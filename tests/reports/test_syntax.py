"""The page of a `syntax` record: layers, ranks and controls; parts that were not measured are left out."""

import pytest
from caption_checks import CAPTION_CHECKS
from changed import with_table
from tests.studies.syntax.test_findings import tables

from wordworth.records import Record, Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.syntax.findings import verdict
from wordworth.studies.syntax.tables import PROBES
from wordworth.studies.syntax.tree_drawings import EDGE_LENGTHS, TREE_EDGES, TREES


def record(*, pairs=True, trees=True, parser=True, form="<b>cat</b>"):
    made = tables(pairs=pairs)
    rows, row = made["probes"].rows(), dict.fromkeys(PROBES, 0.5)
    for kind in ("distance", "depth"):
        rows += [
            row | {"probe": kind, "source": source, "layer": layer, "rank": 64, "chosen": False}
            for source in ("model", "random weights")
            for layer in (0, 1, 3)
        ]
        rows.append(row | {"probe": kind, "source": "linear chain", "layer": None, "rank": 0, "chosen": False})
    words = [
        {"sentence": 1, "embedding": name, "word": word, "form": form, "head": word - 1, "x": word, "y": 0.1 * word,
         "kept": 0.7}
        for name in ("probe", "exact", "random branches") for word in (1, 2, 3)
    ]  # fmt: skip
    edges = [
        {"sentence": 1, "first": first, "second": second, "edge": edge}
        for first, second, edge in ((1, 2, "found"), (2, 3, "missed"), (1, 3, "wrong"))
    ]
    lengths = [{"relation": "det", "words": 90, "length": 1.2, "low": 1.1, "high": 1.3}]
    made |= {
        "probes": Table.of(rows, PROBES),
        "trees": Table.of(words if trees else [], TREES),
        "tree_edges": Table.of(edges if trees else [], TREE_EDGES),
        "edge_lengths": Table.of(lengths if pairs else [], EDGE_LENGTHS),
    }
    data, answer = {"name": "t.conllu", "model": "minilm", "layers": 3}, verdict(made, 3)
    recorded = {name: table for name, table in made.items() if parser or not name.startswith("parser")}
    return with_captions(Record("syntax", {}, data, recorded, [answer]))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("measured", [True, False])
def test_the_record_holds_the_sentences_of_its_charts(measured, check):
    check(record(pairs=measured, trees=measured, parser=measured))


def test_layers_ranks_and_controls_are_shown():
    page = render(record())
    assert "Trees are plainest in layer 2 of 3." in page
    assert "Layer 2 was chosen: 60 % of the edges, a linear chain 50 %" in page.replace("\u00a0", " ")
    assert "By rank, from 1 to 64" in page
    assert "The best layer is surely ahead in 16 of 16 comparisons" in page


def test_words_are_escaped():
    assert "<b>cat</b>" not in render(record())


def test_what_was_not_measured_is_left_out():
    page = render(record(pairs=False, trees=False))
    assert "Trees in the plane" not in page
    assert "Attention and relations" not in page


def test_the_rank_figure_names_the_shares_at_both_ends_and_the_rank_of_a_higher_one():
    made = record()
    ends = {1: 0.42, 8: 0.45, 64: 0.31}
    rows = made.tables["probes"].rows()
    layer = next(row["layer"] for row in rows if row["chosen"] and row["probe"] == "distance")
    others = [row for row in rows if (row["probe"], row["source"], row["layer"]) != ("distance", "model", layer)]
    base = next(row for row in rows if row["chosen"] and row["probe"] == "distance")
    others += [base | {"rank": rank, "share": value, "chosen": rank == 8} for rank, value in ends.items()]
    page = render(with_table(made, "probes", Table.of(others, PROBES))).replace("\u00a0", " ")
    assert "42 % to 31 % of the edges (most at rank 8, 45 %)" in page
