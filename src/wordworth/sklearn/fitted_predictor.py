"""The fitted model inside a scikit-learn estimator, which is pickled without the weights of a pretrained model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.representations.feature_rung import RepresentationPredictor
from wordworth.representations.heads.base import FittedHead
from wordworth.representations.heads.temperature_scaling import Calibration, calibration_of
from wordworth.representations.rung import Predictor, RunContext
from wordworth.sklearn.fitted_representation import FittedRepresentation
from wordworth.tasks.task import Examples
from wordworth.text.windows import LongTexts

Floats = NDArray[np.float64]
_KEEP = (
    "write it to a folder with wordworth.finetune(data=table, model=..., out=folder) and load that with "
    "wordworth.load_run(folder), or fit it again"
)


class FittedPredictor(Protocol):
    """The fitted model of an estimator: a text representation with a classifier or a regression, trained on labels."""

    @property
    def chosen(self) -> Mapping[str, object]:
        """Name of a setting that training chose -> its value."""
        ...

    @property
    def calibration(self) -> Calibration:
        """The calibration by which scores of classes become probabilities, such as a temperature."""
        ...

    def predict(self, texts: tuple[str, ...], long_texts: LongTexts) -> Floats:
        """Return the scores of the classes, float64 [texts, classes], or the predicted numbers, float64 [texts]."""
        ...


def as_fitted(name: str, run_context: RunContext, predictor: Predictor) -> FittedPredictor:
    """Return a predictor in the form that an estimator holds and pickles.

    Args:
        name: name of the model in the study `worth`, such as `tfidf`.
        run_context: seed and dtype of the fit.
        predictor: the predictor that the fit of the model returned.
    """
    if isinstance(predictor, RepresentationPredictor):
        return HeadOnFeatures(FittedRepresentation.of(name, run_context, predictor.learner), predictor.head)
    return WholePredictor(name, predictor)


@dataclass(frozen=True)
class HeadOnFeatures:
    """A fitted text representation with the fitted classifier or regression that reads its features."""

    representation: FittedRepresentation
    head: FittedHead

    @property
    def chosen(self) -> Mapping[str, object]:
        """Name of a setting that the head chose -> its value."""
        return self.head.chosen

    @property
    def calibration(self) -> Calibration:
        """How the scores of the head become probabilities."""
        return calibration_of(self.head)

    def predict(self, texts: tuple[str, ...], long_texts: LongTexts) -> Floats:
        """Return the head's predictions: scores, float64 [texts, classes], or numbers, float64 [texts]."""
        return np.asarray(self.head.predict(self.representation.views(texts, long_texts)[self.head.view]))


@dataclass(frozen=True)
class WholePredictor:
    """A fitted predictor that is kept whole in memory; if it is a trained encoder, it cannot be pickled."""

    name: str
    predictor: Predictor

    @property
    def chosen(self) -> Mapping[str, object]:
        """Name of a setting that training chose -> its value."""
        return self.predictor.chosen

    @property
    def calibration(self) -> Calibration:
        """How the scores of the predictor become probabilities."""
        return calibration_of(self.predictor)

    def predict(self, texts: tuple[str, ...], long_texts: LongTexts) -> Floats:  # noqa: ARG002 - it cuts long texts
        """Return the predictions: scores, float64 [texts, classes], or numbers, float64 [texts]."""
        return np.asarray(self.predictor.predict_texts(Examples(texts)))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle; the weights of a trained encoder are refused.

        Raises:
            BadInput: the predictor is a trained encoder.
        """
        from wordworth.representations.few_shot import FewShotPredictor
        from wordworth.representations.finetuned_encoder import FineTunedPredictor

        if isinstance(self.predictor, FineTunedPredictor | FewShotPredictor):
            what = f"{self.name!r} is all weights, and weights are not pickled"
            raise BadInput(what, mend=_KEEP if isinstance(self.predictor, FineTunedPredictor) else "fit it again")
        return dict(self.__dict__)
