"""Check, before a fine-tuning begins, that the model has every entity that the texts of its task link to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks.task import Task
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.text.unknown_entity import UnknownEntity


def require_entities(encoder: TextEncoder, task: Task) -> None:
    """Check that an encoder that fuses entities has every entity that the texts of a task link to.

    Raises:
        UnknownEntity: the encoder lacks an entity; the error names the file and line of the text.
    """
    if not isinstance(encoder.tokenizer, LinkedTokenizer):
        return
    try:
        encoder.tokenizer.require_entities(_texts(task))
    except UnknownEntity as error:
        raise error.in_files(Path(origin.path) for origin in task.origins) from error


def _texts(task: Task) -> Iterator[str]:
    """Yield every text in which links are read: words to tag have none."""
    examples = task.examples
    if examples.words is None:
        yield from examples.first
        yield from examples.second or ()
        for options in examples.options or ():
            yield from options
