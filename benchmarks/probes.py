"""Several probes on one pass of an encoder, beside the pass alone and beside a pass for each probe.

python benchmarks/probes.py --texts 512 --words 20 --probes 8 --rounds 15

Probes read the last layer of MiniLM, or mix all of its layers. Seconds are those of the processor, one thread, so that
other work on the machine counts little; the ways take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

import measure
from minilm import minilm
from wordworth.cli.scripts import run_script
from wordworth.inference.frozen_probes import FrozenProbe, Probes
from wordworth.models.text_encoder import TextEncoder
from wordworth.training.probes.saved_probe import SavedProbe

_CLASSES = 4
_LAST = "the probes of the last layer, on states at hand"
_EVERY = "the probes that mix all layers, on states at hand"
_WORDS = ("river", "old", "town", "began", "nobody", "asked", "where", "ran", "seen", "which")


def main() -> None:
    """Time the ways in turns and report each beside the pass alone."""
    options = measure.arguments(__doc__, texts=512, words=20, probes=8, rounds=15)
    torch.set_num_threads(1)
    encoder = minilm("float32")
    texts = random_texts(options.texts, options.words)
    last, every = (encoder.depth,), tuple(range(encoder.depth + 1))
    single, several, mixes = (
        random_probes(encoder, *of) for of in ((last, 1), (last, options.probes), (every, options.probes))
    )
    heads = _logistic(encoder, texts, options.probes)

    def scikit_learn() -> None:
        vectors = encoder.encode(texts, long_texts="window")
        for head in heads:
            head.predict_proba(vectors)

    of_last, of_every = (encoder.pooled_layers(texts, layers=layers) for layers in (last, every))
    works: dict[str, Callable[[], Any]] = {
        "the pass alone": lambda: encoder.encode(texts, long_texts="window"),
        "one probe": lambda: single.scores(texts),
        f"{options.probes} probes of the last layer": lambda: several.scores(texts),
        f"{options.probes} probes that mix all layers": lambda: mixes.scores(texts),
        f"{options.probes} heads of scikit-learn on the vectors": scikit_learn,
        _LAST: lambda: [probe.scores(of_last) for probe in several.probes.values()],
        _EVERY: lambda: [probe.scores(of_every) for probe in mixes.probes.values()],
    }
    seconds = in_turns(works, options.rounds)
    without = {name: seconds.pop(name) for name in (_LAST, _EVERY)}
    sizes = {"texts": options.texts, "words": options.words, "probes": options.probes, "rounds": options.rounds}
    shares = shares_of(without, seconds["the pass alone"])
    measure.report({**sizes, **over(seconds, "the pass alone"), **shares}, options.out)


def shares_of(parts: dict[str, list[float]], whole: list[float]) -> dict[str, measure.Spread]:
    """Return the spread of what each part takes of the whole in the same round, in percent."""
    return {
        f"{name}, percent of the pass": measure.Spread.of(
            [100 * own / all_of for own, all_of in zip(times, whole, strict=True)]
        )
        for name, times in parts.items()
    }


def over(seconds: dict[str, list[float]], base: str) -> dict[str, measure.Spread]:
    """Return the spread of each way's seconds, and of what it takes over `base` in the same round, in percent."""
    figures = {name: measure.Spread.of(times) for name, times in seconds.items()}
    for name in seconds.keys() - {base}:
        pairs = zip(seconds[name], seconds[base], strict=True)
        figures[f"{name}, percent over {base}"] = measure.Spread.of([100 * (own / less - 1) for own, less in pairs])
    return figures


def random_texts(number: int, words: int) -> list[str]:
    """Return texts of so many words each."""
    rng = np.random.default_rng(0)
    return [" ".join(rng.choice(_WORDS, words)) for _ in range(number)]


def in_turns(works: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Return the processor's seconds of each way by round, after a round that warms up."""
    names, seconds = list(works), {name: list[float]() for name in works}
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            began = time.process_time()
            works[name]()
            if number:
                seconds[name].append(time.process_time() - began)
    return seconds


def random_probes(encoder: TextEncoder, layers: tuple[int, ...], number: int) -> Probes:
    """Return probes with random weights."""
    draw = torch.Generator().manual_seed(0)
    width, classes = encoder.model.width, tuple(map(str, range(_CLASSES)))
    shares = torch.full((len(layers),), 1 / len(layers))
    made = [
        SavedProbe(layers, shares, torch.randn(_CLASSES, width, generator=draw), torch.zeros(_CLASSES))
        for _ in range(number)
    ]
    return Probes({str(n): FrozenProbe(encoder, probe, "classification", classes) for n, probe in enumerate(made)})


def _logistic(encoder: TextEncoder, texts: list[str], number: int) -> list[LogisticRegression]:
    vectors, rng = encoder.encode(texts, long_texts="window"), np.random.default_rng(1)
    return [LogisticRegression(tol=10.0).fit(vectors, rng.integers(_CLASSES, size=len(texts))) for _ in range(number)]


if __name__ == "__main__":
    run_script(main)
