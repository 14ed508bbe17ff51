"""Run G-BERT with and without graph and pretraining, and the baselines, for the study `codes`; cache each result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.progress import Progress, Step
from wordworth.studies.medical_codes.baselines import BASELINES, baselines
from wordworth.studies.medical_codes.scores import Answers
from wordworth.studies.medical_codes.settings import CodesSettings
from wordworth.studies.study_result_cache import Arrays, FinishedParts
from wordworth.text.medical_code_ontology import CodeGraph
from wordworth.text.patient_visits import Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit, alternation, train
from wordworth.training.patient_visits.recommendation import probabilities

BOTH, GRAPH, PRETRAINING, NEITHER = "G-BERT", "graph alone", "pretraining alone", "neither"


@dataclass(frozen=True, slots=True)
class TrainedSystem:
    """A trained system of the study `codes`: G-BERT with or without its graph and its pretraining.

    Attributes:
        name: name of the system.
        graph: whether codes are embedded by graph attention over the ontology.
        pretrains: whether the network is pretrained.
    """

    name: str
    graph: bool
    pretrains: bool


TRAINED_SYSTEMS = (
    TrainedSystem(BOTH, True, True),
    TrainedSystem(GRAPH, True, False),
    TrainedSystem(PRETRAINING, False, True),
    TrainedSystem(NEITHER, False, False),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The data and settings that all systems of the study `codes` share.

    Attributes:
        settings: the settings of the study.
        visits: the visits of all patients.
        split: the training, validation and test patients.
        graphs: the graphs of the input codes and of the target codes; None for a kind of codes without an ontology.
    """

    settings: CodesSettings
    visits: Visits
    split: PatientSplit
    graphs: tuple[CodeGraph | None, CodeGraph | None]


def all_answers(subject: Subject, parts: FinishedParts, progress: Progress) -> list[Answers]:
    """Return the predicted scores of every trained system, then of every baseline.

    Args:
        subject: the data and settings that the systems share.
        parts: the disk cache, from which finished trainings are read and to which new ones are written.
        progress: receives progress, in updates of weights.
    """
    settings = subject.settings
    with progress.step("baselines", len(BASELINES)) as step:
        arrays = parts.arrays(("baselines",), lambda: _packed(list(baselines(subject.visits, subject.split, step))))
    answers, updates = _unpacked(arrays), {system.name: _updates(subject, system) for system in TRAINED_SYSTEMS}
    made = list[Answers]()
    with progress.step("training", settings.runs * sum(updates.values())) as step:
        for system in TRAINED_SYSTEMS:
            runs = [_run(subject, system, run, parts, step, updates[system.name]) for run in range(settings.runs)]
            rounds = tuple(f"round {int(each['round'])} of {settings.rounds}" for each in runs)
            valid, test = (np.stack([each[name] for each in runs]) for name in ("valid", "test"))
            made.append(Answers(system.name, valid, test, rounds))
    return made + answers


def _updates(subject: Subject, system: TrainedSystem) -> int:
    batches = alternation(subject.settings, subject.visits, subject.split, pretrains=system.pretrains, seed=0)
    return subject.settings.rounds * sum(batches.lengths)


def _run(subject: Subject, system: TrainedSystem, run: int, parts: FinishedParts, step: Step, updates: int) -> Arrays:
    """Return the predicted scores and the best round of one training of a system, from the cache or else computed.

    Args:
        subject: the data and settings that the systems share.
        system: the system.
        run: number of the training, from 0, which decides its seed; the seed is the same for all systems.
        parts: the disk cache.
        step: advances by the updates of the training.
        updates: number of updates of the training.
    """
    settings, visits, split = subject.settings, subject.visits, subject.split

    def compute() -> Arrays:
        graphs = subject.graphs if system.graph else (None, None)
        seed = seeds.child_seed(settings.seed, "codes", "run", run)
        done = train(settings, visits, split, graphs, step, pretrains=system.pretrains, seed=seed)
        valid, test = (probabilities(done.model, visits, part) for part in (split.valid, split.test))
        return {"valid": valid, "test": test, "round": np.array(done.best_round)}

    return parts.arrays((system.name, run), compute, step, updates)


def _packed(answers: Sequence[Answers]) -> Arrays:
    arrays: dict[str, np.ndarray] = {}
    for each in answers:
        arrays |= {f"{each.system}/valid": each.valid, f"{each.system}/test": each.test}
        arrays[f"{each.system}/chosen"] = np.array(each.chosen, dtype=np.str_)
    return arrays


def _unpacked(arrays: Arrays) -> list[Answers]:
    return [
        Answers(
            name, arrays[f"{name}/valid"], arrays[f"{name}/test"], tuple(map(str, arrays[f"{name}/chosen"].tolist()))
        )
        for name in BASELINES
    ]
