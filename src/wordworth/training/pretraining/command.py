"""What `wordworth pretrain` does: stores from text, settings from choices, one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from wordworth.files import require_writable
from wordworth.progress import SILENT, Progress
from wordworth.training.pretraining.corpora import stores_of
from wordworth.training.pretraining.recipe import recipe as named_recipe
from wordworth.training.pretraining.run import PretrainingResult, pretrain
from wordworth.training.pretraining.settings import Pretraining, seconds


def run(  # noqa: PLR0913 - what a person may choose
    corpora: Sequence[Path],
    *,
    out: Path,
    recipe: tuple[str, Sequence[str]] = ("modern", ()),
    tokenizer: Path | None = None,
    held_out: Path | None = None,
    budget: str | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - fields of `Pretraining`
) -> PretrainingResult:
    """Pretrain on files or folders of text; a budget is a span of time such as `30m`.

    Raises:
        BadInput: as `pretrain`, and where a corpus, the tokenizer, the recipe or the budget is none.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    settings = Pretraining(
        stores=(),
        out=out,
        recipe=named_recipe(*recipe),
        budget=None if budget is None else seconds(budget),
        **choices,
    )
    require_writable(out)
    folder = out / "training" / "corpora"
    stores = stores_of(corpora, tokenizer, folder, progress)
    (seen,) = stores_of([held_out], tokenizer, folder / "held-out", progress) if held_out else (None,)
    return pretrain(replace(settings, stores=stores, held_out=seen), progress)
