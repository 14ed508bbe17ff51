"""Planning a study before its test labels exist: the smallest difference of two rungs that N of them would show.

settings ─► labels so far, unlabelled texts ─► ladder ─► disagreement of each pair ─► Pair ─► Record
"""
