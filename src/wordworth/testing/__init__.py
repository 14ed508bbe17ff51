"""Conformance checks for your own encoders, rungs, tasks and pretraining objectives; Wordworth's own pass them too.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""
