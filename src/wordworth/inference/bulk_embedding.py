"""`embed`: embed a file of texts of any size into a file of vectors; a run that was stopped resumes.

Texts are read in *parts*: by default 512 texts at a time for an encoder, 8,192 for a static table. The vectors of a
part are written atomically to a file of their own in `OUT.parts/`; a part that was damaged since is computed again.
When all parts exist they are joined into OUT. A part depends on its texts, the model and the settings alone, so a run
that was stopped and resumed gives the same bytes as an uninterrupted run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.caller_warnings import notify
from wordworth.errors import BadInput, LongTextWarning
from wordworth.files import require_distinct, sha256
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.inference.embed_batch_of_texts import EncodedBatch, Encoder, TextBatch, encode_batch, kernel_of
from wordworth.inference.embed_report import EmbedReport
from wordworth.inference.embed_settings import EmbedSettings, FileEmbedSettings
from wordworth.inference.embed_with_ray import encoded_by_ray
from wordworth.inference.join_embedding_parts import check_output, join
from wordworth.inference.row_id_check import require_unique_row_ids
from wordworth.inference.vector_metadata import VectorMetadata, read_metadata
from wordworth.models.length_batching import long_text_warning
from wordworth.models.load import Loaded, load, require_device
from wordworth.models.prompts import prompt_before, with_prompt_called
from wordworth.models.zero_vector_warning import count_zeros, notify_of_zeros
from wordworth.package_versions import version
from wordworth.progress import SILENT, Progress
from wordworth.sources import Resolved, resolve
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.read_compressed_file import check_file, file_sha256, require_unchanged
from wordworth.text.unknown_entity import UnknownEntity
from wordworth.text.windows import TooLong

_LOOKED_AT = 1_000
_READ = {"window": "read whole, in overlapping windows", "cut": "cut: their beginning alone is read"}
"""Way of reading long texts -> its words in the note on long texts."""
_IDLE = frozenset({"threads", "model", "overwrite", "device", "engine", "prompt"})
"""Settings that `made_of` leaves out: vectors do not depend on them, or it has the files, kernel and prompt itself."""


def embed(
    path: Path | str, out: Path | str, settings: EmbedSettings | None = None, *, progress: Progress = SILENT
) -> EmbedReport:
    """Write a vector for every text of a file, and return a report on the file written.

    Args:
        path: .jsonl, .csv, .tsv, .txt (one text per line) or .parquet; all but .parquet also as .gz, .xz or .bz2.
        out: a `.parquet`, `.jsonl` or `.csv` with the columns `id` and `vector`, or a `.npy`, float32 [rows, width].
        settings: the model, the columns and so on; None takes the defaults.
        progress: receives the progress and notes.

    Raises:
        BadInput: the file or a column is missing or damaged; two rows have the same id; `out` cannot be written; `out`
            or the vectors of a stopped run were made from another input, model or settings; or another process writes
            the same output.
    """
    chosen, source, target = settings or EmbedSettings(), Path(path), Path(out)
    check_output(target, has_ids=chosen.id is not None)
    require_device(chosen.device)
    require_distinct(target, source)
    parts = PartsFolder(target.with_name(f"{target.name}.parts"))
    with parts.locked():
        report = _embed(source, target, chosen, parts, progress)
    notify_of_zeros(chosen.model, report.zero_vectors, report.rows, progress)
    return report


def _embed(source: Path, target: Path, chosen: EmbedSettings, parts: PartsFolder, progress: Progress) -> EmbedReport:
    """Embed as `embed` does, once the folder of parts is locked for this process."""
    stored = read_metadata(target)
    chosen = chosen.resuming(parts.made_of(), None if stored is None else stored.made_of)
    run = prepare(source, chosen, progress)
    if chosen.prompt is not None:
        run = run.with_prompt_of(with_prompt_called(chosen.prompt, run.encoder))
    described = _described(run, chosen)
    is_there = target.exists() and not chosen.overwrite
    if is_there and (report := _finished(target, stored, described, parts, run.made_of)):
        progress.note(f"{target} is there already, made of the same texts by the same model and settings: it is left")
        return report
    resumed = compute_parts(source, chosen, parts, run, progress)
    ids = (each for each, _ in iterate_texts(source, chosen.text, chosen.id)) if chosen.id is not None else None
    blank = sum(count_zeros(np.load(part, mmap_mode="r")) for part in parts.files(run.counts.parts))
    unread = run.encoder.unknown_rate(next(_chunks(source, replace(chosen, rows=_LOOKED_AT)), []))
    described = replace(described, blank=blank, unread=unread)
    join(parts.files(run.counts.parts), target, described, ids)
    parts.remove()
    return _report(target, described, resumed)


class Counts(NamedTuple):
    """Three counts for a file of texts: its rows, its rows without text, and the parts that `embed` divides it into."""

    rows: int
    empty: int
    parts: int


class PreparedRun(NamedTuple):
    """A file of texts that was read once, and the model that embeds them.

    Attributes:
        counts: number of rows, and of the parts (consecutive rows that are embedded and saved together).
        encoder: the model.
        made_of: name -> value of everything that the vectors depend on to the last bit, such as hashes and settings.
    """

    counts: Counts
    encoder: Loaded
    made_of: dict[str, str]

    def with_prompt_of(self, encoder: Loaded) -> PreparedRun:
        """Return a copy of the run with another encoder, whose prompt becomes an entry of `made_of`.

        Args:
            encoder: an encoder that differs from the run's in its prompt alone.
        """
        return self._replace(encoder=encoder, made_of={**self.made_of, "prompt": prompt_before(encoder)})


def prepare(source: Path, chosen: FileEmbedSettings, progress: Progress) -> PreparedRun:
    """Read the whole file once, so that its faults are reported before the work starts, and load the model.

    Args:
        source: the file of texts.
        chosen: the columns, the model and the format of the output.
        progress: receives the progress.

    Raises:
        BadInput: the file, a column or the model cannot be read, or two rows have the same id.
    """
    check_file(source)
    content = file_sha256(source)
    if chosen.id is not None:
        require_unique_row_ids(source, chosen.id)
    counts = _count(source, chosen, progress)
    resolved = resolve(chosen.model, hash_whole=True)
    encoder = _load(chosen)
    return PreparedRun(counts, encoder, _made_of(content, chosen, resolved, kernel_of(encoder)))


def compute_parts(
    source: Path, chosen: FileEmbedSettings, parts: PartsFolder, run: PreparedRun, progress: Progress
) -> int:
    """Compute and save the vectors that are missing; return the number of rows whose vectors an earlier run saved.

    The vectors are saved in parts: files with the vectors of consecutive texts.

    Args:
        source: file of the texts.
        chosen: the settings.
        parts: the folder of the parts, which the caller has locked.
        run: the file's counts and the model, as `prepare` returns them.
        progress: receives the progress.

    Raises:
        BadInput: the folder holds parts of another run, and `chosen` does not say to overwrite them; or the file has
            changed since `prepare` read it, so that no part is kept.
    """
    if removed := parts.start_or_resume(run.made_of, anew=chosen.overwrite):
        what = f"the parts of a stopped run in {parts.folder} were made with another {', '.join(removed)}"
        progress.note(f"{what}: they are removed, and the work starts anew")
    resumed = _encode_all(source, chosen, parts, run.encoder, (run.counts.rows, progress))
    try:
        require_unchanged(source, run.made_of["input"])
    except BadInput:
        parts.remove()
        raise
    return resumed


def _described(run: PreparedRun, chosen: EmbedSettings) -> VectorMetadata:
    """Return the description of vectors that are not yet computed, with 0 as the counts of zeros and unknown words."""
    counts, encoder, made_of = run
    dtype, head = str(getattr(encoder, "dtype", "float32")), getattr(encoder, "head", None)
    depends = {name: value for name, value in made_of.items() if name != "kernel"}  # which changes the last bits alone
    return VectorMetadata(
        model=chosen.model,
        dtype=dtype,
        pooling="+".join(head.modes) if head else "mean",
        version=version("wordworth"),
        rows=counts.rows,
        width=encoder.width,
        blank=0,
        unread=0.0,
        empty=counts.empty,
        made_of={**depends, "dtype": dtype},
    )


def _finished(
    target: Path, stored: VectorMetadata | None, wanted: VectorMetadata, parts: PartsFolder, made_of: Mapping[str, str]
) -> EmbedReport | None:
    """Return the report on an output file that has the wanted vectors; None if a stopped run was about to replace it.

    Raises:
        BadInput: the file was made from other texts, models or settings, or has no description that says from which.
    """
    is_resumed = parts.made_of() == made_of
    if stored is not None and not stored.changed(wanted.made_of):
        if is_resumed:  # of a run that was stopped at its very end
            parts.remove()
        return replace(_report(target, stored, 0), unchanged=True)
    if is_resumed:
        return None
    what = "a file is here that does not say what made it"
    if stored is not None:
        how = f"{stored.model}, {stored.dtype}, pooling {stored.pooling}"
        what = f"the vectors here were made with another {', '.join(stored.changed(wanted.made_of))} ({how})"
    raise BadInput(what, where=str(target), mend="choose another --out, or give --overwrite to replace it")


def _report(target: Path, of: VectorMetadata, resumed: int) -> EmbedReport:
    return EmbedReport(target, of.rows, of.width, resumed, of.blank, of.unread, of.empty, of.dtype)


def _encode_all(
    source: Path, chosen: FileEmbedSettings, parts: PartsFolder, encoder: Encoder, watch: tuple[int, Progress]
) -> int:
    """Compute every missing part; return the number of rows saved before. `watch`: number of rows, and progress."""
    total, progress = watch
    resumed, done, noted = 0, 0, False

    def missing() -> Iterator[TextBatch]:
        nonlocal resumed, done
        first = 0
        for number, texts in enumerate(_chunks(source, chosen)):
            if parts.is_intact(number):
                resumed, done = resumed + len(texts), done + len(texts)
                step.skip(len(texts))
            else:
                yield TextBatch(number, first, texts)
            first += len(texts)

    try:
        with progress.step(f"embedding with {chosen.model}", total) as step:
            for part in _encoded(missing(), encoder, chosen):
                parts.write(part.number, part.vectors)
                if part.limit and not noted:
                    _tell_of_long_texts(part.limit, chosen, progress)
                    noted = True
                done += len(part.vectors)
                step.advance(len(part.vectors))
    except (TooLong, UnknownEntity) as error:
        raise _placed(error, source, chosen) from error
    except KeyboardInterrupt:
        advice = "the same command goes on from there" if done else f"a part is written every {chosen.part_size} texts"
        progress.note(f"kept {done:,} of {total:,} texts in {parts.folder}: {advice}")
        raise
    finally:
        parts.remove_empty()
    return resumed


def _encoded(parts: Iterator[TextBatch], encoder: Encoder, chosen: FileEmbedSettings) -> Iterator[EncodedBatch]:
    """Yield the vectors of each part as soon as they are computed, by the engine that the settings name."""
    if chosen.engine == "ray":
        return encoded_by_ray(parts, chosen, kernel_of(encoder), prompt_before(encoder))
    return (encode_batch(part, encoder, chosen.reads_long) for part in parts)


def embed_in_memory(
    source: Path,
    chosen: EmbedSettings,
    progress: Progress = SILENT,
    check: Callable[[int, str], object] | None = None,
) -> NDArray[np.float32]:
    """Return the vector of every text of a file, float32 [texts, width].

    Args:
        source: file of the texts.
        chosen: the settings.
        progress: receives progress and messages.
        check: called with each row's number (from 0) and text, before any text is embedded; it may raise an error.

    Raises:
        BadInput: the file, the column or the model cannot be read; the file changed while it was read; a text is too
            long under `long_texts="error"`; or `engine` is not `local`, as other engines write to a file.
    """
    if chosen.engine != "local":
        raise BadInput(f"--engine {chosen.engine} writes vectors to a file", mend="give --out, or leave --engine out")
    check_file(source)
    content = file_sha256(source)
    counts = _count(source, chosen, progress, check)
    encoder = with_prompt_called(chosen.prompt, _load(chosen))
    whole, done, longest = np.empty((counts.rows, encoder.width), np.float32), 0, 0
    try:
        with progress.step(f"embedding with {chosen.model}", counts.rows) as step:
            for number, texts in enumerate(_chunks(source, chosen)):
                if done + len(texts) > counts.rows:
                    break
                part = encode_batch(TextBatch(number, done, texts), encoder, chosen.reads_long)
                whole[done : done + len(texts)] = part.vectors
                done, longest = done + len(texts), max(longest, part.limit)
                step.advance(len(texts))
    except (TooLong, UnknownEntity) as error:
        raise _placed(error, source, chosen) from error
    require_unchanged(source, content)
    if longest:
        _tell_of_long_texts(longest, chosen, progress)
    notify_of_zeros(chosen.model, count_zeros(whole), len(whole), progress)
    return whole


def _tell_of_long_texts(limit: int, chosen: FileEmbedSettings, progress: Progress) -> None:
    """Say how texts of over `limit` tokens are read: by a warning if the caller set no `long_texts` and no progress."""
    if chosen.long_texts is None and progress is SILENT:
        notify(long_text_warning(chosen.model, limit), LongTextWarning)
    else:
        progress.note(f"texts of over {limit} tokens are {_READ[chosen.reads_long]}")


def _placed(error: TooLong | UnknownEntity, source: Path, chosen: FileEmbedSettings) -> BadInput:
    """Return the error about a text, with the file and the row of that text."""
    if isinstance(error, UnknownEntity):
        return error.in_files([source], [chosen.text])
    row = f"row {error.index} (the first is 0)"
    message = f"{row} has {error.length:,} tokens, and {chosen.model} reads at most {error.limit:,}"
    return BadInput(message, where=str(source), mend="give --long-texts window or cut, or shorten it")


def _chunks(source: Path, chosen: FileEmbedSettings) -> Iterator[list[str]]:
    """Yield the texts of each part, limited in rows and characters so that they fit in memory at any length."""
    chunk: list[str] = []
    characters, most = 0, chosen.part_size
    for _, text in iterate_texts(source, chosen.text, chosen.id):
        if chunk and (len(chunk) == most or characters + len(text) > chosen.characters):
            yield chunk
            chunk, characters = [], 0
        chunk.append(text)
        characters += len(text)
    if chunk:
        yield chunk


def _count(
    source: Path, chosen: FileEmbedSettings, progress: Progress, check: Callable[[int, str], object] | None = None
) -> Counts:
    """Read the whole file once, so that its faults are found before the work starts; return its counts."""
    rows = empty = parts = 0
    with progress.step(f"reading {source.name}"):
        for texts in _chunks(source, chosen):
            if check is not None:
                for row, text in enumerate(texts, rows):
                    check(row, text)
            rows, empty, parts = rows + len(texts), empty + sum(not text.strip() for text in texts), parts + 1
    if not rows:
        progress.note(f"{source}: there are no texts")
    return Counts(rows, empty, parts)


def _made_of(content: str, chosen: FileEmbedSettings, resolved: Resolved, kernel: str) -> dict[str, str]:
    """Return name -> value of everything that the bytes of the parts depend on; `content` is the hash of the texts.

    The model's files are identified by their hashes, since parts outlive the run.
    """
    digests = {name: resolved.sha256.get(name) or sha256(path) for name, path in sorted(resolved.files.items())}
    chosen = replace(chosen, long_texts=chosen.reads_long, rows=chosen.part_size)
    settings = {name: str(value) for name, value in asdict(chosen).items() if name not in _IDLE}
    return {**settings, "input": content, "model": json.dumps(digests, sort_keys=True), "kernel": kernel}


def _load(chosen: FileEmbedSettings) -> Loaded:
    return load(chosen.model, dtype=chosen.dtype, threads=chosen.threads, device=chosen.device)
