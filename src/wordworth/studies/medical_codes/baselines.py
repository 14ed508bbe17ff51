"""Baselines: the most frequent codes, the last visit again, the nearest visits, logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix

from wordworth.measures.set_overlap import mean_average_precision
from wordworth.measures.weighted_sums import Flags, Floats, floats
from wordworth.progress import Step
from wordworth.sentence_formatting import count_of
from wordworth.studies.medical_codes.patient_split import predicted_rows
from wordworth.studies.medical_codes.scores import Answers
from wordworth.text.patient_visits import Numbers, Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit
from wordworth.training.patient_visits.visit_model import earlier_mean

FREQUENT, LAST, NEAREST, LOGISTIC = "most frequent", "last visit again", "nearest visits", "logistic regression"
BASELINES = (FREQUENT, LAST, NEAREST, LOGISTIC)
_NEIGHBOURS = (1, 5, 20)
_STRENGTHS = (0.1, 1.0, 10.0)
"""Inverse strengths of the penalty, `C` of scikit-learn."""
_TIE = 0.01
"""Weight of frequency where only the order of equal scores is meant: below every threshold."""
_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class _Data:
    """The visits of all patients, with the indices of the visits of each part at which codes are predicted.

    Attributes:
        features: float64 [visits, k], three blocks of columns: the mean input codes and the mean target codes of the
            patient's earlier visits, and the visit's own input codes.
        truth: bool [visits, codes], the target codes of each visit.
        before: bool [visits, codes], the target codes of the patient's previous visit; not used for first visits.
        train, valid, test: int64, indices of the training, validation and test visits.
    """

    features: csr_matrix
    truth: Flags
    before: Flags
    train: Numbers
    valid: Numbers
    test: Numbers

    @property
    def shares(self) -> Floats:
        """Share of training visits with each target code, float64 [codes]."""
        return floats(self.truth[self.train].mean(0))


def baselines(visits: Visits, split: PatientSplit, step: Step) -> Iterator[Answers]:
    """Yield the scores that each baseline predicts for every target code.

    A baseline with several possible settings uses the setting with the highest average precision on validation visits.

    Args:
        visits: the visits of all patients.
        split: the training, validation and test patients.
        step: advances by one for each baseline.
    """
    data = _data(visits, split)
    for name, learners in (
        (FREQUENT, [("", _frequent)]),
        (LAST, [("", _last)]),
        (
            NEAREST,
            [(count_of(count, "neighbour"), _nearest(count)) for count in _NEIGHBOURS if count <= len(data.train)],
        ),
        (LOGISTIC, [(f"C = {strength:g}", _logistic(strength)) for strength in _STRENGTHS]),
    ):
        yield _best(name, learners, data)
        step.advance()


_Learner = Callable[[_Data, Numbers], Floats]
"""Maps the data and numbers of visits to scores, float64 [n, codes]; it learns from the training visits."""


def _data(visits: Visits, split: PatientSplit) -> _Data:
    first, truth = torch.from_numpy(visits.first), visits.targets.flags
    inputs, targets = (torch.from_numpy(each.flags).double() for each in (visits.inputs, visits.targets))
    features = torch.cat([earlier_mean(inputs, first), earlier_mean(targets, first), inputs], dim=1)
    rows = (predicted_rows(visits, part) for part in (split.train, split.valid, split.test))
    return _Data(csr_matrix(features.numpy()), truth, np.roll(truth, 1, axis=0), *rows)


def _best(name: str, learners: Sequence[tuple[str, _Learner]], data: _Data) -> Answers:
    """Return the scores of the learner whose mean average precision on validation visits is the highest.

    Args:
        name: name of the baseline.
        learners: each setting of the baseline in words, with the learner of this setting.
        data: the visits.
    """
    scored = []
    for chosen, learner in learners:
        both = learner(data, np.concatenate([data.valid, data.test]))
        valid, test = both[: len(data.valid)], both[len(data.valid) :]
        score = mean_average_precision(data.truth[data.valid], valid)
        scored.append((score, Answers(name, valid[None], test[None], (chosen,))))
    return max(scored, key=lambda pair: pair[0])[1]


def _frequent(data: _Data, rows: Numbers) -> Floats:
    return np.tile(data.shares, (len(rows), 1))


def _last(data: _Data, rows: Numbers) -> Floats:
    return data.before[rows] + _TIE * data.shares


def _nearest(count: int) -> _Learner:
    """Return a learner that scores a code by its share in the `count` training visits nearest by cosine."""

    def learn(data: _Data, rows: Numbers) -> Floats:
        from sklearn.neighbors import NearestNeighbors

        index = NearestNeighbors(n_neighbors=count, metric="cosine").fit(data.features[data.train])
        near = index.kneighbors(data.features[rows], return_distance=False)
        return floats(data.truth[data.train][near].mean(1) + _TIE * data.shares)

    return learn


def _logistic(strength: float) -> _Learner:
    """Return a learner of a logistic regression for each code; `strength` is scikit-learn's C.

    A code that no training visit has, or every one, is scored by its share of training visits.
    """

    def learn(data: _Data, rows: Numbers) -> Floats:
        from sklearn.linear_model import LogisticRegression

        scores, learned = _frequent(data, rows), data.truth[data.train]
        for code in np.flatnonzero(learned.any(0) & ~learned.all(0)).tolist():
            model = LogisticRegression(C=strength, max_iter=_STEPS).fit(data.features[data.train], learned[:, code])
            scores[:, code] = model.predict_proba(data.features[rows])[:, 1]
        return scores

    return learn
