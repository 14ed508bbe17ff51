"""`wordworth pretrain`: build stores from text and settings from options, then run."""

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
from wordworth.training.pretraining.config import FORMER_FIELDS, PretrainingConfig, seconds
from wordworth.training.pretraining.corpora import CorpusSource, require_text, stores_of
from wordworth.training.pretraining.recipe import Recipe, require_used, todays_change
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
    """Pretrain on files or folders of text, all read with the same settings.

    Args:
        corpora: files or folders of text, or token stores.
        out: folder for the model.
        recipe: a recipe's name and changes to it, each `name=value`.
        tokenizer: folder of the tokenizer; not needed for token stores.
        reading: how text is read.
        held_out: text or a store to evaluate on.
        progress: shows the run.
        choices: as `settings_of` takes them.

    Raises:
        BadInput: as `pretrain`, and for an invalid corpus, tokenizer, recipe or budget.
    """
    require_used(recipe[1], choices.get("architecture", "bert"), choices.get("lexicon"))
    settings = settings_of(out=out, recipe=named_recipe(*recipe), fit_batch=names_no_batch(recipe[1]), **choices)
    return on_text(corpora, settings, CorpusSource(tokenizer, reading or CorpusSettings()), held_out, progress)


def names_no_batch(changes: Sequence[str]) -> bool:
    """Whether the user leaves the batch size to the recipe or the budget."""
    return not any(todays_change(change).partition("=")[0] == "batch_size" for change in changes)


def settings_of(
    *,
    out: Path,
    recipe: Recipe,
    budget: str | None = None,
    threads: int | None = None,
    **choices: Any,  # noqa: ANN401 - fields of `PretrainingConfig`
) -> PretrainingConfig:
    """Make the settings of a run, without its text, from options as users write them.

    Args:
        out: folder for the model.
        recipe: of the run.
        budget: a duration such as `30m`.
        threads: sets the number of torch's threads from now on.
        choices: other fields of `PretrainingConfig`, also under their former names.

    Raises:
        BadInput: an option is invalid.
    """
    _require_instructions(choices.get("dtype", "auto"), device_of(choices.get("device", "auto")))
    if threads is not None:
        torch.set_num_threads(threads)
    span = None if budget is None else seconds(budget)
    todays = {FORMER_FIELDS.get(name, name): value for name, value in choices.items()}
    return PretrainingConfig(stores=(), out=out, recipe=recipe, budget=span, **todays)


def _require_instructions(dtype: str, device: torch.device) -> None:
    """Refuse emulated bfloat16 before corpora are read: a step took ten minutes, and Ctrl-C had no effect."""
    if dtype == "bfloat16" and not supports_bf16(device):
        message = f"this {'GPU' if device.type == 'cuda' else 'processor'} has no instructions for bfloat16"
        raise BadInput(message, where="--dtype", mend="leave it out, or give float32")


def on_text(
    corpora: Sequence[Path],
    settings: PretrainingConfig,
    source: CorpusSource,
    held_out: Path | None,
    progress: Progress,
) -> PretrainingResult:
    """Pretrain on corpora, whose token stores are built in the run's folder.

    Args:
        corpora: files or folders of text, or token stores.
        settings: of the run, without stores.
        source: how text becomes tokens.
        held_out: text or a store to evaluate on.
        progress: shows the run.

    Raises:
        BadInput: as `run`.
    """
    if settings.sharded and "WORLD_SIZE" not in os.environ:
        mend = "start it with torchrun --nproc-per-node N -m wordworth pretrain ..., or leave --sharded out"
        raise BadInput("--sharded splits the model over several processes, and there is only one", mend=mend)
    if settings.sampling != 1 and len(corpora) == 1:
        raise BadInput("--sampling mixes several corpora, and only one is given", mend="give several, or leave it out")
    require_writable(settings.out)
    require_room(settings.out)
    training = settings.out / "training"
    folder, held_out_folder = training / "corpora", training / "corpora" / "held-out"
    require_text([*corpora, *([held_out] if held_out else [])])
    with no_empty_folders(settings.out, training, folder, held_out_folder):
        stores = stores_of(corpora, source, folder, progress)
        (held_out_store,) = stores_of([held_out], source, held_out_folder, progress) if held_out else (None,)
    return pretrain(replace(settings, stores=stores, held_out=held_out_store), progress)
