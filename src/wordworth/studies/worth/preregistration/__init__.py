"""Preregistration: a file of everything that decides a study's verdict, with a hash, written before the study.

settings, task, models ─► contents ─► Preregistration (preregistration.json) ─► later: contents again ─► Adherence
"""
