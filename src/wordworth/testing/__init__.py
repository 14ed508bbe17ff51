"""Conformance checks for your own encoders, rungs, tasks and objectives; Wordworth's own pass them too."""
