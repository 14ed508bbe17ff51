"""Figures of the page on heads are those of its records: pruning, smaller models, single ablations."""

import pytest
from tests.docs.record_figures import change_with_interval, finding, page_text, row, rows, unwrapped

from wordworth.sentence_formatting import signed


@pytest.fixture(scope="module", name="page")
def read_page():
    return page_text("heads.md")


def test_what_pruning_costs_is_that_of_the_record(page):
    curves = rows("heads_minilm", "curves")
    for order, name in (
        ("importance", "least important first"),
        ("by position", "by position"),
        ("gates", "by learned gates"),
        ("reverse", "most important first"),
    ):
        changes = [signed(point["change"]) for point in curves if point["order"] == order]
        assert f"| {name} | {' | '.join(changes)} |" in page


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("29 heads removed", "29 heads removed (40 %)"),
        ("43 heads removed", "43 heads removed (60 %)"),
        *((f"first {layers} layers", f"first {layers} layers") for layers in (5, 4, 3)),
    ],
)
def test_smaller_models_are_those_of_the_record(page, model, name):
    smaller = row("heads_minilm", "frontier", model=model)
    change = change_with_interval(smaller["change"], smaller["low"], smaller["high"])
    assert f"| {name} | {100 * smaller['score']:.1f} | {change} | {smaller['speedup_32']:.2f}" in page


@pytest.mark.parametrize(
    ("model", "ends", "sentence"),
    [
        ("minilm", "−12.4 to −6.5", "single ablations {} points beside importance ({})"),
        ("mini", "−4.4 to +1.7", "{} ({})"),
    ],
)
def test_the_order_of_single_ablations_is_that_of_its_record(page, model, ends, sentence):
    name = f"heads_{model}_by_ablation"
    orders = finding(name, "orders")
    change = signed(orders["numbers"]["by ablation"])
    assert f"by what each head alone costs {change} (95 %: {ends})" in orders["text"]
    assert f"{100 * row(name, 'frontier', model='whole')['score']:.1f} %" in page
    assert sentence.format(change, ends) in page
    assert sentence.format(change, ends) in page_text("inside-findings.md")


def test_the_example_of_pruning_is_that_of_its_record():
    page = unwrapped("heads.md")
    whole, smaller = rows("prune_mini", "models")
    assert f"accuracy is {100 * smaller['score']:.1f} % in place of {100 * whole['score']:.1f}" in page
    assert "{} points ({} to {})".format(*(signed(smaller[end]) for end in ("change", "low", "high"))) in page
    of_29 = {point["order"]: point["change"] for point in rows("heads_minilm", "curves") if point["pruned"] == 29}
    at_random = sorted(-100 * change for order, change in of_29.items() if order.startswith("random"))
    assert f"29 of 72 heads cost {-100 * of_29['importance']:.1f} points" in page
    assert f"of as many cost {at_random[0]:.1f} to {at_random[-1]:.1f}" in page
