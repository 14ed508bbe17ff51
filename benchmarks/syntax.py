"""Time and memory of the probes of `study syntax`: ours, and a structural probe as published with full states kept.

    WORDWORTH_DATA=data python benchmarks/syntax.py --sentences 1000 --rounds 3 --threads 1 --whole 1

Both read the same sentences of English-EWT with MiniLM, in a process of its own each time, train a distance probe of
rank 64 on every layer by Adam for as many passes, a tenth of the rate after each without gain, and count the edges that
the best layer's finds in the dev part. The peer is what Hewitt and Manning (2019) publish, written anew: transformers,
one sentence at a time, the states of all pieces in all layers kept in float32, differences of all pairs of projected
words. `--whole N` also runs the whole study N times, from the treebank to the page, with an empty cache.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import measure
from wordworth.cli.scripts import run_script

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import torch

    from wordworth.models.text_encoder import TextEncoder
    from wordworth.studies.syntax.sampled_trees import SyntaxSample
    from wordworth.studies.syntax.treebank_word_vectors import Vectors

_RANK, _SEED = 64, 0


def main() -> None:
    """Run both ways in turns, and the whole study, and report seconds, memory and the share of edges found."""
    options = measure.arguments(__doc__, sentences=1_000, passes=10, rounds=3, whole=0)
    numbers = (options.sentences, options.passes, options.threads)
    runs = measure.in_processes(Path(__file__), tuple(WAYS), numbers, options.rounds)
    whole = measure.in_processes(Path(__file__), (WHOLE,), (2_000, options.passes, options.threads), options.whole)
    named = dict(zip(("sentences", "passes", "threads"), numbers, strict=True)) | {"rounds": options.rounds}
    studies = {
        f"{WHOLE}, {figure}": [run[figure] for run in whole[WHOLE]] for figure in ("seconds", "processor", "peak_gb")
    }
    measure.report({**named, **measure.compared(runs, "as published"), **studies}, options.out)


def way(name: str, sentences: int, passes: int, threads: int) -> None:
    """Train and measure the probes one way, and print the figures.

    Args:
        name: one of `WAYS`, or `WHOLE`.
        sentences: most sentences that train, and most that measure.
        passes: over those that train.
        threads: of torch.
    """
    import torch

    torch.set_num_threads(threads)
    if name == WHOLE:
        measure.report_way(lambda: whole_study(sentences))
        return
    encoder, sample = _sample(sentences)
    measure.report_way(lambda: WAYS[name](encoder, sample, passes))


def _sample(sentences: int) -> tuple[TextEncoder, SyntaxSample]:
    from minilm import minilm
    from wordworth.studies.syntax.sampled_trees import read_sample
    from wordworth.studies.syntax.settings import SyntaxSettings

    encoder = minilm("float32")
    return encoder, read_sample(encoder, SyntaxSettings(treebank="en_ewt", limit=sentences))


def ours(encoder: TextEncoder, sample: SyntaxSample, passes: int) -> float:
    """Train the probes as Wordworth does; return the share of edges that the best layer's probe finds."""
    from wordworth.progress import STILL
    from wordworth.studies.syntax.treebank_word_vectors import read_vectors

    vectors = read_vectors(encoder, [each.words for each in sample.sentences], STILL)
    layers = range(vectors.layers)
    return min(_our_probe(vectors.layer(layer, sample.split.train), sample, passes) for layer in layers)[1]


def _our_probe(words: Sequence[Vectors], sample: SyntaxSample, passes: int) -> tuple[float, float]:
    """Train a probe; return its loss on held-out sentences and the share of edges that it finds."""
    import torch

    from wordworth.studies.syntax.structural_probes import TRAINING, measured_scores
    from wordworth.training.loop import Loss
    from wordworth.training.probes.structural_probe import StructuralProbe, WordBatch
    from wordworth.training.probes.train_probe import train_probe

    split, probe = sample.split, StructuralProbe(words[0].shape[1], _RANK)
    probe.initialise(torch.Generator().manual_seed(_SEED))

    def loss(rows: np.ndarray, _: torch.Generator | None) -> Loss:
        return probe.distance_loss(WordBatch.of([words[row] for row in rows], [sample.trees[row] for row in rows]))

    training = replace(TRAINING, passes=passes, patience=passes)
    run = train_probe(probe, loss, split.train, split.held_out, training, seed=_SEED)
    scores = measured_scores(probe, "distance", split.test, words, sample.trees)
    return min(run.losses), float(scores.right.sum() / scores.total.sum())


def as_published(_: TextEncoder, sample: SyntaxSample, passes: int) -> float:
    """Train the probes as published, with all states in memory; return the share of edges of the best layer's probe."""
    import torch
    from transformers import AutoModel

    from wordworth.sources import resolve

    model = AutoModel.from_pretrained(resolve("minilm").folder).eval()
    with torch.inference_mode():
        kept = [
            torch.stack(model(torch.from_numpy(tokens.ids)[None].long(), output_hidden_states=True).hidden_states)[:, 0]
            for tokens in sample.tokens
        ]
    probes = list[tuple[float, float]]()
    for layer in range(len(kept[0])):
        words = [_mean_of_pieces(states[layer], row, sample) for row, states in enumerate(kept)]
        probes.append(_published_probe(words, sample, passes))
    return min(probes)[1]


def _mean_of_pieces(states: torch.Tensor, row: int, sample: SyntaxSample) -> torch.Tensor:
    """Return the mean of the states of each word's pieces, float32 [words, width]."""
    import torch

    words_of = torch.from_numpy(sample.tokens[row].words).long()
    return torch.stack([states[words_of == word].mean(0) for word in range(len(sample.sentences[row]))])


def _published_probe(words: Sequence[torch.Tensor], sample: SyntaxSample, passes: int) -> tuple[float, float]:
    """Train a probe; return its loss on held-out sentences and the share of edges that it finds."""
    import torch

    from wordworth.measures.tree_recovery import right_edges
    from wordworth.studies.syntax.structural_probes import TRAINING

    split, generator = sample.split, torch.Generator().manual_seed(_SEED)
    size = torch.cat([words[row] for row in split.train]).square().mean().sqrt()
    matrix = torch.empty(words[0].shape[1], _RANK).uniform_(-0.05, 0.05, generator=generator).requires_grad_()
    optimiser = torch.optim.Adam([matrix], lr=TRAINING.rate)
    falling = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, factor=TRAINING.decay, patience=0)

    def distances(rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        lengths = torch.tensor([len(words[row]) for row in rows])
        mapped = torch.nn.utils.rnn.pad_sequence([words[row] for row in rows], batch_first=True) / size @ matrix
        return (mapped[:, :, None] - mapped[:, None]).square().sum(-1), lengths

    def loss(rows: np.ndarray) -> torch.Tensor:
        predicted, lengths = distances(rows)
        true = torch.full_like(predicted, -1)
        for number, row in enumerate(rows):
            true[number, : lengths[number], : lengths[number]] = torch.from_numpy(sample.trees[row].distances)
        gaps = ((predicted - true).abs() * (true != -1)).sum((1, 2)) / lengths.square()
        return gaps.mean()

    def batches(rows: np.ndarray) -> list[np.ndarray]:
        return [rows[start : start + TRAINING.batch_size] for start in range(0, len(rows), TRAINING.batch_size)]

    best = (float("inf"), matrix.detach().clone())
    for _ in range(passes):
        for rows in batches(split.train[torch.randperm(len(split.train), generator=generator).numpy()]):
            optimiser.zero_grad()
            loss(rows).backward()  # type: ignore[no-untyped-call]  # torch's own
            optimiser.step()
        with torch.no_grad():
            of_held_out = [float(loss(rows)) * len(rows) for rows in batches(split.held_out)]
        held_out = sum(of_held_out) / len(split.held_out)
        falling.step(held_out)
        best = min(best, (held_out, matrix.detach().clone()), key=lambda each: each[0])
    matrix.data = best[1]
    with torch.no_grad():
        edges = [
            right_edges(sample.trees[row], predicted[:length, :length].double().numpy())
            for rows in batches(split.test)
            for row, predicted, length in zip(rows, *distances(rows), strict=True)
        ]
    return best[0], sum(right for right, _ in edges) / sum(total for _, total in edges)


def whole_study(sentences: int) -> float:
    """Run the whole study with an empty cache; return the share of edges that the best layer's probe finds."""
    import wordworth as ww
    from wordworth.files import cache_folder

    models = cache_folder() / "models"
    with TemporaryDirectory() as folder:
        os.environ["WORDWORTH_CACHE"] = folder
        if models.exists():
            (Path(folder) / "models").symlink_to(models)
        record = ww.study_syntax("en_ewt", limit=sentences, out=Path(folder) / "run")
        probes = record.table("probes")
        return float(probes.query("chosen and probe == 'distance' and source == 'model'")["share"].iloc[0])


WHOLE = "the whole study"
WAYS = {"ours": ours, "as published": as_published}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: way(sys.argv[2], *map(int, sys.argv[3:6])))
    else:
        run_script(main)
