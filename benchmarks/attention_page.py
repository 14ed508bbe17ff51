"""The page of attention maps in a browser: its size, the time until it is drawn, and frames a second as heads turn.

python benchmarks/attention_page.py --rounds 5

Maps are those of MiniLM over a part of the README, its six layers twice, with queries and keys of 64 numbers: 12 layers
of 12 heads, as BERT-base has them; their own figures stand in for those of random weights. A headless Chromium without
a network opens each page anew every round. Where bertviz is installed, its pages of the same maps are made in the same
run; they load scripts from elsewhere, so that only their size and the seconds to make them are compared.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
import time
from bisect import bisect
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import measure
from wordworth.cli.scripts import run_script
from wordworth.measures.attention_maps import AttentionMaps, Vectors
from wordworth.models.pruning import load_with_heads
from wordworth.reports import render
from wordworth.studies.attention.read_maps import read_maps
from wordworth.studies.attention.study import record_of
from wordworth.studies.attention.tables import tables_of

ROOT = Path(__file__).parents[1]
FRAMES = 120
_OPENED = """new Promise(done => {
  const ready = () => document.getElementById('viewer').dataset.ready;
  const wait = () => requestAnimationFrame(ready() ? () => done(performance.now()) : wait);
  wait();
})"""
_WHOLE = """new Promise(done => {
  const wait = () => document.getElementById('viewer').dataset.ready === 'whole' ? done(performance.now())
    : requestAnimationFrame(wait);
  wait();
})"""
_TURNED = """new Promise(done => {
  const stage = document.querySelector('.stage');
  const head = document.getElementById('show-head');
  const press = key => stage.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  let [frame, way, began, last] = [0, 'ArrowRight', performance.now(), performance.now()];
  const frames = [];
  const turn = () => {
    const now = performance.now();
    if (frame) frames.push(now - last);
    last = now;
    if (frame === FRAMES) return done({ seconds: (now - began) / 1000, longest: Math.max(...frames) });
    frame += 1;
    if (head.value === '12') way = 'ArrowLeft';
    if (head.value === '1') way = 'ArrowRight';
    press(frame % 12 === 0 ? (frame % 24 ? 'ArrowUp' : 'ArrowDown') : way);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})""".replace("FRAMES", str(FRAMES))


def main() -> None:
    """Measure pages of 128 and 512 tokens, beside bertviz where it is installed."""
    options = measure.arguments(__doc__, rounds=5)
    results: dict[str, Any] = {"rounds": options.rounds}
    with tempfile.TemporaryDirectory() as folder:
        for tokens in (128, 512):
            maps = maps_of(tokens)
            results[f"{tokens} tokens"] = {
                **made(maps, Path(folder) / f"{tokens}.html"),
                **opened(Path(folder) / f"{tokens}.html", options.rounds),
            }
        results["bertviz, 128 tokens"] = bertviz_pages(maps_of(128)) if find_spec("bertviz") else "not installed"
    measure.report(results, options.out)


def maps_of(tokens: int) -> AttentionMaps:
    """Return maps of 12 layers of 12 heads over so many tokens."""
    encoder = dataclasses.replace(load_with_heads("minilm"), max_length=512)
    words = (ROOT / "README.md").read_text(encoding="utf-8").split()
    number = bisect(range(len(words)), tokens, key=lambda count: _length(encoder, words[:count])) - 1
    short = tokens - _length(encoder, words[:number])
    maps = read_maps(encoder, [" ".join(words[:number]) + " ." * short], "minilm")
    assert maps.vectors is not None
    twice = (np.concatenate([np.concatenate([each, each])] * 2, -1) for each in (maps.vectors.query, maps.vectors.key))
    return dataclasses.replace(maps, weights=np.concatenate([maps.weights] * 2), vectors=Vectors(*twice))


def _length(encoder: Any, words: list[str]) -> int:
    return len(encoder.tokenizer.encode([" ".join(words)])[0])


def made(maps: AttentionMaps, path: Path) -> dict[str, Any]:
    """Write the page of maps; return its size, the seconds that it took, and what was left out."""
    began = time.perf_counter()
    record = record_of([maps], {"name": "README"}, {"units": "words"}, {}, tables_of([maps.by_words()]))
    path.write_text(render(record), encoding="utf-8")
    left_out = {
        finding.name: dict(finding.numbers)
        for finding in record.warnings
        if finding.name in {"warning.layers", "warning.small_weights", "warning.vectors"}
    }
    seconds = time.perf_counter() - began
    return {"megabytes": path.stat().st_size / 1e6, "seconds to make": seconds, "left out": left_out}


def opened(path: Path, rounds: int) -> dict[str, Any]:
    """Open a page anew each round; return milliseconds until it is drawn and whole, and frames a second."""
    sys.path.append(str(ROOT))
    from tests.reports.chromium import chromium, installed

    program = installed()
    assert program is not None, "Chromium is not installed"
    figures: dict[str, list[float]] = {}
    with chromium(program) as tab:
        for _ in range(rounds):
            tab.open(path)
            drawn, whole = _promise(tab, _OPENED), _promise(tab, _WHOLE)
            turned = _promise(tab, _TURNED)
            measured = {
                "milliseconds until drawn": drawn,
                "milliseconds until whole": whole,
                "frames a second": FRAMES / turned["seconds"],
                "longest frame in milliseconds": turned["longest"],
            }
            for name, value in measured.items():
                figures.setdefault(name, []).append(value)
    return {name: measure.Spread.of(values) for name, values in figures.items()}


def _promise(tab: Any, script: str) -> Any:
    answer = tab.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in answer, answer
    return answer["result"]["value"]


def bertviz_pages(maps: AttentionMaps) -> Mapping[str, Any]:
    """Make bertviz's pages of the same maps; return their sizes, seconds and the scripts that they load."""
    import torch
    from bertviz import head_view, model_view

    attention = [torch.from_numpy(layer)[None] for layer in maps.weights]
    results: dict[str, Any] = {}
    for name, view in (("head view", head_view), ("model view", model_view)):
        began = time.perf_counter()
        html = view(attention, list(maps.tokens), html_action="return").data
        results[name] = {
            "megabytes": len(html.encode()) / 1e6,
            "seconds to make": time.perf_counter() - began,
            "loads from elsewhere": html.count("cdnjs.cloudflare.com"),
        }
    return results


if __name__ == "__main__":
    run_script(main)
