"""`VisitModel`: an encoder of visits under the heads of pretraining and of recommending (G-BERT, Shang et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.models.devices import device_of
from wordworth.models.transformer import TransformerConfig, init_weights
from wordworth.models.visits.ontology_embedding import CodeTable, OntologyEmbedding
from wordworth.models.visits.visit_encoder import VisitEncoder
from wordworth.text.code_ontology import CodeGraph
from wordworth.text.visits import Numbers, Visits
from wordworth.training.visits.settings import VisitTrainingSettings

_NORM_EPSILON = 1e-12
INPUT, TARGET = 0, 1
"""The kind that is known of a visit, and the one that is predicted."""


class VisitModel(nn.Module):
    """Vectors of visits, and what they predict.

    Args:
        encoder: of visits.
        sizes: number of codes of each kind.
        generator: draws the weights of the heads.
    """

    def __init__(self, encoder: VisitEncoder, sizes: Sequence[int], generator: torch.Generator) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.width
        self.predictions = nn.ModuleList(_perceptron(width, width, size) for _ in sizes for size in sizes)
        self.recommendation = _perceptron(3 * width, 2 * width, sizes[TARGET])
        init_weights(self.predictions, width**-0.5, generator)
        init_weights(self.recommendation, width**-0.5, generator)

    def predicted(self, vectors: Sequence[Tensor], source: int, kind: int) -> Tensor:
        """Return the scores of all codes of a kind from the vectors of one, float32 [visits, codes]: self or dual.

        Args:
            vectors: of each kind, float32 [visits, width].
            source: the kind whose vectors are read.
            kind: the kind that is predicted.
        """
        scores: Tensor = self.predictions[2 * source + kind](vectors[source])
        return scores

    def recommended(self, vectors: Sequence[Tensor], first: Tensor) -> Tensor:
        """Return the scores of the targets of each visit, float32 [visits, codes].

        They are read from the mean of the vectors of earlier inputs, that of earlier targets, and the visit's own
        inputs (equation 9); those of a patient's first visit mean nothing.

        Args:
            vectors: of each kind, float32 [visits, width], those of a patient next to each other and by date.
            first: int64 [visits], the first visit of each visit's patient.
        """
        earlier = [earlier_mean(each, first) for each in vectors]
        scores: Tensor = self.recommendation(torch.cat([*earlier, vectors[INPUT]], dim=1))
        return scores


def earlier_mean(values: Tensor, first: Tensor) -> Tensor:
    """Return the mean of the rows from each row's first to the one before it, [n, k]; 0 where there is none.

    Args:
        values: [n, k].
        first: int64 [n], at most the row's own number.
    """
    before = torch.cumsum(values, 0) - values
    counts = torch.arange(len(values), device=values.device) - first
    return (before - before[first]) / counts.clamp(min=1)[:, None]


def new_model(
    settings: VisitTrainingSettings, visits: Visits, graphs: Sequence[CodeGraph | None], seed: int
) -> VisitModel:
    """Return a model with random weights, on its device.

    Args:
        settings: sizes.
        visits: whose codes the model knows.
        graphs: of each kind the codes and their ancestors; None for a plain table.
        seed: decides the weights.
    """
    generator = torch.Generator().manual_seed(seeds.child_seed(seed, "codes", "weights"))
    sizes = [len(visits.inputs.codes), len(visits.targets.codes)]
    tables = [
        CodeTable(size, settings.width, generator)
        if graph is None
        else OntologyEmbedding(graph, settings.width, settings.heads, generator)
        for size, graph in zip(sizes, graphs, strict=True)
    ]
    config = TransformerConfig(
        hidden_size=settings.width,
        num_layers=settings.layers,
        num_heads=settings.heads,
        intermediate_size=settings.width,
        activation="relu",
        norm_eps=_NORM_EPSILON,
        dropout=settings.dropout,
        attention_dropout=0.0,
        initializer_range=settings.width**-0.5,
        vocab_size=sum(sizes),
    )
    model = VisitModel(VisitEncoder(tables, sizes, config, generator), sizes, generator)
    return model.to(device_of(settings.device))


def encoded(model: VisitModel, visits: Visits, rows: Numbers) -> list[Tensor]:
    """Return the vectors of some visits for each kind, float32 [visits, width]; no code is masked."""
    encoder, flags = model.encoder, (visits.inputs.flags, visits.targets.flags)
    vectors: list[Tensor] = encoder([encoder.code_ids(kind, each[rows]) for kind, each in enumerate(flags)], len(rows))
    return vectors


def _perceptron(width: int, hidden: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out))
