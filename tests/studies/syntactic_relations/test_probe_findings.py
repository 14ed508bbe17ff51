"""The sentences on probes: whether the published order comes out, step by step, and what random weights do."""

import pytest

from wordworth.records import Table
from wordworth.studies.syntactic_relations.probe_findings import ORDER, probe_method, probe_warnings, published_order
from wordworth.studies.syntactic_relations.probe_scores import COMPARED
from wordworth.studies.syntactic_relations.probe_tables import DIFFERENCES, PROBES
from wordworth.studies.syntactic_relations.probe_training import RANDOM


def tables(not_ahead=(), reverse=()):
    systems = [{**dict.fromkeys(PROBES), "system": name, "uas": 0.5 - 0.05 * place} for place, name in enumerate(ORDER)]
    gaps = []
    for pair in COMPARED:
        sign = -1 if pair in reverse else 1
        low, high = sorted((sign * 0.01, sign * 0.05))
        row = {"first": pair[0], "second": pair[1], "difference": sign * 0.03, "low": low, "high": high}
        gaps.append({**row, "ahead": pair not in (*not_ahead, *reverse), "published": None})
    return {"probes": Table.of(systems, PROBES), "probe_differences": Table.of(gaps, DIFFERENCES)}


def test_an_order_that_comes_out_is_said_in_one_sentence():
    order = published_order(tables())
    assert order.sentence == (
        "Probes find, of all syntactic heads: attention and words 50.0 %, attention alone 45.0 %, words and distances "
        "40.0 %, best single head 35.0 % and right-branching 30.0 %. The published order (BERT-base: 77, 61, 58, 34.5 "
        "and 26.3 %) comes out."
    )
    assert (order.steps, order.steps_above) == (5, 5)


def test_steps_that_do_not_hold_are_named_with_their_interval():
    order = published_order(tables(not_ahead=[(ORDER[0], ORDER[1])], reverse=[(ORDER[1], ORDER[2])]))
    assert "comes out in 3 of 5 steps." in order.sentence
    way_round = "attention alone beside words and distances, −3.0 points (95 %: −5.0 to −1.0)."
    assert f"Here the other way round: {way_round}" in order.sentence
    assert "Here not told apart: attention and words beside attention alone, +3.0 points" in order.sentence
    assert order.steps_above == 3


@pytest.mark.parametrize("name", ORDER[:2])
def test_a_probe_that_does_no_better_than_on_random_weights_is_warned_of(name):
    assert not list(probe_warnings(tables()))
    (warning,) = probe_warnings(tables(not_ahead=[(name, RANDOM.format(name))]))
    assert warning.numbers == {"probes": [name]}


def test_the_method_names_the_vectors_and_the_parts():
    texts = [finding.text for finding in probe_method({"training": 842, "held_out": 76, "width": 384})]
    assert "input embeddings (384 wide; the paper used GloVe)" in texts[0]
    assert "842 sentences" in texts[1]
    assert "76 more" in texts[1]
    assert "corrected for all 8 (with no difference, 0.2 would pass by luck without the correction)" in texts[1]
