"""Statistics of all attention heads: streamed, and by maps that transformers returns and that are kept.

python benchmarks/attention_statistics.py --segments 1000 --rounds 3

Both read the same tokens with MiniLM, in a process of its own each time, and compute entropy, attention to kinds of
tokens, offsets and Jensen-Shannon divergences of all pairs of heads. The published way keeps the maps of all segments,
as attention-analysis does, and then goes through them by numpy.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import measure

_TEXT = "The river, which was old, ran by the town; nobody in it had ever seen where it began, or asked. "


def main() -> None:
    """Run both ways in turns and report seconds, peak memory and their ratios."""
    options = measure.arguments(__doc__, segments=1_000, length=128, rounds=3)
    runs: dict[str, list[dict[str, float]]] = {"streamed": [], "kept maps": []}
    for number in range(options.rounds):
        names = list(runs) if number % 2 == 0 else list(runs)[::-1]
        for name in names:
            runs[name].append(_run(name, options.segments, options.length, options.threads))
    ratios = [slow["seconds"] / fast["seconds"] for slow, fast in zip(runs["kept maps"], runs["streamed"], strict=True)]
    memory = [slow["peak_gb"] / fast["peak_gb"] for slow, fast in zip(runs["kept maps"], runs["streamed"], strict=True)]
    differences = [
        abs(slow["check"] - fast["check"]) for slow, fast in zip(runs["kept maps"], runs["streamed"], strict=True)
    ]
    spreads = {
        f"{name}, {figure}": measure.Spread.of([run[figure] for run in of])
        for name, of in runs.items()
        for figure in ("seconds", "peak_gb")
    }
    measure.report(
        {
            "segments": options.segments,
            "length": options.length,
            "rounds": options.rounds,
            "threads": options.threads,
            **spreads,
            "times faster": measure.Spread.of(ratios),
            "times less memory": measure.Spread.of(memory),
            "largest difference of the mean divergence": max(differences),
        },
        options.out,
    )


def _run(name: str, segments: int, length: int, threads: int) -> dict[str, float]:
    """Run one way in a process of its own; return its seconds, peak memory in GB and mean divergence."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, str(Path(__file__).resolve()), "--way", name, str(segments), str(length), str(threads)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def way(name: str, segments: int, length: int, threads: int) -> None:
    """Compute the statistics one way and print what was measured.

    Args:
        name: `streamed` or `kept maps`.
        segments: number of segments.
        length: tokens of a segment.
        threads: of torch.
    """
    import torch

    torch.set_num_threads(threads)
    began = time.perf_counter()
    check = streamed(segments, length) if name == "streamed" else kept_maps(segments, length)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"seconds": seconds, "peak_gb": peak, "check": check}))


def streamed(number: int, length: int) -> float:
    """Our way; returns the mean divergence."""
    from wordworth.models.read_encoder import read_encoder
    from wordworth.progress import SILENT
    from wordworth.sources import resolve
    from wordworth.studies.patterns.head_sums import head_sums
    from wordworth.studies.patterns.segments import TokenKinds, drawn_segments

    encoder = read_encoder(resolve("minilm").folder)
    segments = drawn_segments(_texts(number), encoder.tokenizer, number, length, 0)
    with SILENT.step("reading", number) as step:
        sums = head_sums(encoder.model, segments.tokens, TokenKinds(encoder.tokenizer), step)
    return float(sums.divergences.mean())


def kept_maps(number: int, length: int) -> float:
    """The published way; returns the mean divergence."""
    import numpy as np
    import torch
    from transformers import AutoModel

    from wordworth.models.read_encoder import read_encoder
    from wordworth.sources import resolve
    from wordworth.studies.patterns.segments import TokenKinds, drawn_segments

    folder = resolve("minilm").folder
    tokenizer = read_encoder(folder).tokenizer
    segments = drawn_segments(_texts(number), tokenizer, number, length, 0).tokens
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    maps = []
    with torch.inference_mode():
        for tokens in segments:
            layers = model(torch.from_numpy(tokens.ids)[None], output_attentions=True).attentions
            maps.append(torch.cat([layer[0] for layer in layers]).numpy())
    kinds, total, divergences = TokenKinds(tokenizer), 0.0, np.zeros((len(maps[0]),) * 2)
    for tokens, attention in zip(segments, maps, strict=True):
        kind = kinds.of(tokens)
        smooth = 0.9999 * attention + 0.0001 / attention.shape[-1]
        total += float(-(smooth * np.log(smooth)).sum(-1).mean())
        for mask in (kind.separator, kind.special, kind.punctuation):
            total += float(attention[:, :, mask].sum(-1).mean())
        for offset in range(-10, 11):
            total += float(np.diagonal(attention, offset, 1, 2).mean())
        weights = 0.999 * attention + 0.001 / attention.shape[-1]
        for head, own in enumerate(weights):
            middle = (own + weights) / 2
            apart = (own * np.log(own / middle) + weights * np.log(weights / middle)).sum(-1) / 2
            divergences[head] += apart.sum(-1)
    assert np.isfinite(total)
    return float(divergences.mean() / sum(map(len, segments)))


def _texts(number: int) -> list[str]:
    return [f"{number_of_text} {_TEXT * 12}" for number_of_text in range(number)]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        way(sys.argv[2], *map(int, sys.argv[3:6]))
    else:
        main()
