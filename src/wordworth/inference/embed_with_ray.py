"""`encoded_by_ray`: the vectors of a file's texts, computed in batches by the workers of a Ray cluster.

Each worker loads the encoder once. This process reads the texts and writes the vectors. A batch has the same vectors,
to the last bit, as in a single process, since no batch depends on another.
"""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.errors import BadInput
from wordworth.inference.embed_batch_of_texts import EncodedBatch, TextBatch, encode_batch, kernel_of
from wordworth.inference.embed_settings import FileEmbedSettings
from wordworth.inference.encode_partition import encoder_of
from wordworth.inference.ray_tasks import results_by_ray
from wordworth.models.prompts import with_prompt_text


def encoded_by_ray(
    parts: Iterator[TextBatch], settings: FileEmbedSettings, kernel: str, prompt: str = ""
) -> Iterator[EncodedBatch]:
    """Yield the vectors of each batch of texts, as soon as a worker has computed them.

    The function uses the Ray cluster that this process is connected to, else the cluster that the variable RAY_ADDRESS
    names. Without either it starts a cluster on this machine, and ends it afterwards.

    Args:
        parts: the batches of texts, which are read as workers become free.
        settings: the settings; `threads` is for each worker, 1 if it is None.
        kernel: name of the matrix kernel that computes vectors in this process (`kernel_of`); workers must have the
            same.
        prompt: the prompt that is put before every text.

    Raises:
        MissingExtra: Ray is not installed.
        BadInput: a worker lacks the model or computes by another kernel, or workers die again and again.
        TooLong: a text is longer than the model's window, and `settings.long_texts` is `error`.
    """
    shared = (settings, kernel, prompt)
    done = results_by_ray(parts, _encode, shared, rows_of=_rows, threads=settings.threads or 1)
    return (encoded for _, encoded in done)


def _rows(part: TextBatch) -> range:
    return range(part.first, part.first + len(part.texts))


def _encode(part: TextBatch, settings: FileEmbedSettings, kernel: str, prompt: str = "") -> EncodedBatch:
    """Return the vectors of a batch of texts; this function runs in a worker."""
    encoder = encoder_of(settings.model, settings.dtype, settings.device, settings.threads or 1)
    if (own := kernel_of(encoder)) != kernel:
        what = (
            f"a worker computes by {own}, and this machine by {kernel}, so that the last bits of vectors would differ"
        )
        raise BadInput(what, mend="choose --dtype float32, or machines of one kind")
    return encode_batch(part, with_prompt_text(prompt, encoder), settings.reads_long)
