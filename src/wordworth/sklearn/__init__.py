"""Estimators for scikit-learn: the models of the study `worth` as a transformer, a classifier and a regressor of texts.

    from wordworth.sklearn import FineTuning, TextClassifier, TextEncoder, TextRegressor

The estimators read one column of texts, load models from this machine alone, and are pickled without the weights of a
model.
"""

from __future__ import annotations

from wordworth.representations.finetuning_settings import FineTuning
from wordworth.sklearn.predictors import TextClassifier, TextRegressor
from wordworth.sklearn.text_encoder import TextEncoder

__all__ = ["FineTuning", "TextClassifier", "TextEncoder", "TextRegressor"]
