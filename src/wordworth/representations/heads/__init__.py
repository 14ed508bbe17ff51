"""Heads: the estimators that learn labels from the features of texts, such as logistic regression or a CRF."""
