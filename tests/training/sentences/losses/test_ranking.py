"""The ranking loss: the right candidate among those of the batch that are really negatives."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from wordworth.training.sentences.losses import ranking
from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.ranking import RankingLoss, excluded_candidates

LOSS = RankingLoss(LossOptions(4))


def vectors(texts: int) -> torch.Tensor:
    return torch.randn(texts, 4, generator=torch.Generator().manual_seed(0))


def loss(columns: list[list[int]], texts: int) -> float:
    return float(LOSS(vectors(texts), ComparedTexts(torch.tensor(columns))))


def test_its_value_is_the_cross_entropy_of_scaled_cosines():
    unit = functional.normalize(vectors(6), dim=1)
    expected = functional.cross_entropy(20 * unit[:3] @ unit[3:].T, torch.arange(3))
    assert loss([[0, 3, -1], [1, 4, -1], [2, 5, -1]], 6) == pytest.approx(float(expected), rel=1e-5)


def test_third_texts_are_negatives_of_every_row_and_rows_may_lack_them():
    unit = functional.normalize(vectors(5), dim=1)
    expected = functional.cross_entropy(20 * unit[:2] @ unit[[2, 3, 4]].T, torch.arange(2))
    assert loss([[0, 2, 4], [1, 3, -1]], 5) == pytest.approx(float(expected), rel=1e-5)


def test_a_duplicate_of_the_positive_is_no_negative():
    """Two rows with the same second text: each would have its own positive as a negative."""
    assert loss([[0, 2, -1], [1, 2, -1]], 3) == pytest.approx(0, abs=1e-6)


def test_two_positives_of_one_text_are_not_negatives_of_each_other():
    assert loss([[0, 1, -1], [0, 2, -1]], 3) == pytest.approx(0, abs=1e-6)


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-1, 5)), min_size=1, max_size=9)


def value_and_gradient(rows: list[tuple[int, int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
    texts = vectors(6).requires_grad_()
    value = LOSS(texts, ComparedTexts(torch.tensor(rows)))
    torch.autograd.grad(value, texts, retain_graph=True)  # as the gradient cache asks twice
    value.backward()
    return value.detach(), texts.grad


@given(ROWS, st.integers(1, 30))
def test_blocks_of_rows_have_the_loss_and_the_gradients_of_all_rows_at_once(rows, block):
    at_once = value_and_gradient(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "BLOCK", block)
        by_blocks = value_and_gradient(rows)
    for one, other in zip(at_once, by_blocks, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


@given(ROWS)
def test_what_is_left_out_is_equal_to_the_rows_own_texts_or_is_another_positive_of_its_first(rows):
    columns = torch.tensor(rows)
    candidates = torch.cat([columns[:, 1], columns[columns[:, 2] >= 0, 2]])
    excluded = excluded_candidates(columns, candidates)
    positives = {(first, second) for first, second, _ in rows}
    for row, (first, _, _) in enumerate(rows):
        for place, candidate in enumerate(candidates.tolist()):
            same = candidate == first or (first, candidate) in positives
            assert bool(excluded[row, place]) == (same and place != row)
    value = LOSS(vectors(6), ComparedTexts(columns))
    assert torch.isfinite(value)
    assert value >= 0


def near(texts: int) -> torch.Tensor:
    """Vectors whose cosines are near 1, so that a candidate more or less shows in the loss."""
    return 1 + 0.01 * vectors(texts)


def test_a_candidate_that_is_the_anchor_behind_another_prompt_is_no_negative():
    """Texts 0 and 3, and 1 and 2, are one text each behind two prompts: both candidates but the own one are masked."""
    columns = torch.tensor([[0, 2, -1], [1, 3, -1]])
    assert float(LOSS(near(4), ComparedTexts(columns, None, torch.tensor([0, 1, 1, 0])))) == pytest.approx(0, abs=1e-6)
    assert float(LOSS(near(4), ComparedTexts(columns))) == pytest.approx(0.69, abs=0.05)


def test_numbers_change_nothing_where_all_texts_differ_and_blocks_read_them_too(monkeypatch):
    columns = torch.tensor([[0, 3, 5], [1, 4, -1], [2, 3, 0]])
    whole = float(LOSS(near(6), ComparedTexts(columns)))
    assert whole == float(LOSS(near(6), ComparedTexts(columns, None, torch.arange(6))))
    same = ComparedTexts(columns, None, torch.tensor([0, 1, 2, 3, 2, 4]))
    at_once = float(LOSS(near(6), same))
    assert at_once < whole - 0.05
    monkeypatch.setattr(ranking, "BLOCK", 6)
    assert float(LOSS(near(6), same)) == pytest.approx(at_once, rel=1e-5)
