"""Warnings about encoders that were fine-tuned before the study, perhaps on rows of the study's data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from wordworth.records import Finding
from wordworth.sources import short_name
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_folder import find_model_folder


def finetuned_encoders(models: Sequence[str], task: Task) -> Iterator[Finding]:
    """Yield a warning for each encoder that was fine-tuned before, as it may have learned from the study's rows.

    Args:
        models: names and folders of encoders.
        task: the study's task; the hashes of its files are compared with the hashes of the files that a model learned
            from.

    Raises:
        BadInput: the metadata of a fine-tuned model is damaged.
    """
    files = {origin.sha256 for origin in task.origins}
    for model in models:
        folder = find_model_folder(Path(model))
        if folder is None:
            continue
        from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM, read_metadata  # which loads torch

        metadata, name = read_metadata(folder), short_name(str(folder))
        if files.isdisjoint(metadata.get(LEARNED_FROM, ())):
            what = f"{name} was fine-tuned before, on {metadata.get('name', 'labelled texts')}"
            text = f"{what}: its scores hold for texts that are not among those."
        else:
            what = f"{name} was fine-tuned on this very file"
            text = (
                f"{what}: its scores on rows that it learned from say nothing about other texts. Measure it on others."
            )
        yield Finding(f"warning.finetuned.{name}", text, {"rung": name})
