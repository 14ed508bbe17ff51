"""`TextClassifier` and `TextRegressor`: the rungs of the study `worth` as scikit-learn estimators.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.prediction_sets import prediction_sets
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.representations.random_seed_names import seed_names
from wordworth.representations.rung import RunContext
from wordworth.representations.rung_by_name import absolute, rung_of
from wordworth.sklearn.fitted_predictor import FittedPredictor, as_fitted
from wordworth.sklearn.fitted_representation import prepare
from wordworth.sklearn.label_column import classes_of, numbers_of
from wordworth.sklearn.parameters import RandomState, require_finetuning, require_metric_name, seed_of
from wordworth.sklearn.text_column import ReadsTexts, require_texts_to_learn
from wordworth.tasks.check_metric import require_metric
from wordworth.tasks.task import Examples, Labels, Task
from wordworth.tasks.task_types import get
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.tasks.task_types.regression import REGRESSION
from wordworth.text.windows import LongTexts, require_long_texts

Floats = NDArray[np.float64]


class _TextPredictor(ReadsTexts, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """What the classifier and the regressor share: a fit of a rung on texts and labels."""

    rung: str
    metric: str
    finetuning: FineTuning | None
    long_texts: LongTexts
    random_state: RandomState
    fitted_: FittedPredictor

    @property
    def chosen_(self) -> Mapping[str, object]:
        """Name of a setting that was chosen on the training labels alone -> its value, such as the view or C."""
        check_is_fitted(self, "fitted_")
        return self.fitted_.chosen

    def _fit(self, kind: str, texts: tuple[str, ...], labels: Labels, classes: tuple[str, ...]) -> None:
        """Fit the rung on all texts, and keep what it learned.

        Args:
            kind: the kind of task.
            texts: the training texts.
            labels: the labels of these texts, as in `Task.labels`.
            classes: names of the classes.
        """
        self._require_parameters(kind, classes)
        seed = seed_of(self.random_state)
        name = absolute(self.rung)
        rows = np.arange(len(texts))
        task = Task("texts", kind, Examples(texts), labels, classes, rows, rows[:0], self.metric)
        rung = rung_of(name, kind, self.finetuning)
        run_context = RunContext(seed=seed, long_texts=self.long_texts)
        learner = prepare(name, rung, task, run_context)
        predictor = learner.fit(rows, seeds.child(seed, "fit", seed_names([rung]).get(rung.name, self.rung)))
        self.fitted_ = as_fitted(name, run_context, predictor)

    def _require_parameters(self, kind: str, classes: tuple[str, ...]) -> None:
        """Check all parameters but the rung and the seed, which are checked where they are read."""
        require_metric_name(self.metric)
        require_metric(self.metric, get(kind), classes, where="metric")
        require_finetuning(self.finetuning)
        require_long_texts(self.long_texts)

    def _scores(self, X: Any) -> Floats:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Return the rung's predictions for texts, as in `Predictions`."""
        check_is_fitted(self, "fitted_")
        return self.fitted_.predict(self._texts_of(X, reset=False), self.long_texts)

    def _training_rows(
        self,
        X: Any,  # noqa: ANN401, N803 - scikit-learn's
        y: Any,  # noqa: ANN401 - scikit-learn's
        labels_of: Callable[[Any], NDArray[Any]],
    ) -> tuple[tuple[str, ...], NDArray[Any]]:
        """Return the texts of `X`, and the labels in `y` as `labels_of` checks and converts them.

        Raises:
            BadInput: there are no texts, no labels, or not as many labels as texts, or a label cannot be learned.
        """
        if y is None:
            what = f"{type(self).__name__} requires y to be passed, but the target y is None"
            raise BadInput(what, mend="give the label of every text: fit(texts, labels)")
        texts = self._texts_of(X, reset=True)
        require_texts_to_learn(texts)
        labels = labels_of(y)
        if len(texts) != len(labels):
            raise BadInput(f"{len(texts)} texts, but {len(labels)} labels", mend="give the label of every text")
        return texts, labels

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn has no types
        """Return scikit-learn's tags, which declare that the estimator reads texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.input_tags.allow_nan = True
        return tags


class TextClassifier(ClassifierMixin, _TextPredictor):  # type: ignore[misc]  # scikit-learn has no types
    """A classifier of texts: a text representation under a linear classifier, or a fine-tuned encoder.

        TextClassifier("minilm").fit(texts, labels).predict(["a quiet film"])

    The view (which features of the representation, such as a layer) and the regularisation are chosen by
    cross-validation on the texts and labels of `fit` alone, as in the study `worth`. A pickle holds the fitted
    classifier and what the representation learned from texts, not the weights of a model; a fine-tuned encoder is all
    weights, and cannot be pickled.

    Args:
        rung: the representation with its classifier, by its name in the study `worth` (`tfidf`, `glove`, `minilm`,
            `tfidf+minilm`, `minilm-finetuned`), or the folder of an encoder or of a static table.
        metric: metric by which settings are chosen: `accuracy`, `macro_f1`, `micro_f1`, `matthews`, or `f1:CLASS`.
        finetuning: settings of a fine-tuned rung, a `FineTuning`; None for the settings of the study `worth`.
        long_texts: how a frozen encoder reads a text longer than its window: `window`, `cut` or `error`.
        random_state: seed of everything that is random: a whole number, a `numpy.random.RandomState`, or None for
            another seed in every fit.

    Attributes:
        classes_: the distinct labels, sorted.
        chosen_: name of a setting that cross-validation chose -> its value.
        feature_names_in_: the name of the column, if it had one.
        calibration_: the temperature by which scores become probabilities.
    """

    def __init__(
        self,
        rung: str = "tfidf",
        *,
        metric: str = "accuracy",
        finetuning: FineTuning | None = None,
        long_texts: LongTexts = "window",
        random_state: RandomState = 0,
    ) -> None:
        self.rung = rung
        self.metric = metric
        self.finetuning = finetuning
        self.long_texts = long_texts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> TextClassifier:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Learn from texts and their labels.

        Args:
            X: a list, array or column of texts.
            y: the label of each text, numbers or strings.

        Raises:
            BadInput: there is no such rung or metric, `X` is not a column of texts, `y` does not have one label for
                each text, or all labels are the same.
        """
        texts, labels = self._training_rows(X, y, classes_of)
        self.classes_, indices = np.unique(labels, return_inverse=True)
        if len(self.classes_) == 1:
            what = f"the labels are all of one class, {self.classes_.tolist()[0]!r}"
            raise BadInput(what, mend="give texts of two classes or more")
        self._fit(CLASSIFICATION.name, texts, indices.astype(np.int64), _class_names(self.classes_))
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Return the class of each text, as an array [texts].

        Args:
            X: a list, array or column of texts.
        """
        scores = self._scores(X)
        return np.asarray(self.classes_[scores.argmax(1)])

    @property
    def calibration_(self) -> Calibration:
        """The temperature by which scores become probabilities, and the number of texts that it was fitted on."""
        check_is_fitted(self, "fitted_")
        return self.fitted_.calibration

    def predict_proba(self, X: Any) -> Floats:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Return the calibrated probability of each class, float64 [texts, classes].

        Scores are divided by a temperature before their softmax (Guo et al. 2017). The temperature, `calibration_`, is
        fitted on held-out folds of the training labels, or on the part that fine-tuning holds out. If `metric` is not
        accuracy, `predict` may favour rare classes for the sake of the metric. The probabilities favour no class, so
        that the predicted class need not be the most probable class.

        Args:
            X: a list, array or column of texts.
        """
        return self.calibration_.probabilities(self._scores(X))

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Return the natural logarithm of the probability of each class, float64 [texts, classes].

        Args:
            X: a list, array or column of texts.
        """
        return self.calibration_.log_probabilities(self._scores(X))

    def predict_set(self, X: Any) -> NDArray[np.bool_]:  # noqa: ANN401, N803 - scikit-learn's types, names like them
        """Return a prediction set for each text, bool [texts, classes], that holds the right class for 90 % of texts.

        The method is conformal prediction (Sadinle, Lei and Wasserman 2019): the 90 % hold for texts drawn from the
        same distribution as the training texts. The threshold comes from the labels that `calibration_` was fitted on;
        if there were none, every set has all classes. A set of several classes marks a text that is hard to classify.

        Args:
            X: a list, array or column of texts.
        """
        return prediction_sets(self.calibration_, self._scores(X))


class TextRegressor(RegressorMixin, _TextPredictor):  # type: ignore[misc]  # scikit-learn has no types
    """A regressor of texts: a text representation under a linear regression, or a fine-tuned encoder.

        TextRegressor("minilm").fit(texts, values).predict(["a quiet film"])

    Settings are chosen by cross-validation on the texts and numbers of `fit` alone. A pickle holds the fitted
    regression and what the representation learned from texts, not the weights of a model; a fine-tuned encoder cannot
    be pickled.

    Args:
        rung: the representation with its regression, by its name in the study `worth` (`tfidf`, `glove`, `minilm`,
            `tfidf+minilm`, `minilm-finetuned`), or the folder of an encoder or of a static table.
        metric: metric by which settings are chosen: `r2`, `spearman` or `pearson`.
        finetuning: settings of a fine-tuned rung, a `FineTuning`; None for the settings of the study `worth`.
        long_texts: how a frozen encoder reads a text longer than its window: `window`, `cut` or `error`.
        random_state: seed of everything that is random: a whole number, a `numpy.random.RandomState`, or None for
            another seed in every fit.

    Attributes:
        chosen_: name of a setting that cross-validation chose -> its value.
        feature_names_in_: the name of the column, if it had one.
    """

    def __init__(
        self,
        rung: str = "tfidf",
        *,
        metric: str = "r2",
        finetuning: FineTuning | None = None,
        long_texts: LongTexts = "window",
        random_state: RandomState = 0,
    ) -> None:
        self.rung = rung
        self.metric = metric
        self.finetuning = finetuning
        self.long_texts = long_texts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> TextRegressor:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Learn from texts and their numbers.

        Args:
            X: a list, array or column of texts.
            y: the number of each text.

        Raises:
            BadInput: there is no such rung or metric, `X` is not a column of texts, or `y` does not have one finite
                number for each text.
        """
        texts, labels = self._training_rows(X, y, numbers_of)
        self._fit(REGRESSION.name, texts, labels, ())
        return self

    def predict(self, X: Any) -> Floats:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Return the predicted number of each text, float64 [texts].

        Args:
            X: a list, array or column of texts.
        """
        return self._scores(X)


def _class_names(classes: NDArray[Any]) -> tuple[str, ...]:
    """Return the names of the classes as strings, or their indices if two classes have the same string."""
    names = tuple(map(str, classes.tolist()))
    return names if len(set(names)) == len(names) else tuple(map(str, range(len(names))))
