"""Estimators for scikit-learn: rungs of the ladder as a transformer, a classifier and a regressor of texts.

    from wordworth.sklearn import FineTuning, TextClassifier, TextEncoder, TextRegressor

They read one column of texts, load models from this machine alone, and are pickled without the weights of a model.
"""

from __future__ import annotations

from wordworth.representations.finetuning_settings import FineTuning
from wordworth.sklearn.predictors import TextClassifier, TextRegressor
from wordworth.sklearn.text_encoder import TextEncoder

__all__ = ["FineTuning", "TextClassifier", "TextEncoder", "TextRegressor"]
