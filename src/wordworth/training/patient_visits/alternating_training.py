"""`Alternation`: rounds of batches, first of pretraining, then of recommendation; and the training that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wordworth.measures.set_overlap import mean_average_precision
from wordworth.models.dropout import draw_from
from wordworth.progress import Step
from wordworth.text.medical_code_ontology import CodeGraph
from wordworth.text.patient_visits import Numbers, Visits
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.loop import BestWeights, Loop
from wordworth.training.lr_schedules import linear, within
from wordworth.training.optimizers import AdamW
from wordworth.training.patient_visits.pretraining import MaskedVisits
from wordworth.training.patient_visits.recommendation import VisitRecommendation, probabilities, rows_of
from wordworth.training.patient_visits.settings import VisitTrainingSettings
from wordworth.training.patient_visits.visit_model import VisitModel, new_model

PhasedBatch = tuple[bool, Numbers]
"""True for a batch of pretraining, with the numbers of its visits; else False, with the numbers of patients."""


@dataclass(frozen=True, slots=True)
class Alternation:
    """Batches in rounds: passes over visits for pretraining, then passes over patients for recommendation.

    Shang et al. 2019, section 4.3.

    Attributes:
        visits: batches of training visits, for pretraining.
        patients: batches of training patients, for recommendation.
        epochs: passes in each of the two parts of a round.
        pretrains: whether rounds have a pretraining part.
    """

    visits: BatchSampler
    patients: BatchSampler
    epochs: int
    pretrains: bool

    @property
    def seed(self) -> int:
        """The seed of all random numbers of a step."""
        return self.patients.seed

    @property
    def lengths(self) -> tuple[int, int]:
        """The numbers of updates of the two parts of a round: pretraining, and recommendation."""
        return self.pretrains * self.epochs * self.visits.batches_per_epoch, (
            self.epochs * self.patients.batches_per_epoch
        )

    def after(self, step: int) -> Iterator[PhasedBatch]:
        """Yield batches without end, beginning with the batch of a given step.

        Args:
            step: the step, from 0.
        """
        pretraining, recommending = self.lengths
        done, within_round = divmod(step, pretraining + recommending)
        first = min(within_round, pretraining)
        masked = self.visits.after(done * pretraining + first)
        whole = self.patients.after(done * recommending + within_round - first)
        while True:
            pretrains = step % (pretraining + recommending) < pretraining
            yield pretrains, next(masked if pretrains else whole)
            step += 1


@dataclass(frozen=True, slots=True)
class PatientSplit:
    """The indices of the patients for pretraining, training, validation and testing, int64 [n] each, ascending.

    Patients with a single visit serve pretraining alone.
    """

    pretraining: Numbers
    train: Numbers
    valid: Numbers
    test: Numbers


@dataclass(frozen=True, slots=True)
class VisitTraining:
    """The result of a finished training of a visit encoder.

    Attributes:
        model: the model, with the weights of its best round.
        rounds: mean average precision on validation visits after each round.
        best_round: the number of the best round, from 1.
    """

    model: VisitModel
    rounds: tuple[float, ...]
    best_round: int


def train(  # noqa: PLR0913 - what is trained on what, and how
    settings: VisitTrainingSettings,
    visits: Visits,
    split: PatientSplit,
    graphs: Sequence[CodeGraph | None],
    step: Step,
    *,
    pretrains: bool,
    seed: int,
) -> VisitTraining:
    """Train a visit encoder, and keep the weights of the round that is best on the validation patients.

    Args:
        settings: sizes and training settings.
        visits: all visits.
        split: the patients of each part.
        graphs: for inputs and targets, the ontology graph of their codes; None for a plain embedding.
        step: progress display, advanced by 1 for every update.
        pretrains: whether rounds begin with pretraining.
        seed: the seed of weights, order, masks and dropout.

    Raises:
        Diverged: a loss or gradient is not finite.
    """
    model = new_model(settings, visits, graphs, seed)
    batches = alternation(settings, visits, split, pretrains=pretrains, seed=seed)
    masked = MaskedVisits(model, visits, rows_of(visits, split.pretraining))
    whole = VisitRecommendation(model, visits, split.train)

    def objective(batch: PhasedBatch, generator: torch.Generator) -> Iterator[Tensor]:
        pretraining, numbers = batch
        return (masked if pretraining else whole)(numbers, generator)

    by_round = sum(batches.lengths)
    loop: Loop[PhasedBatch] = Loop(
        model,
        AdamW().build({model: settings.learning_rate}),
        within(linear, settings.rounds * by_round),
        batches,
        objective,
    )
    best, rounds = BestWeights(), list[float]()
    model.train()
    for done in loop.run():
        step.advance()
        if (done.step + 1) % by_round == 0:
            rounds.append(validation_score(model, visits, split.valid))
            best.offer(loop, rounds[-1])
        if len(rounds) == settings.rounds:
            break
    best.restore(loop)
    draw_from(model, None)
    return VisitTraining(model, tuple(rounds), best.step // by_round)


def alternation(
    settings: VisitTrainingSettings, visits: Visits, split: PatientSplit, *, pretrains: bool, seed: int
) -> Alternation:
    """Return the source of the batches of a training: rounds of pretraining and recommendation.

    Args:
        settings: the settings of the training.
        visits: all visits.
        split: the patients of each part.
        pretrains: whether rounds begin with pretraining.
        seed: the seed of the order of batches.
    """
    pretraining, training = (len(rows_of(visits, each)) for each in (split.pretraining, split.train))
    whole = max(1, round(settings.batch_size * len(split.train) / training))

    def sampler(number: int, size: int) -> BatchSampler:
        return BatchSampler(np.ones(number, dtype=np.int64), size, seed)

    by_visit, by_patient = sampler(pretraining, settings.batch_size), sampler(len(split.train), whole)
    return Alternation(by_visit, by_patient, settings.epochs, pretrains)


def validation_score(model: VisitModel, visits: Visits, patients: Numbers) -> float:
    """Return the mean average precision of the codes predicted for the visits of patients.

    The first visit of each patient is left out.

    Args:
        model: the model.
        visits: the visits of all patients.
        patients: int64 [patients], the indices of the patients.
    """
    rows = rows_of(visits, patients)
    truth = visits.targets.flags[rows[visits.predicted[rows]]]
    return mean_average_precision(truth, probabilities(model, visits, patients))
