"""Statistics of all attention heads: streamed, and by maps that transformers returns and that are kept.

python benchmarks/attention_statistics.py --segments 1000 --rounds 3

Both read the same tokens with MiniLM, in a process of its own each time, and compute entropy, attention to kinds of
tokens, offsets and Jensen-Shannon divergences of all pairs of heads. The published way keeps the maps of all segments,
as attention-analysis does, and then goes through them by numpy.
"""

from __future__ import annotations

import sys
from pathlib import Path

import measure
from wordworth.cli.scripts import run_script

_TEXT = "The river, which was old, ran by the town; nobody in it had ever seen where it began, or asked. "


def main() -> None:
    """Run both ways in turns and report seconds, peak memory and their ratios."""
    options = measure.arguments(__doc__, segments=1_000, length=128, rounds=3)
    numbers = (options.segments, options.length, options.threads)
    runs = measure.in_processes(Path(__file__), tuple(WAYS), numbers, options.rounds)
    named = dict(zip(("segments", "length", "threads"), numbers, strict=True))
    spreads = measure.compared(runs, "kept maps")
    measure.report({**named, "rounds": options.rounds, **spreads}, options.out)


def way(name: str, segments: int, length: int, threads: int) -> None:
    """Compute the statistics one way and print what was measured.

    Args:
        name: `streamed` or `kept maps`.
        segments: number of segments.
        length: number of tokens of a segment.
        threads: number of threads of torch.
    """
    import torch

    torch.set_num_threads(threads)
    measure.report_way(lambda: WAYS[name](segments, length))


def streamed(number: int, length: int) -> float:
    """Compute the statistics as Wordworth does, as a stream; return the mean divergence."""
    from wordworth.models.read_encoder import read_encoder
    from wordworth.progress import SILENT
    from wordworth.sources import resolve
    from wordworth.studies.attention_patterns.head_attention_sums import head_sums
    from wordworth.studies.attention_patterns.token_segments import TokenKinds, drawn_segments

    encoder = read_encoder(resolve("minilm").folder)
    segments = drawn_segments(texts(number), encoder.tokenizer, number, length, 0)
    with SILENT.step("reading", number) as step:
        sums = head_sums(encoder.model, segments.tokens, TokenKinds(encoder.tokenizer), step)
    return float(sums.divergences.mean())


def kept_maps(number: int, length: int) -> float:
    """Compute the statistics as published, from the maps of all segments in memory; return the mean divergence."""
    import numpy as np
    import torch
    from transformers import AutoModel

    from wordworth.models.read_encoder import read_encoder
    from wordworth.sources import resolve
    from wordworth.studies.attention_patterns.token_segments import TokenKinds, drawn_segments

    folder = resolve("minilm").folder
    tokenizer = read_encoder(folder).tokenizer
    segments = drawn_segments(texts(number), tokenizer, number, length, 0).tokens
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


def texts(number: int) -> list[str]:
    """Return texts of more than a segment each."""
    return [f"{number_of_text} {_TEXT * 12}" for number_of_text in range(number)]


WAYS = {"streamed": streamed, "kept maps": kept_maps}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: way(sys.argv[2], *map(int, sys.argv[3:6])))
    else:
        run_script(main)
