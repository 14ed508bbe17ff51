"""What `wordworth pretrain` does: stores from text, settings from choices, one run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from wordworth.errors import BadInput
from wordworth.files import no_empty_folders, require_writable
from wordworth.models.devices import device_of
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import CorpusSettings
from wordworth.training.mixed_precision import supports_bf16
from wordworth.training.pretraining.config import PretrainingConfig, seconds
from wordworth.training.pretraining.corpora import CorpusSource, require_text, stores_of
from wordworth.training.pretraining.recipe import Recipe, require_used
from wordworth.training.pretraining.recipe import recipe as named_recipe
from wordworth.training.pretraining.run import PretrainingResult, pretrain
from wordworth.training.pretraining.run_identity import require_room


def run(  # noqa: PLR0913 - what a person may choose
    corpora: Sequence[Path],
    *,
    out: Path,
    recipe: tuple[str, Sequence[str]] = ("modern", ()),
    tokenizer: Path | None = None,
    reading: CorpusSettings | None = None,
    held_out: Path | None = None,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - as `settings_of`
) -> PretrainingResult:
    """Pretrain on files or folders of text, all read in one way.

    Raises:
        BadInput: as `pretrain`, and where a corpus, the tokenizer, the recipe or the budget is none.
    """
    require_used(recipe[1], choices.get("architecture", "bert"), choices.get("lexicon"))
    settings = settings_of(out=out, recipe=named_recipe(*recipe), fit_batch=names_no_batch(recipe[1]), **choices)
    return on_text(corpora, settings, CorpusSource(tokenizer, reading or CorpusSettings()), held_out, progress)


def names_no_batch(changes: Sequence[str]) -> bool:
    """Whether a person leaves the batch to the recipe or the budget."""
    return not any(change.partition("=")[0] == "batch" for change in changes)


def settings_of(
    *,
    out: Path,
    recipe: Recipe,
    budget: str | None = None,
    threads: int | None = None,
    **choices: Any,  # noqa: ANN401 - fields of `PretrainingConfig`
) -> PretrainingConfig:
    """Settings without text, from what people write: a budget is a span of time such as `30m`.

    Threads are torch's from now on, where given.

    Raises:
        BadInput: a choice is none.
    """
    _require_instructions(choices.get("dtype", "auto"), device_of(choices.get("device", "auto")))
    if threads is not None:
        torch.set_num_threads(threads)
    span = None if budget is None else seconds(budget)
    return PretrainingConfig(stores=(), out=out, recipe=recipe, budget=span, **choices)


def _require_instructions(dtype: str, device: torch.device) -> None:
    """Refuse what would be emulated before corpora are read: a step took ten minutes, and was deaf to Ctrl-C."""
    if dtype == "bfloat16" and not supports_bf16(device):
        said = f"this {'GPU' if device.type == 'cuda' else 'processor'} has no instructions for bfloat16"
        raise BadInput(said, where="--dtype", mend="leave it out, or give float32")


def on_text(
    corpora: Sequence[Path],
    settings: PretrainingConfig,
    source: CorpusSource,
    held_out: Path | None,
    progress: Progress,
) -> PretrainingResult:
    """Pretrain by the settings on corpora, whose stores are built in the run's folder.

    Raises:
        BadInput: as `run`.
    """
    if settings.sharded and "WORLD_SIZE" not in os.environ:
        mend = "start it with torchrun --nproc-per-node N -m wordworth pretrain ..., or leave it out"
        raise BadInput("--sharded divides a model among processes, and there is one", mend=mend)
    if settings.sampling != 1 and len(corpora) == 1:
        raise BadInput("--sampling mixes corpora, and there is one", mend="give several, or leave it out")
    require_writable(settings.out)
    require_room(settings.out)
    training = settings.out / "training"
    folder, apart = training / "corpora", training / "corpora" / "held-out"
    require_text([*corpora, *([held_out] if held_out else [])])
    with no_empty_folders(settings.out, training, folder, apart):
        stores = stores_of(corpora, source, folder, progress)
        (seen,) = stores_of([held_out], source, apart, progress) if held_out else (None,)
    return pretrain(replace(settings, stores=stores, held_out=seen), progress)
