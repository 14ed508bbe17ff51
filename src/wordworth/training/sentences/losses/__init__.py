"""The losses of sentence vectors, by name; other packages can add their own."""

from __future__ import annotations

from wordworth.registry import Registry
from wordworth.training.sentences.losses.base import SentenceLoss

LOSSES: Registry[type[SentenceLoss]] = Registry(
    "loss",
    group="wordworth.sentence_losses",
    builtin={
        "softmax": "wordworth.training.sentences.losses.softmax:SoftmaxLoss",
        "cosine": "wordworth.training.sentences.losses.cosine:CosineLoss",
        "triplet": "wordworth.training.sentences.losses.triplet:TripletLoss",
        "ranking": "wordworth.training.sentences.losses.ranking:RankingLoss",
        "mse": "wordworth.training.sentences.losses.mse:VectorLoss",
    },
)
