"""Time and memory of a dependency probe over attention: ours, and the maps of transformers with a linear map of torch.

WORDWORTH_DATA=data python benchmarks/dependency_probe.py --sentences 400 --rounds 3

Both read the same sentences of a treebank with MiniLM, in a process of its own each time, train the probe that Clark et
al. (2019) call attention-only on one half, by Adam at one rate for as many passes, and count the syntactic heads
that it finds in the other half. The peer is what one writes: `output_attentions=True` under the eager kernel, all
maps by words kept in float32, `torch.nn.Linear` over the maps of each pair of words.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import measure
from wordworth.cli.scripts import run_script

if TYPE_CHECKING:
    import torch

    from wordworth.models.text_encoder import TextEncoder
    from wordworth.studies.treebank_sample import DrawnSentences
    from wordworth.text.treebank import DependencySentence

_RATE, _BATCH = 0.03, 8


def main() -> None:
    """Run both ways in turns and report seconds, peak memory, their ratios, and the share of heads found."""
    options = measure.arguments(__doc__, sentences=400, passes=10, rounds=3)
    numbers = (options.sentences, options.passes, options.threads)
    runs = measure.in_processes(Path(__file__), tuple(WAYS), numbers, options.rounds)
    named = dict(zip(("sentences", "passes", "threads"), numbers, strict=True))
    measure.report({**named, "rounds": options.rounds, **measure.compared(runs, "maps kept")}, options.out)


def way(name: str, sentences: int, passes: int, threads: int) -> None:
    """Train the probe one way and print what was measured.

    Args:
        name: one of `WAYS`.
        sentences: number of sentences, of which half train.
        passes: over these.
        threads: of torch.
    """
    import torch

    torch.set_num_threads(threads)
    encoder, drawn = _drawn(sentences)
    measure.report_way(lambda: WAYS[name](encoder, drawn, passes))


def _drawn(number: int) -> tuple[TextEncoder, DrawnSentences]:
    from wordworth.models.read_encoder import read_encoder
    from wordworth.sources import resolve
    from wordworth.studies.treebank_sample import drawn_sentences, treebank_path
    from wordworth.text.treebank import read_treebank

    encoder = read_encoder(resolve("minilm").folder)
    return encoder, drawn_sentences(encoder, read_treebank(treebank_path("en_ewt")), number, 0)


def ours(encoder: TextEncoder, drawn: DrawnSentences, passes: int) -> float:
    """Train the probe as Wordworth does; return the share of syntactic heads that it finds."""
    from wordworth.progress import STILL
    from wordworth.studies.syntactic_relations.dependency_probe_inputs import ProbeInputs
    from wordworth.studies.syntactic_relations.probe_training import right_words
    from wordworth.training.loop import Loss
    from wordworth.training.probes.dependency_probes import AttentionProbe
    from wordworth.training.probes.train_probe import ProbeTraining, train_probe
    from wordworth.training.probes.word_pairs import WordPairs

    inputs = ProbeInputs.of(encoder.model, drawn.tokens, drawn.sentences)
    rows = np.arange(len(drawn.tokens))
    half = len(rows) // 2
    kept = inputs.keep(encoder.model, rows[:half], STILL)
    probe = AttentionProbe(kept.sentences[0].maps.shape[1])

    def loss(chosen: np.ndarray, _: torch.Generator | None) -> Loss:
        pairs = WordPairs.of([kept.sentences[row] for row in chosen], kept.scale)
        return pairs.loss(probe(pairs))

    training = ProbeTraining(rate=_RATE, batch_size=_BATCH, passes=passes, patience=passes)
    train_probe(probe, loss, rows[: half - _BATCH], rows[half - _BATCH : half], training, seed=0)
    right = right_words([probe], inputs.read(encoder.model, rows[half:], STILL), kept.scale)
    return float(right.sum() / drawn.word_counts[half:].sum())


def maps_kept(_: TextEncoder, drawn: DrawnSentences, passes: int) -> float:
    """Train the probe over maps of transformers in memory; return the share of syntactic heads that it finds."""
    import torch
    from transformers import AutoModel

    from wordworth.sources import resolve

    model = AutoModel.from_pretrained(resolve("minilm").folder, attn_implementation="eager").eval()
    kept = []
    with torch.inference_mode():
        for tokens, sentence in zip(drawn.tokens, drawn.sentences, strict=True):
            layers = model(torch.from_numpy(tokens.ids)[None].long(), output_attentions=True).attentions
            kept.append(_by_words(torch.cat([layer[0] for layer in layers]), tokens.words, len(sentence)))
    half = len(kept) // 2
    every = torch.cat([maps.flatten(0, 1) for maps in kept[:half]])
    scale = 1 / every.std(0).clamp(min=1e-6)
    del every
    probe = torch.nn.Linear(len(scale), 1)
    root = torch.zeros((), requires_grad=True)
    optimiser = torch.optim.Adam([*probe.parameters(), root], lr=_RATE)
    gold = [_gold(sentence) for sentence in drawn.sentences]

    def scores(row: int) -> torch.Tensor:
        words = len(drawn.sentences[row])
        of_pairs = probe(kept[row] * scale)[..., 0]
        return torch.cat(
            [of_pairs[:, :words].masked_fill(torch.eye(words).bool(), -torch.inf), of_pairs[:, words:] + root], 1
        )

    order = np.random.default_rng(0)
    for _pass in range(passes):
        shuffled = order.permutation(half - _BATCH)
        for start in range(0, len(shuffled), _BATCH):
            optimiser.zero_grad()
            parts = [
                torch.nn.functional.cross_entropy(
                    scores(row)[gold[row][1]], gold[row][0][gold[row][1]], reduction="sum"
                )
                for row in shuffled[start : start + _BATCH]
                if gold[row][1].any()
            ]
            (torch.stack(parts).sum() / _BATCH / 10).backward()  # type: ignore[no-untyped-call]  # torch's own
            optimiser.step()
    with torch.inference_mode():
        right = sum(
            int(((scores(row).argmax(1) == gold[row][0]) & gold[row][1]).sum()) for row in range(half, len(kept))
        )
    return float(right / drawn.word_counts[half:].sum())


def _by_words(attention: torch.Tensor, words_of: np.ndarray, words: int) -> torch.Tensor:
    """Return the attention between each word and each candidate, float32 [words, words + 1, 2 heads]; the root last."""
    import torch

    group = torch.from_numpy(np.where(words_of < 0, words, words_of)).long()
    sizes = torch.bincount(group, minlength=words + 1).clamp(min=1)
    to = attention.new_zeros(len(attention), attention.shape[1], words + 1).index_add(2, group, attention)
    between = to.new_zeros(len(to), words + 1, words + 1).index_add(1, group, to) / sizes[:, None]
    return torch.cat([between[:, :words], between.transpose(1, 2)[:, :words]]).permute(1, 2, 0).contiguous()


def _gold(sentence: DependencySentence) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each word's head among words and root, and which words count."""
    import torch

    from wordworth.studies.syntactic_relations.dependency_probe_inputs import heads_or_end
    from wordworth.studies.treebank_sample import is_counted

    return torch.from_numpy(heads_or_end(sentence)), torch.from_numpy(is_counted(sentence))


WAYS = {"ours": ours, "maps kept": maps_kept}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: way(sys.argv[2], *map(int, sys.argv[3:6])))
    else:
        run_script(main)
