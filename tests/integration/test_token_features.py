"""Other things known of a token, such as its entity, travel with it to an embedding that reads them."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.models.tiny import write_tiny
from torch import nn

from wordworth.models.batch import Batch, pack
from wordworth.models.read_encoder import read_encoder
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokens import Tokens
from wordworth.text.windows import take
from wordworth.training.trainable_encoder import with_rounded_length


class EntityEmbedding(nn.Module):
    """A BERT's embedding, and the vector of the entity that a token belongs to (ERNIE, Zhang et al. 2019)."""

    features = ("entity",)

    def __init__(self, plain: nn.Module, entities: int, width: int) -> None:
        super().__init__()
        self.plain, self.entity = plain, nn.Embedding(entities, width, padding_idx=0)

    def forward(self, batch: Batch) -> torch.Tensor:
        return self.plain(batch) + self.entity(batch.features["entity"])


class EntityTokenizer(Tokenizer):
    """Links every token of a word that begins with c to entity 1; entity 0 is none."""

    def encode(self, texts, second=None):
        return [
            replace(tokens, features={"entity": self._entities(tokens)}) for tokens in super().encode(texts, second)
        ]

    def _entities(self, tokens: Tokens) -> np.ndarray:
        return (tokens.ids == self.vocabulary["c"]).astype(np.int64)


def tokens(count: int, **features: np.ndarray) -> Tokens:
    ids = np.arange(count)
    return Tokens(ids, ids * 0, np.zeros((count, 2), np.int32), np.full(count, -1, np.int32), features=features)


def test_features_are_packed_cut_moved_and_padded_with_their_tokens():
    one, two = tokens(3, code=np.array([[1, 2], [3, 4], [5, 6]])), tokens(2, code=np.array([[7, 8], [9, 9]]))
    assert take(one, np.array([0, 2])).features["code"].tolist() == [[1, 2], [5, 6]]
    batch = pack([one, two])
    assert batch.features["code"].tolist() == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 9]]
    assert batch.to(torch.device("meta")).features["code"].device.type == "meta"
    padded = with_rounded_length(batch)
    assert len(padded.features["code"]) == len(padded.ids) > len(batch.ids)
    with pytest.raises(ValueError, match="different features"):
        pack([one, tokens(2)])


def test_an_embedding_from_elsewhere_reads_the_entities_of_a_text(tmp_path):
    encoder = read_encoder(write_tiny(tmp_path / "bert"))
    plain = encoder.encode(["the cab", "a bad idea"])
    model = encoder.model
    model.embedding = EntityEmbedding(model.embedding, 2, 32)
    aware = replace(encoder, tokenizer=EntityTokenizer.read(tmp_path / "bert"), state_reader=model, kernel="plain")
    vectors = aware.encode(["the cab", "a bad idea"])
    assert not np.allclose(vectors[0], plain[0], atol=1e-3)
    assert np.allclose(vectors[1], plain[1], atol=1e-5)
    states = aware.piece_states(["the cab"], layers=0)
    assert states.values.shape[1] == len(states.words)
    long = aware.encode(["the cab " * 20], long_texts="window")
    assert np.isfinite(long).all()
