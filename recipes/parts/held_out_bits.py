"""Loss of a masked model on unseen text: nats of the masked pieces of each document, and bits per character.

The loss per piece cannot be compared between vocabularies, bits per character can: mean loss in bits times pieces per
character of the text. It is no code length, as the masked model sees both sides of what it is asked for; it ranks
models that read the same text under the same masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from parts.domain_stores import StoreSizes
from parts.scored import DRAWS, Scored
from wordworth.files import atomic_write
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats
from wordworth.models.batch import Batch
from wordworth.models.devices import device_of
from wordworth.models.language_model import LanguageModel, language_model
from wordworth.seeds import child
from wordworth.text.corpus.pretraining_sequences import Instances, gather
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.masking.mask_sampling import MaskingUnit
from wordworth.training.objectives.masking.masking_units import SingleTokens
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import Targets

_ROWS = 64


@dataclass(frozen=True)
class Answers:
    """The losses of a model on d documents.

    Attributes:
        nats: negative log-probability of each document's masked pieces, summed, float64 [d].
        pieces: number of masked pieces of each document, float64 [d]; 0 for a document that was not drawn.
    """

    nats: Floats
    pieces: Floats

    def save(self, path: Path) -> None:
        """Write the answers, atomically."""
        with atomic_write(path) as neighbour, neighbour.open("wb") as file:
            np.savez(file, nats=self.nats, asked=self.pieces)

    @classmethod
    def read(cls, path: Path) -> Answers:
        """Read what `save` wrote."""
        with np.load(path) as file:
            return cls(file["nats"], file["asked"])


def ask(
    model: Path | str,
    store: Path,
    made: Path,
    device: str,
    sequences: int | None,
    unit: MaskingUnit = SingleTokens(),  # noqa: B008 - it has no state
) -> None:
    """Evaluate a model on sequences of a store with 15 % of their tokens masked, the same for every model.

    Args:
        model: a folder or name.
        store: folder of the token store.
        made: file of the answers.
        device: cpu, cuda or auto.
        sequences: how many, 128 tokens each; None for all.
        unit: what is masked together.
    """
    text, speaker = TokenStore.open(store), language_model(model).to(device_of(device))
    drawn = PackedTexts(store=text, length=128, seed=0).plan(0).take(slice(0, sequences))
    owner = np.searchsorted(text.document_tokens, drawn.first[:, 0], side="right") - 1
    objective = MaskedLanguageModel(
        vocabulary=text.vocabulary, rates=Rates(share=0.15, mask=1.0, random=0.0), masking_unit=unit
    )
    read, targets = objective.prepare(gather(text, drawn.first, drawn.second, drawn.labels), child(0, "masks"))
    nats, counts = np.zeros(text.counts["documents"]), np.zeros(text.counts["documents"])
    for begin in range(0, len(read), _ROWS):
        rows = np.arange(begin, min(begin + _ROWS, len(read)))
        part, wanted = read.take(rows), targets.take(rows, read.starts)
        sequence = np.searchsorted(part.starts, wanted.positions, side="right") - 1
        np.add.at(nats, owner[rows][sequence], costs(speaker, part, wanted))
        np.add.at(counts, owner[rows][sequence], 1)
    Answers(nats, counts).save(made)


@torch.inference_mode()
def costs(model: LanguageModel, read: Instances, targets: Targets) -> Floats:
    """Return the negative natural log-probability of each masked piece, float64 [targets]."""
    device = model.encoder.device
    batch = Batch(*(torch.from_numpy(each) for each in (read.ids, read.segments, read.starts))).to(device)
    states = model.encoder(batch)[torch.from_numpy(targets.positions).to(device)]
    labels = torch.from_numpy(targets.labels).to(device)
    logs = model.log_probabilities(states).gather(1, labels[:, None])[:, 0]
    nats: Floats = -logs.double().numpy(force=True)
    return nats


def bits_per_character(answers: Sequence[Answers], text: StoreSizes, name: str) -> Scored:
    """Return the bits per character of one system's runs on a text; documents are resampled."""
    unit = text.tokens / text.characters / np.log(2)
    nats = [nats_per_piece(entry, name) for entry in answers]
    return Scored(unit * np.array([point for point, _ in nats]), unit * np.array([draws for _, draws in nats]))


def on_shared(answers: Mapping[str, Sequence[Answers]]) -> dict[str, list[Answers]]:
    """Return the answers on the documents alone that every run was asked about, so that differences are paired.

    With another vocabulary other pieces are masked, by chance none of a short document.

    Args:
        answers: name of a system -> the answers of its runs.
    """
    shared = np.all([each.pieces > 0 for runs in answers.values() for each in runs], axis=0)
    return {
        name: [Answers(each.nats * shared, each.pieces * shared) for each in runs] for name, runs in answers.items()
    }


def nats_per_piece(answers: Answers, name: str) -> tuple[float, Floats]:
    """Return one run's nats per piece on a text, and on its resampled documents, float64 [draws]."""
    there = answers.pieces > 0
    weights = item_weights(int(there.sum()), DRAWS, child(0, "items", name))
    draws = (weights @ answers.nats[there]) / (weights @ answers.pieces[there])
    return float(answers.nats.sum() / answers.pieces.sum()), draws
