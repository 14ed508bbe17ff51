"""The head over a vocabulary as the layer that scores pieces which masks hide."""

import pytest
import torch
from tests.models.language_models import CONFIGS

from wordworth.models.batch import Batch
from wordworth.models.lm_heads import MaskedLanguageModelHead
from wordworth.training.finetuning.masked_piece_scores import HIDDEN_PIECE, PieceScores


def test_a_score_is_the_log_probability_of_the_hidden_piece_and_0_elsewhere():
    config = CONFIGS["bert"]
    head, generator = MaskedLanguageModelHead(config), torch.Generator().manual_seed(0)
    states, words = (torch.randn(size, 32, generator=generator) for size in (4, config.vocab_size))
    hidden = torch.tensor([-1, 7, -1, 3])
    batch = Batch(torch.zeros(4), torch.zeros(4), torch.tensor([0, 4]), features={HIDDEN_PIECE: hidden})
    with torch.no_grad():
        scores = PieceScores(head)(states, batch, words)
        logs = head(states, words).log_softmax(-1)
    assert scores[:, 0].tolist() == pytest.approx([0, float(logs[1, 7]), 0, float(logs[3, 3])], rel=1e-6)


def test_the_head_that_it_is_made_of_is_not_changed():
    head = MaskedLanguageModelHead(CONFIGS["bert"])
    made = PieceScores(head)
    with torch.no_grad():
        made.head.bias.add_(1)
    assert not head.bias.any()
