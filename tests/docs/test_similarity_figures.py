"""Figures of the page on similarity are those of its record, without the sentences of the data."""

from tests.docs.record_figures import record, row, rows, unwrapped


def test_what_cosines_are_made_of_is_that_of_the_record_of_pairs():
    page = unwrapped("similarity.md")
    by_kind = {terms["kind"]: terms for terms in rows("similarity_minilm", "kinds")}
    whole = by_kind["cosine"]
    assert f"the mean cosine is {whole['mean']:.2f}; random pairs have {whole['random']:.2f}" in page
    for kind in ("cosine", "same words", "different words", "special tokens"):
        gap, low, high = (by_kind[kind][name] for name in ("gap", "gap_low", "gap_high"))
        assert f"{gap:.2f} ({low:.2f} to {high:.2f})" in page
    untrained = row("similarity_minilm", "random_weights", kind="cosine")
    assert f"with random weights the difference is {untrained['gap']:.2f}" in page
    assert not record("similarity_minilm")["tables"].keys() & {"pairs", "words", "cells"}  # the sentences are not ours
