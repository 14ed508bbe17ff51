"""Text representations with their classifiers, from TF-IDF to a fine-tuned encoder: the rungs, one file for each.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""
