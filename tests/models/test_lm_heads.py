"""Output layers of language models: their shapes, what they share with the embedding, and what they refuse."""

import pytest
import torch
from tests.models.tiny import PIECES

from wordworth.errors import BadInput
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.bilm import BilmConfig, bilm
from wordworth.models.families.elmo import ElmoConfig, elmo
from wordworth.models.lm_heads import (
    BidirectionalHead,
    MaskedLanguageModelHead,
    NextSentenceHead,
    TiedHead,
    word_table,
)

SMALL = {"vocab_size": len(PIECES), "hidden_size": 16, "num_layers": 1, "num_heads": 2, "intermediate_size": 24}


def test_the_word_table_is_the_embeddings_own_tensor():
    model = bert(BertConfig(**SMALL))
    assert word_table(model) is model.embedding.word.weight


def test_a_model_that_reads_characters_has_no_word_table():
    with pytest.raises(BadInput, match="no word table to predict from"):
        word_table(elmo(ElmoConfig(projection_size=8, cell_size=12)))


def test_a_masked_language_model_scores_every_piece_and_learns_through_the_word_table():
    config = BertConfig(**SMALL)
    model, head = bert(config), MaskedLanguageModelHead(config)
    logits = head(torch.randn(3, 16), word_table(model))
    assert logits.shape == (3, len(PIECES))
    logits.sum().backward()
    assert word_table(model).grad.abs().sum() > 0
    assert not any(parameter is word_table(model) for parameter in head.parameters())


def test_the_bias_of_a_piece_moves_the_score_of_that_piece_alone():
    config = BertConfig(**SMALL)
    head, states, words = MaskedLanguageModelHead(config), torch.randn(2, 16), word_table(bert(config)).detach()
    before = head(states, words)
    with torch.no_grad():
        head.bias[7] += 2
    change = head(states, words) - before
    assert torch.allclose(change[:, 7], torch.tensor(2.0))
    assert torch.allclose(change[:, :7], torch.tensor(0.0))


def test_next_sentence_prediction_needs_a_pooler():
    with_pooler = bert(BertConfig(**SMALL))
    assert NextSentenceHead.of(with_pooler)(torch.randn(3, 16)).shape == (3, 2)
    without = bert(BertConfig(**SMALL, pooler=False))
    with pytest.raises(BadInput, match="needs a pooler"):
        NextSentenceHead.of(without)


def test_gpt2s_head_is_the_word_table_and_nothing_else():
    words = torch.randn(5, 4)
    assert list(TiedHead().parameters()) == []
    assert torch.allclose(TiedHead()(words[2:3], words), words[2:3] @ words.T)


def test_both_directions_share_a_softmax_that_is_tied_where_widths_allow():
    tied = BidirectionalHead.of(bilm(BilmConfig(vocab_size=len(PIECES), projection_size=8, cell_size=12)))
    assert [name for name, _ in tied.named_parameters()] == ["bias"]
    characters = BidirectionalHead.of(elmo(ElmoConfig(projection_size=8, cell_size=12)))
    assert {name for name, _ in characters.named_parameters()} == {"bias", "output.weight"}
