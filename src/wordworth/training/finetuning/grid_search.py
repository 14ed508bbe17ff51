"""List the hyper-parameters to try (`candidates`), and search among them by successive halving (`grid_search`).

All candidates run a quarter of their steps. The best third of them run half of their steps, and the best third of these
run to the end (Jamieson and Talwalkar 2016). Candidates are ranked by their best score on the dev part so far.
Candidates that an earlier call trained further are ranked by their scores up to the same share of their steps. At an
equal number of steps, a candidate with a shorter schedule has a lower learning rate and thus often a better score; so
candidates are compared at equal shares of their steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wordworth.training.finetuning.run_result import HyperParameters, RunSpec

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.run_result import Result
    from wordworth.training.finetuning.settings import FinetuneSettings
    from wordworth.training.finetuning.worker_pool import Executor

_RATES, _BATCHES, _EPOCHS = (5e-5, 3e-5, 2e-5), (16, 32), (2.0, 3.0, 4.0)
_USUAL_RATE, _USUAL_WIDTH = 5e-5, 768
_LEAST_STEPS, _EPOCHS_RANGE = 2_000, (3, 20)
_SHARES = (0.25, 0.5, 1.0)


def candidates(settings: FinetuneSettings, width: int, examples: int) -> list[HyperParameters]:
    """Return the hyper-parameters to try; without a grid search, a single candidate.

    Args:
        settings: the settings of the fine-tuning; values that the user has set are the same in every candidate.
        width: hidden size of the encoder, which decides the learning rate of the modern recipe; see `usual_rate`.
        examples: the number of training examples. The modern recipe trains for 3 epochs; if these are fewer than 2,000
            updates, it trains longer, up to 20 epochs (Mosbach et al. 2021 train 20 epochs on sets of 2,500).
    """
    rates: tuple[float, ...]
    batches: tuple[int, ...]
    epochs: tuple[float, ...]
    if settings.grid == "paper":
        rates, batches, epochs = _RATES, _BATCHES, _EPOCHS
    elif settings.features is not None:
        rates, batches, epochs = (1e-3,), (32,), (10.0,)
    elif settings.recipe == "paper":
        rates, batches, epochs = (3e-5,), (32,), (3.0,)
    else:
        batch = settings.batch_size or 16
        wanted = -(-_LEAST_STEPS * batch // max(examples, 1))
        rates, batches = (usual_rate(width),), (16,)
        epochs = (float(min(max(wanted, _EPOCHS_RANGE[0]), _EPOCHS_RANGE[1])),)
    return [
        HyperParameters(learning_rate=rate, batch_size=batch, epochs=passes)
        for batch in (batches if settings.batch_size is None else (settings.batch_size,))
        for passes in (epochs if settings.epochs is None else (settings.epochs,))
        for rate in (rates if settings.learning_rate is None else (settings.learning_rate,))
    ]


def usual_rate(width: int) -> float:
    """Return the usual peak learning rate of an encoder: 5e-5 at BERT-base's width of 768, more for narrower encoders.

    >>> usual_rate(768), usual_rate(384)
    (5e-05, 0.0001)
    """
    return _USUAL_RATE * _USUAL_WIDTH / max(width, _USUAL_WIDTH // 4)


def rounds(candidates: int) -> list[int]:
    """Return the number of candidates in each round of successive halving; the best third goes on to the next round.

    >>> rounds(18)
    [18, 6, 2, 1]
    """
    counts = [candidates]
    while counts[-1] > 1:
        counts.append(max(1, counts[-1] // 3))
    return counts


def grid_search(
    candidates: Sequence[HyperParameters], executor: Executor, split: Split, progress: Progress
) -> tuple[HyperParameters, list[Result]]:
    """Find the best hyper-parameters by successive halving, judged by the score on the dev part.

    Args:
        candidates: the candidates; if there is only one, it is returned without a run, and without results.
        executor: makes the runs, all with the first seed of the fine-tuning.
        split: the rows of the task, from which the cost of runs is estimated.
        progress: receives progress.

    Returns:
        (best candidate, results), with a result for each candidate.
    """
    if len(candidates) == 1:
        return candidates[0], []
    result_of: dict[int, Result] = {}
    remaining = list(range(len(candidates)))
    for number, count in enumerate(rounds(len(candidates))):
        share = _SHARES[min(number, len(_SHARES) - 1)]
        specs = [RunSpec(candidates[index], 0, share) for index in remaining[:count]]
        with progress.step(f"trying {count} settings", sum(spec.cost(split) for spec in specs)) as step:
            results = executor.results(specs, step)
        result_of |= dict(zip(remaining[:count], results, strict=True))
        scores = [result.best_dev(spec.due(result.steps)) for spec, result in zip(specs, results, strict=True)]
        remaining = [remaining[rank] for rank in sorted(range(count), key=lambda rank: -scores[rank])]
    dropped = {index: replace(run, state="pruned") for index, run in result_of.items() if run.state == "paused"}
    dropped.pop(remaining[0], None)  # in a small grid the best run has not reached its end yet
    return candidates[remaining[0]], [dropped.get(index, result_of[index]) for index in range(len(candidates))]
