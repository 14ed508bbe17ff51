"""Colour and marker of each model in the charts of a `finetuning` record."""

from __future__ import annotations

from wordworth.reports.charts.palette import SeriesStyle

RUN, SEED, RANDOM, START, SCRATCH, UNSEEN = (
    SeriesStyle(6, "circle"),
    SeriesStyle(4, "diamond"),
    SeriesStyle(0, "square"),
    SeriesStyle(1, "cross"),
    SeriesStyle(7, "triangle"),
    SeriesStyle(3, "down"),
)
"""The run, a run of a second seed, random weights, the start, a run from scratch, and the run on unseen rows."""
