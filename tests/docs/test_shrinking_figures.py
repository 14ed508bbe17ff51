"""Figures of the page on shrinking are those of its records: smaller models and smaller vectors."""

import pytest
from tests.docs.record_figures import change_with_interval, page_text, row

ENOUGH = {"yes": "enough", "no": "costs more", "cannot tell": "cannot tell"}


def decided_change(scores):
    """A change with the interval that decides about it."""
    return change_with_interval(*(scores[name] for name in ("change", "corrected_low", "corrected_high")))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("bfloat16", "bfloat16"),
        ("int8", "int8"),
        *((f"first {layers} layers", f"first {layers} layers") for layers in (5, 4, 3)),
        ("14 heads removed", "14 heads removed"),
        ("29 heads removed", "29 heads removed"),
        ("student3", "student of 3 layers"),
        ("static table", "static table"),
    ],
)
def test_what_shrinking_costs_is_that_of_the_record(model, name):
    smaller = row("shrink_sst2", "models", model=model)
    size, score, enough = f"{smaller['bytes'] / 1e6:.0f}", f"{100 * smaller['score']:.1f}", ENOUGH[smaller["within"]]
    assert f"| {name} | {size} | {score} | {decided_change(smaller)} | {enough}" in page_text("shrinking.md")


@pytest.mark.parametrize("form", ["first 192 numbers", "int8", "bits rescored", "bits"])
def test_what_smaller_vectors_cost_is_that_of_the_records(form):
    sts, trec = (row(name, "vectors", vectors=form) for name in ("shrink_sts", "shrink_trec"))
    line = f"| {form} | {sts['bytes']} | {decided_change(sts)} | {decided_change(trec)} |"
    assert line in page_text("shrinking.md")
