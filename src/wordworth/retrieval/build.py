"""Build an index of a file of texts, add texts to an index, and delete rows of it.

Vectors are computed as `embed` computes them: some rows at a time, which are saved as a part, so that a stopped run
resumes after its last part. A segment (rows that are added together) is then written whole, and belongs to the index
once the manifest names it. So a process that is killed at any time leaves either the old index or the new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import replacing_folder, sha256
from wordworth.inference.bulk_embedding import PreparedRun, compute_parts, prepare
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.inference.embed_settings import FileEmbedSettings
from wordworth.models.canary_texts import as_base64
from wordworth.models.prompts import Role, prompts_by_role, with_prompt_of
from wordworth.models.vector_space_identity import VectorSpace, fingerprint_of
from wordworth.models.zero_vector_warning import count_zeros, notify_of_zeros
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.bm25 import write_postings
from wordworth.retrieval.index import ID, Index
from wordworth.retrieval.manifest import MANIFEST, Manifest, Segment, files_of
from wordworth.retrieval.precomputed_vectors import PrecomputedVectors
from wordworth.retrieval.settings import AddSettings, IndexSettings
from wordworth.retrieval.stored_rows import StoredRows, write_rows
from wordworth.retrieval.stored_vectors import Precision, write_vectors
from wordworth.sentence_formatting import count_of
from wordworth.sync_to_disk import make_folder
from wordworth.text.file_formats.read import format_of, iterate_column, iterate_rows, iterate_texts
from wordworth.text.read_compressed_file import require_unchanged


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Report on a change of an index.

    Attributes:
        out: path of the index.
        rows: number of rows that were added or deleted by this change.
        total: number of rows of the index after the change, without deleted ones.
        width: width of a vector.
        prompts: role (query or document) -> the prompt that is put before texts of this role; empty if the model's
            default prompt is put before both.
        resumed: number of rows that an earlier, stopped run had embedded.
        unchanged: True if an earlier run had made the same change, so that nothing was written.
    """

    out: Path
    rows: int
    total: int
    width: int
    resumed: int = 0
    unchanged: bool = False
    prompts: Mapping[Role, str] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """The former name of `unchanged`."""
        return self.unchanged


def build(source: Path, out: Path, settings: IndexSettings, progress: Progress = SILENT) -> IndexReport:
    """Build an index of a file of texts: the implementation of `wordworth.build_index`.

    Args:
        source: file of the texts.
        out: folder of the index.
        settings: settings of the embedding and of the index.
        progress: receives progress and messages.

    Raises:
        BadInput: in the cases of `wordworth.build_index`.
    """
    with locked(out, can_move=True) as parts:
        existing = _existing(out, may_replace=settings.overwrite)
        earlier = None if existing is None else existing.segments[0].made_of
        embedding = settings.embedding.resuming(parts.made_of(), earlier)
        job = _Job.prepared(source, embedding, settings.vectors, progress)
        if settings.id is None and _has_column(source, ID):
            progress.note(
                f"rows are numbered, and the column {ID!r} is kept as '{ID}_'; --id {ID} takes it as the names of rows"
            )
        if existing is not None and not settings.overwrite:
            if existing.precision == settings.precision and existing.segments[0].made_of == job.made_of:
                parts.remove()
                progress.note(f"{out} is there already, made of the same texts by the same model: it is left")
                return replace(_report(out, existing, existing.rows), unchanged=True)
            what = "an index is here that was made of other texts, or otherwise"
            raise BadInput(what, where=str(out), mend="add to it, choose another --out, or give --overwrite")
        space = VectorSpace.of(job.run.encoder)
        manifest = Manifest(
            model=_lasting(settings.model),
            dtype=str(getattr(job.run.encoder, "dtype", "float32")),
            long_texts=settings.reads_long,
            fingerprint=space.fingerprint,
            canaries=tuple(map(as_base64, space.canaries)),
            width=job.run.encoder.width,
            precision=settings.precision,
            text=settings.text,
            id=settings.id,
            prompts=job.prompts,
            changes=0 if existing is None else existing.changes,
        )
        return job.added(out, manifest, parts, progress)


def add(source: Path, folder: Path, chosen: AddSettings, progress: Progress = SILENT) -> IndexReport:
    """Add the rows of a file to an index: the implementation of `wordworth.add_to_index`.

    Args:
        source: file of the texts.
        folder: folder of the index.
        chosen: the settings.
        progress: receives progress and messages.

    Raises:
        BadInput: in the cases of `wordworth.add_to_index`.
    """
    Manifest.read(folder)
    with locked(folder) as parts:
        manifest = Manifest.read(folder)
        settings = IndexSettings(
            model=manifest.model,
            text=manifest.text,
            id=manifest.id,
            dtype=manifest.dtype,  # type: ignore[arg-type]  # one that a model computed in
            long_texts=manifest.long_texts,  # type: ignore[arg-type]  # as it was given
            threads=chosen.threads,
            overwrite=True,
        )
        _require_columns(source, settings)
        embedding = settings.embedding.resuming(parts.made_of())
        job = _Job.prepared(source, embedding, chosen.vectors, progress, manifest.prompts)
        if parts.made_of() == job.made_of == manifest.segments[-1].made_of:  # stopped at its very end
            parts.remove()
            return replace(_report(folder, manifest, manifest.segments[-1].rows), unchanged=True)
        Index(folder, manifest).require_space(fingerprint_of(job.run.encoder), settings.model)
        if manifest.id is not None:
            _require_new_ids(source, folder, manifest)
        return job.added(folder, manifest, parts, progress)


def delete(folder: Path, where: str) -> IndexReport:
    """Delete the rows of an index that meet a condition: the implementation of `wordworth.delete_from_index`.

    Args:
        folder: folder of the index.
        where: the condition on columns.
    """
    Manifest.read(folder)
    with locked(folder):
        index = Index.open(folder)
        rows = np.flatnonzero(index.passing(where))
        if not len(rows):
            return _report(folder, index.manifest, 0)
        gone = np.concatenate([index.manifest.deleted_rows(folder), rows])
        return _report(folder, index.manifest.with_deleted(folder, gone).write(folder), len(rows))


def keep_weight(folder: Path, weight: float) -> None:
    """Store in an index the weight of the ranking by vectors, with which the search method `hybrid` fuses rankings.

    Args:
        folder: folder of the index.
        weight: weight of the ranking by vectors, from 0 to 1; the ranking by words has the rest.

    Raises:
        BadInput: there is no index, or another process changes it.
    """
    with locked(folder):
        replace(Manifest.read(folder), dense_weight=weight).write(folder)


def _has_column(source: Path, name: str) -> bool:
    """Return whether a file has a column of that name; a file of plain lines has no columns."""
    known = format_of(source)
    return known is not None and known.named and name in next(iterate_rows(source), (0, {}))[1]


@contextmanager
def locked(folder: Path, *, can_move: bool = False) -> Iterator[PartsFolder]:
    """Lock an index against changes by other processes; yield the `PartsFolder` of the vectors computed so far.

    Args:
        folder: the index.
        can_move: whether the error tells the user to choose another folder with --out.

    Raises:
        BadInput: another process changes the index.
    """
    parts = PartsFolder(folder.with_name(f"{folder.name}.parts"), can_move=can_move)
    with parts.locked():
        yield parts


@dataclass(frozen=True, slots=True)
class _Job:
    """Rows to add to an index, read once and checked.

    Attributes:
        source: file of the texts.
        settings: settings of the embedding.
        run: the file's counts and the model.
        vectors: the file of the texts' vectors that the user has given; None if the model computes the vectors.
        prompts: role (query or document) -> the prompt that is put before texts of this role; empty if the model has
            no separate prompts for queries and documents.
        made_of: name -> value of everything that the segment depends on, such as hashes and settings.
    """

    source: Path
    settings: FileEmbedSettings
    run: PreparedRun
    vectors: PrecomputedVectors | None
    prompts: Mapping[Role, str]
    made_of: dict[str, str]

    @classmethod
    def prepared(
        cls,
        source: Path,
        settings: FileEmbedSettings,
        vectors: Path | None,
        progress: Progress,
        prompts: Mapping[Role, str] | None = None,
    ) -> _Job:
        """Read the file and load the model.

        Args:
            source: file of the texts.
            settings: settings of the embedding.
            vectors: the file of the texts' vectors that the user has given; None if the model computes the vectors.
            progress: receives progress and messages.
            prompts: the prompts of the index that the rows are added to; None for those of the model.
        """
        file = None if vectors is None else PrecomputedVectors.open(Path(vectors))
        if next(iterate_texts(source, settings.text, settings.id), None) is None:
            raise BadInput("there are no texts", where=str(source), mend="give a file with rows")
        run = prepare(source, settings, progress)
        by_role = prompts_by_role(run.encoder) if prompts is None else prompts
        if by_role:
            run = run.with_prompt_of(with_prompt_of("document", by_role, run.encoder))
        if file is None:
            return cls(source, settings, run, None, by_role, run.made_of)
        if file.shape != (expected := (run.counts.rows, run.encoder.width)):
            have, want = (f"{rows:,} vectors of {width} numbers" for rows, width in (file.shape, expected))
            what = f"{have}, and {count_of(expected[0], 'text')} by {settings.model} have {want}"
            raise BadInput(what, where=str(file.path), mend="give the vectors of these texts by this model")
        chosen = np.isin(np.arange(run.counts.rows), file.compared_rows())
        texts = [text for _, text in compress(iterate_texts(source, settings.text), chosen)]
        file.require_of(run.encoder, texts, settings.reads_long)
        return cls(source, settings, run, file, by_role, {**run.made_of, "vectors": sha256(file.path)})

    def added(self, folder: Path, manifest: Manifest, parts: PartsFolder, progress: Progress) -> IndexReport:
        """Compute the vectors, write a segment, and make it part of the index.

        Args:
            folder: folder of the index.
            manifest: manifest of the index before the rows are added.
            parts: the folder of finished parts of vectors.
            progress: receives the progress.
        """
        resumed = 0
        if self.vectors is None:
            resumed = compute_parts(self.source, self.settings, parts, self.run, progress)
        files = parts.files(self.run.counts.parts)
        blocks = _loaded(files) if self.vectors is None else self.vectors.blocks()
        counted, shape = _ZeroCount(blocks), (self.run.counts.rows, self.run.encoder.width)
        name = manifest.next_name("segment")
        make_folder(folder)
        with progress.step("writing the index"), replacing_folder(folder / name) as temporary:
            write_segment(temporary, self.source, self.settings.text, counted, shape, manifest.precision)
            require_unchanged(self.source, self.made_of["input"])
            segment = Segment(name, shape[0], self.made_of, files_of(temporary))
        written = replace(manifest, segments=(*manifest.segments, segment)).write(folder)
        parts.remove()
        notify_of_zeros(self.settings.model, counted.zeros, shape[0], progress)
        return replace(_report(folder, written, shape[0]), resumed=resumed)


def write_segment(
    folder: Path,
    source: Path,
    text: str,
    blocks: Iterable[NDArray[np.float32]],
    shape: tuple[int, int],
    precision: Precision,
) -> None:
    """Write the files of a segment (rows that are added to an index together): rows, vectors and inverted index.

    Args:
        folder: an empty folder.
        source: file of the rows.
        text: the column of texts.
        blocks: the vectors of the rows in order, as arrays float32 [n, width].
        shape: number of vectors, and their width.
        precision: how the vectors are stored.

    Raises:
        BadInput: a vector holds NaN or infinity, or the file cannot be read.
    """
    write_vectors(folder, blocks, shape, precision)
    write_rows(folder, source, text)
    write_postings(folder, (each for _, each in iterate_texts(source, text)))


class _ZeroCount:
    """An iterable of blocks of vectors; `zeros` is the number of vectors yielded so far whose numbers are all 0."""

    def __init__(self, blocks: Iterable[NDArray[np.float32]]) -> None:
        self.blocks, self.zeros = blocks, 0

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        for block in self.blocks:
            self.zeros += count_zeros(block)
            yield block


def _loaded(files: Iterable[Path]) -> Iterator[NDArray[np.float32]]:
    for path in files:
        yield np.load(path, allow_pickle=False)


def _existing(out: Path, *, may_replace: bool) -> Manifest | None:
    """Return the manifest of the index at `out`; None without an index, or if it is damaged and `may_replace` is True.

    Raises:
        BadInput: `out` is a file or a folder of something else, or a damaged index.
    """
    if (out / MANIFEST).exists():
        try:
            return Manifest.read(out)
        except BadInput:
            if not may_replace:
                raise
            return None
    if out.exists() and not out.is_dir():
        raise BadInput("this is a file, not a folder", where=str(out), mend="choose another --out")
    others = (
        [path.name for path in out.iterdir() if not path.name.startswith((".", "segment-"))] if out.exists() else []
    )
    if others:
        what = f"this folder is not an index: it holds {min(others)!r}"
        raise BadInput(what, where=str(out), mend="choose another --out")
    return None


def _require_columns(source: Path, settings: IndexSettings) -> None:
    """Make sure that a file to be added has the columns of texts and ids that the index has."""
    known = format_of(source)
    if known is None or (known.named and next(iterate_rows(source), None) is None):
        return  # reading it says what is wrong
    wanted = [name for name in (settings.text, settings.id) if name is not None]
    if not known.named:
        wanted = wanted[1:]  # each line is a text
    for name in wanted:
        if not _has_column(source, name):
            held = "texts" if name == settings.text else "ids"
            what = f"there is no column {name!r}, and the index has its {held} there"
            raise BadInput(what, where=str(source), mend="give a file with that column")


def _require_new_ids(source: Path, folder: Path, manifest: Manifest) -> None:
    """Make sure that no row of a file has the id of a row in the index that is not deleted."""
    assert manifest.id is not None  # noqa: S101 - as the caller checked
    is_live = np.ones(manifest.rows, bool)
    is_live[manifest.deleted_rows(folder)] = False
    known = set(StoredRows(folder, manifest).column(manifest.id).filter(is_live).to_pylist())
    for position, cell in iterate_column(source, manifest.id):
        if cell in known:
            what = f"the id {cell!r:.60} at {position} is in the index already"
            raise BadInput(
                what, where=f"{source}, column {manifest.id!r}", mend="delete that row first, or leave it out"
            )


def _lasting(model: str) -> str:
    """Return the absolute path of a model that exists as a path, so that any working folder will do; else its name."""
    path = Path(model).expanduser()
    return str(path.resolve()) if path.exists() else model


def _report(out: Path, manifest: Manifest, rows: int) -> IndexReport:
    total = manifest.rows - len(manifest.deleted_rows(out))
    return IndexReport(out, rows, total, manifest.width, prompts=manifest.prompts)
