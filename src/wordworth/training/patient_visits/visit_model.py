"""`VisitModel`: an encoder of visits under the heads of pretraining and of recommending (G-BERT, Shang et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.models.devices import device_of
from wordworth.models.patient_visits.ontology_embedding import CodeTable, OntologyEmbedding
from wordworth.models.patient_visits.visit_encoder import VisitEncoder
from wordworth.models.transformer import init_weights
from wordworth.models.transformer_config import TransformerConfig
from wordworth.text.medical_code_ontology import CodeGraph
from wordworth.text.patient_visits import Numbers, Visits
from wordworth.training.patient_visits.settings import VisitTrainingSettings

_NORM_EPSILON = 1e-12
INPUT, TARGET = 0, 1
"""The kind that is known of a visit, and the one that is predicted."""


class VisitModel(nn.Module):
    """An encoder of visits with heads that predict the codes of a visit, or the codes of a patient's next visit.

    Args:
        encoder: the encoder of visits.
        sizes: number of input codes and of target codes.
        generator: source of the initial weights of the heads.
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
        """Return for each visit a score for every input code, or for every target code, from one of its two vectors.

        Args:
            vectors: the visits' vectors of inputs, and the visits' vectors of targets, float32 [visits, width] each.
            source: which of the two vectors is read: 0 for inputs, 1 for targets.
            kind: which codes are scored: 0 for input codes, 1 for target codes.

        Returns:
            float32 [visits, codes].
        """
        scores: Tensor = self.predictions[2 * source + kind](vectors[source])
        return scores

    def recommended(self, vectors: Sequence[Tensor], first: Tensor) -> Tensor:
        """Return the score of each target code for each visit, float32 [visits, codes].

        The scores are computed from the mean input vector and the mean target vector of the patient's earlier visits,
        and the visit's own input vector (Shang et al. 2019, equation 9). Scores of a patient's first visit have no
        meaning.

        Args:
            vectors: the visits' vectors of inputs, and the visits' vectors of targets, float32 [visits, width] each,
                sorted by patient and date.
            first: int64 [visits], the index of the first visit of each visit's patient.
        """
        earlier = [earlier_mean(each, first) for each in vectors]
        scores: Tensor = self.recommendation(torch.cat([*earlier, vectors[INPUT]], dim=1))
        return scores


def earlier_mean(values: Tensor, first: Tensor) -> Tensor:
    """Return for each row i the mean of the rows `first[i]` to `i - 1`, [n, k]; 0 if there are no such rows.

    Args:
        values: [n, k], the rows.
        first: int64 [n], the first of the earlier rows of each row; at most the row's own index.
    """
    before = torch.cumsum(values, 0) - values
    counts = torch.arange(len(values), device=values.device) - first
    return (before - before[first]) / counts.clamp(min=1)[:, None]


def new_model(
    settings: VisitTrainingSettings, visits: Visits, graphs: Sequence[CodeGraph | None], seed: int
) -> VisitModel:
    """Return a model with random weights, on the device of the settings.

    Args:
        settings: sizes and device.
        visits: the visits whose codes the model knows.
        graphs: for inputs and targets, the ontology graph of their codes; None for a plain embedding.
        seed: the seed of the weights.
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
    """Return the vectors of the inputs and of the targets of some visits, float32 [visits, width] each.

    No code is masked.

    Args:
        model: the model.
        visits: the visits of all patients.
        rows: int64 [visits], the indices of the visits.
    """
    encoder, flags = model.encoder, (visits.inputs.flags, visits.targets.flags)
    vectors: list[Tensor] = encoder([encoder.code_ids(kind, each[rows]) for kind, each in enumerate(flags)], len(rows))
    return vectors


def _perceptron(width: int, hidden: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out))
