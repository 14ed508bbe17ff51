"""Figures of the page on syntax are those of its records: trees in vectors, and the shipped parser."""

import itertools
import re

import pytest
from tests.docs.record_figures import page_text, points, record, row, unwrapped

from wordworth.sentence_formatting import signed


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("MiniLM, layer 3 of 6", {"source": "model", "chosen": True}),
        ("another seed", {"source": "another seed"}),
        ("input layer", {"source": "model", "layer": 0}),
        ("last layer", {"source": "model", "layer": 6}),
        ("random weights, best layer", {"source": "random weights", "chosen": True}),
        ("linear chain", {"source": "linear chain"}),
        ("lengths not squared", {"source": "lengths not squared"}),
        ("control trees", {"source": "control trees"}),
        ("shuffled vectors", {"source": "shuffled vectors"}),
    ],
)
def test_trees_in_vectors_are_those_of_the_record(name, wanted):
    """With or without the interval of a share: the page gives it for some."""
    forms = []
    for probe in ("distance", "depth"):
        scores = row("syntax_minilm", "probes", probe=probe, **wanted)
        share = points(*(scores[f"share{end}"] for end in ("", "_low", "_high")))
        forms += [(share.partition(" ")[0], share), (f"{scores['correlation']:.2f}",)]
    lines = [f"| {name} | {' | '.join(cells)} |" for cells in itertools.product(*forms)]
    assert any(line in page_text("syntax.md") for line in lines), lines[-1]


@pytest.mark.parametrize(
    ("name", "compared"),
    [
        (
            "syntax_minilm",
            {
                "distance": (
                    "linear chain",
                    "random weights",
                    "input layer",
                    "last layer",
                    "lengths not squared",
                    "control trees",
                    "another seed",
                ),
                "depth": ("lengths not squared",),
            },
        ),
        ("syntax_mini", {"distance": ("linear chain", "random weights"), "depth": ("random weights",)}),
    ],
)
def test_leads_of_the_best_layer_are_those_of_the_record(name, compared):
    text = f"{unwrapped('syntax.md')} {unwrapped('inside-findings.md')}"
    for probe, other in ((probe, other) for probe, others in compared.items() for other in others):
        difference = row(name, "differences", probe=probe, measure="share", other=other)
        gap, low, high = (re.escape(signed(difference[column])) for column in ("gap", "low", "high"))
        assert re.search(rf"{gap}( points| of roots|)( of edges|) \({low} to {high}\)", text), (probe, other)


def test_what_the_shipped_parser_tells_of_arc_lengths():
    for name, figures in record("arc_lengths")["treebanks"].items():
        cells = [
            "{value:.2f} ({low:.2f} to {high:.2f})".format(**figures[measure][kind]).replace("-", "−")
            for kind in ("correlation", "beyond_length")
            for measure in ("parser", "clauses")
        ]
        assert f"| {name} | {figures['measured']:,} | {' | '.join(cells)} |" in page_text("syntax.md")
