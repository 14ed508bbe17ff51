"""Planning a study before its test labels exist: the smallest difference between two rungs that N labels would detect.

settings ─► labels so far, unlabelled texts ─► ladder ─► disagreement of each pair ─► Pair ─► Record

A rung is one way of turning text into predictions.
"""
