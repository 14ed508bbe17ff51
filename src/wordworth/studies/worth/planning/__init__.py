"""Planning a study before its test labels exist: the smallest difference between two rungs that N labels would detect.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.

settings ─► labels so far, unlabelled texts ─► ladder ─► disagreement of each pair ─► Pair ─► Record
"""
