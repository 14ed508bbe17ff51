"""The verdict names the layer, says whether it is inner, and claims nothing that controls reach too."""

import pytest

from wordworth.records import Table
from wordworth.studies.syntax.findings import method, verdict, warnings
from wordworth.studies.syntax.parser import COMPARED as PARSER_CONTROLS
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.syntax.structural_probe_scores import COMPARED
from wordworth.studies.syntax.tables import DIFFERENCES, PAIR_DIFFERENCES, PAIRS, PARSER_DIFFERENCES, PARSERS, PROBES

FACTS = {"sentences": 30, "documents": 30, "training": 26, "held_out": 4, "too_long": 2}


def tables(layer=2, gap=0.2, *, ahead=True, pairs=True):
    row = dict.fromkeys(PROBES, 0.6) | {"source": "model", "chosen": False, "layer": layer}
    probes = [row | {"probe": kind, "chosen": True, "rank": 64} for kind in ("distance", "depth")]
    probes += [row | {"probe": "distance", "rank": rank, "share": share} for rank, share in ((1, 0.3), (16, 0.595))]
    differences = [
        {"probe": kind, "measure": measure, "other": other, "gap": gap, "low": gap - 0.01, "high": gap + 0.01,
         "ahead": ahead, "published": None}
        for kind in ("distance", "depth") for measure in ("share", "correlation") for other in COMPARED
    ]  # fmt: skip
    ends = {"low": 0.1, "high": 0.3}
    of_pairs = [
        {"task": task, "source": source, "pairs": 9, "classes": 2, "accuracy": 0.7, "published": None, **ends}
        for task in ("related, same distance", "which relation")
        for source in ("attention", "attention, random weights", "distance alone")
    ]
    gaps = [
        {"task": row["task"], "other": row["source"], "gap": 0.2, "ahead": True, **ends}
        for row in of_pairs if row["source"] != "attention"
    ]  # fmt: skip
    parsers = [dict.fromkeys(PARSERS, 0.7) | {"source": source} for source in ("model", *PARSER_CONTROLS)]
    of_parsers = [
        {"measure": measure, "other": other, "gap": 0.2, "ahead": True, **ends}
        for measure in ("uas", "las") for other in PARSER_CONTROLS
    ]  # fmt: skip
    return {
        "parsers": Table.of(parsers, PARSERS),
        "parser_differences": Table.of(of_parsers, PARSER_DIFFERENCES),
        "probes": Table.of(probes, PROBES),
        "differences": Table.of(differences, DIFFERENCES),
        "pairs": Table.of(of_pairs if pairs else [], PAIRS),
        "pair_differences": Table.of(gaps if pairs else [], PAIR_DIFFERENCES),
    }


def test_the_layer_is_named_with_its_lead():
    found = verdict(tables(), 6)
    assert found.numbers["headline"] == "Trees are plainest in layer 2 of 6."
    assert (found.numbers["inner"], found.numbers["margin_held"]) == (True, True)
    assert "+20.0 points (+19.0 to +21.0) beside joining neighbours" in found.text
    assert "ahead of the input layer" in found.text
    assert "Rank 16 is enough" in found.text
    assert found.text.count("distance alone in") == 2
    assert "the heads of 70.0 % (70.0 % to 70.0 %) of the words, punctuation among them" in found.text
    assert "+20.0 points (+10.0 to +30.0) beside right-branching" in found.text


@pytest.mark.parametrize(("layer", "words"), [(0, "the input layer"), (6, "the last of 6")])
def test_a_layer_at_an_end_is_not_inner(layer, words):
    found = verdict(tables(layer), 6)
    assert not found.numbers["inner"]
    assert f"The best layer is {words}" in found.text


def test_controls_that_reach_as_much_leave_no_claim():
    found = verdict(tables(gap=0.01, ahead=False, pairs=False), 6)
    assert found.numbers["headline"] == "No layer holds trees beyond its controls."
    assert not found.numbers["margin_held"]
    said = {finding.name: finding for finding in warnings(tables(ahead=False), FACTS | {"documents": 3})}
    assert set(said) == {"warning.long_sentences", "warning.documents", "warning.controls", "warning.probes"}
    assert said["warning.controls"].numbers["controls"] == ["linear chain", "random weights", "control trees"]
    assert [finding.name for finding in warnings(tables(), FACTS | {"too_long": 0})] == ["warning.probes"]


def test_the_method_says_what_trained_and_what_measured():
    said = {finding.name: finding.text for finding in method(FACTS, SyntaxSettings())}
    assert "trained on 26 sentences; 4 more" in said["method.split"]
    assert "rank 64" in said["method.probes"]
