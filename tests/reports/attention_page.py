"""A page of attention maps of small made-up models, opened in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from chromium import Tab
from tests.measures.test_attention_maps import some_maps

from wordworth.measures.attention_maps import AttentionMaps, Vectors
from wordworth.reports import render
from wordworth.studies.attention.study import record_of

READY = "document.getElementById('viewer').dataset.ready === 'whole'"


def a_model(seed: int = 0, name: str = "before", **changes: Any) -> AttentionMaps:
    draw = np.random.default_rng(seed).standard_normal((2, 2, 3, 5, 4)).astype(np.float32)
    return some_maps(seed, name=name, second=3, vectors=Vectors(draw[0], draw[1]), **changes)


def opened(tab: Tab, folder: Path, *models: AttentionMaps, width: int = 1280, theme: str = "light") -> Path:
    path = folder / "report.html"
    record = record_of(models, {"name": "two texts"}, {"units": "words"}, {})
    path.write_text(render(record), encoding="utf-8")
    tab.open(path, width=width, theme=theme)
    settle(tab, READY)
    return path


def settle(tab: Tab, condition: str = "true") -> None:
    """Wait until a condition holds and two frames are drawn."""
    for _ in range(100):
        tab.send(
            "Runtime.evaluate",
            expression="new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
            awaitPromise=True,
        )
        if tab.value(condition):
            return
    raise AssertionError(condition)
