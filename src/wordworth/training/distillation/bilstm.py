"""A BiLSTM as a student: the teacher's word pieces and embeddings under a new BiLSTM, whose states are max-pooled.

Adhikari et al. 2019 (arXiv 1904.08398, section 3.2) distil BERT into a BiLSTM with 512 cells in each direction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import torch

from wordworth.models.checkpoint import Checkpoint
from wordworth.models.encoder_base import Encoder
from wordworth.models.families.bilm import BILM, BilmConfig, bilm
from wordworth.models.pooling import SentenceHead
from wordworth.models.pruning import size_of
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import init_weights
from wordworth.models.weight_mapping import LoadReport

POOLING: Final = "max"
_CELLS = 512


def bilstm_student(teacher: TextEncoder, layers: int, seed: int) -> TextEncoder:
    """Return a BiLSTM student with the teacher's tokenizer and word embeddings, and newly initialised layers.

    Args:
        teacher: an encoder whose embeddings are as wide as its states.
        layers: number of BiLSTM layers.
        seed: the seed of the new weights, which are normal with standard deviation 1 / sqrt(width).
    """
    whole, config = teacher.model, _config(teacher.model, layers)
    checkpoint = Checkpoint(_new(config, whole, seed), BILM, LoadReport(), {}, {})
    head = SentenceHead((POOLING,))
    return replace(
        teacher, checkpoint=checkpoint, head=head, state_reader=checkpoint.model, dtype="float32", kernel="plain"
    )


def parameters_of(teacher: Encoder, layers: int) -> int:
    """Return the number of parameters that a BiLSTM student would have, without building the student.

    Args:
        teacher: an encoder whose embeddings are as wide as its states.
        layers: number of layers of the student.
    """
    with torch.device("meta"):
        return size_of(bilm(_config(teacher, layers))).parameters


def _config(teacher: Encoder, layers: int) -> BilmConfig:
    return BilmConfig(
        vocab_size=teacher.config.vocab_size,
        projection_size=teacher.width,
        cell_size=_CELLS,
        num_layers=layers,
        cell_clip=None,
        projection_clip=None,
        max_length=teacher.config.max_length,
        initializer_range=teacher.width**-0.5,
    )


def _new(config: BilmConfig, teacher: Encoder, seed: int) -> Encoder:
    model = bilm(config).eval()
    init_weights(model, config.initializer_range, torch.Generator().manual_seed(seed))
    words = teacher.embedding.get_submodule("word").get_parameter("weight").detach().float()
    with torch.no_grad():
        model.embedding.get_submodule("word").get_parameter("weight").copy_(words)
    return model
