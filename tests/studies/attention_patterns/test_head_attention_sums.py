"""Sums over segments: planted heads, and that no batch matters."""

import numpy as np
import pytest
import torch

from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, REACH, head_sums, segment_sums
from wordworth.studies.attention_patterns.token_segments import Kinds, TokenKinds, drawn_segments


def planted(tokens):
    return torch.stack([
        torch.diag(torch.ones(tokens - 1), 1) + torch.diag(torch.tensor([*[0.0] * (tokens - 1), 1.0])),
        torch.eye(tokens)[[-1] * tokens],
        torch.full((tokens, tokens), 1 / tokens),
    ])  # fmt: skip


def test_planted_heads_are_measured_as_they_are():
    last = np.array([False] * 5 + [True])
    first = np.array([True] + [False] * 5)
    comma = np.array([False, False, True, False, False, False])
    sums = dict(zip(MEASURES, segment_sums(planted(6), Kinds(last, last | first, comma)), strict=True))
    assert sums["next"] == pytest.approx([5, 1, 5 / 6])
    assert sums["separator"] == pytest.approx([2, 6, 1])
    assert sums["special"] == pytest.approx([2, 6, 2])
    assert sums["punctuation"] == pytest.approx([1, 0, 1])
    assert sums["entropy"][2] == pytest.approx(6 * np.log(6), rel=1e-4)
    assert sums["positional_next"][0] == 3


def test_means_do_not_depend_on_how_segments_are_batched():
    encoder = load("mini")
    texts = [f"The cat saw {n} birds , and left ." for n in range(12)]
    tokens = drawn_segments(texts, encoder.tokenizer, 12, 32, 0).tokens
    kinds = TokenKinds(encoder.tokenizer)
    with SILENT.step("x", 12) as step:
        all_at_once = head_sums(encoder.model, tokens, kinds, step)
        one_by_one = [head_sums(encoder.model, [each], kinds, step) for each in tokens]
    assert all_at_once.sums.shape == (12, len(MEASURES), 16)
    assert np.allclose(all_at_once.sums, np.concatenate([each.sums for each in one_by_one]), atol=1e-3)
    assert all_at_once.offsets.shape == (16, 2 * REACH + 1)
    assert all_at_once.divergences.max() < np.log(2)
