"""Read the documents of a corpus, one after the other, from a folder or files."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.settings_validation import setting, validate
from wordworth.text.corpus.evaluation_overlap import GRAM, EvaluationTexts
from wordworth.text.corpus.txt_layouts import Layout, layout_of, text_documents
from wordworth.text.file_formats.in_memory import ArrowTable, as_file, one_or_several
from wordworth.text.file_formats.read import corpus_suffixes, format_of, iterate_texts
from wordworth.text.read_compressed_file import file_sha256, is_file, size_of, suffix_of

Corpus: TypeAlias = Path | str | Sequence[Path | str]
TextTable: TypeAlias = ArrowTable | Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]]
"""A table in memory with a column of texts."""
CorpusOrTable: TypeAlias = Corpus | TextTable
"""A corpus as an argument: paths or tables in memory; a list of strings is a list of paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Settings by which a corpus is read and made into a token store.

    With layout `auto`, a .txt file that looks like one sentence on each line (with blank lines between documents) is
    read in this way, and any other .txt file as one document. With more than one process, Python has to be able to
    import the main module again.
    """

    text: str = setting("text", "Column of the texts in files that have columns (JSON Lines, Parquet, CSV).")
    layout: Layout = setting(
        "auto", "How a .txt file is split: one document, one document per line, one sentence per line."
    )
    leave_out: Path | str | None = setting(
        None, "File of texts that are tested on: documents that share 13 words in a row with it are left out."
    )
    nfc: bool = setting(True, "Normalise text to Unicode's composed form (NFC).", option=False)
    deduplicate: bool = setting(
        True, "Drop documents that equal an earlier one, apart from white space around it.", option=False
    )
    processes: int = setting(
        1, "Processes that build the store; its bytes do not depend on their number.", option=False
    )

    def __post_init__(self) -> None:
        validate(self)


class Document(NamedTuple):
    """The text of a document, and whether it is already split into sentences.

    Attributes:
        text: the text.
        presplit: whether each line of `text` is a sentence.
    """

    text: str
    presplit: bool


@dataclass(slots=True)
class Counts:
    """Numbers of documents of a corpus: how many were read, and how many were dropped for which reason.

    Attributes:
        read: all documents.
        empty: documents dropped as empty.
        duplicates: documents dropped as duplicates.
        composed: documents that normalisation to NFC changed.
        bytes: UTF-8 bytes of the documents that were not dropped.
        overlapping: documents dropped for overlap with evaluation texts.
    """

    read: int = 0
    empty: int = 0
    duplicates: int = 0
    composed: int = 0
    bytes: int = 0
    overlapping: int = 0


@contextmanager
def as_corpora(corpora: CorpusOrTable) -> Iterator[list[Path]]:
    """Yield the paths of the files or folders of a corpus, which may also be a table in memory.

    The path of a table in memory is valid only inside the `with` statement.

    Raises:
        BadInput: a corpus is neither a path nor a table, or a path is empty.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(as_file(each)) for each in one_or_several(corpora)]


def corpus_files(corpus: Corpus) -> list[Path]:
    """Return the files of a corpus: the named files, and all text files below a named folder, in order of their paths.

    Raises:
        BadInput: a path does not exist, or no file holds text.
    """
    paths = [corpus] if isinstance(corpus, Path | str) else list(corpus)
    files = [file for path in paths for file in _files(Path(path))]
    if not files:
        raise BadInput("no corpus was given", mend="name a folder or files of text")
    return files


def require_corpora(paths: Iterable[Path]) -> None:
    """Check that the files or folders of a corpus exist, without reading them.

    Raises:
        BadInput: a path is missing, or is neither a folder nor a regular file.
    """
    for path in paths:
        if not is_file(path) and not path.is_dir():
            require_regular(path)
            raise BadInput("there is no such file or folder", where=str(path), mend="check the path")


def require_distinct(corpora: Sequence[Path], held_out: Path | None = None, stores: Collection[Path] = ()) -> None:
    """Check that no corpus and no file is named twice, since a text must be trained on once or held out, never both.

    Args:
        corpora: files or folders of text to train on.
        held_out: file or folder of held-out text; its files must not be copies of files to train on either.
        stores: the token stores among `corpora` and `held_out`, which hold no files of text.

    Raises:
        BadInput: a corpus is named twice, a file belongs to two corpora, a corpus is missing, or a held-out file has
            the content of a file to train on.
    """
    every = [*corpora, *([] if held_out is None else [held_out])]
    paths, owners, files = [corpus.resolve() for corpus in every], dict[Path, Path](), dict[Path, list[Path]]()
    for corpus in every:
        if paths.count(corpus.resolve()) > 1:
            raise BadInput("this corpus is given twice", where=str(corpus), mend="give it once")
        files[corpus] = [] if corpus in stores else corpus_files(corpus)
        for file in files[corpus]:
            other = owners.setdefault(file.resolve(), corpus)
            if other != corpus:
                mend = "give each text once; move held-out text out of the folder that is trained on"
                raise BadInput(f"this file is in two corpora, {other} and {corpus}", where=str(file), mend=mend)
    if held_out is not None:
        _require_no_copy([file for corpus in corpora for file in files[corpus]], files[held_out])


def _require_no_copy(learned: Sequence[Path], held_out: Sequence[Path]) -> None:
    """Check that no held-out file has the content of a file to train on; only files of equal size are read."""
    sizes = {size_of(file) for file in held_out} - {0}
    by_content = {file_sha256(file): file for file in learned if size_of(file) in sizes}
    for file in held_out if by_content else ():
        if copy := by_content.get(file_sha256(file)):
            what = f"this held-out file is a copy of {copy}, which is trained on"
            raise BadInput(what, where=str(file), mend="hold out text that is not trained on")


def empty_corpus_error(files: Sequence[Path], reader: DocumentReader) -> BadInput:
    """Return the error to raise for a corpus without a document that can be used; the reader's counts tell the reason.

    Args:
        files: the files of the corpus.
        reader: the reader that has read these files and no others.
    """
    where, counts = ", ".join(map(str, files[:3])), reader.counts
    if counts.overlapping and counts.overlapping == counts.read - counts.empty - counts.duplicates:
        which = "the only document shares" if counts.overlapping == 1 else f"all {counts.overlapping:,} documents share"
        what = f"{which} {GRAM} words in a row (or the whole of a shorter text) with {reader.settings.leave_out}"
        mend = "give other text to learn from, or do without --leave-out"
        return BadInput(what, where=where, mend=mend)
    return BadInput("there is no text in this corpus", where=where, mend="check the files and the text column")


def _files(path: Path) -> list[Path]:
    require_corpora([path])
    if is_file(path):
        return [path]
    suffixes = corpus_suffixes()
    text_files = sorted(file for file in path.rglob("*") if _is_text(file, path, suffixes) and file.is_file())
    if not text_files:
        kinds = ", ".join(suffixes)
        raise BadInput(
            f"no file in this folder ends in {kinds} (or these compressed)", where=str(path), mend="name another"
        )
    return text_files


def _is_text(file: Path, folder: Path, suffixes: Sequence[str]) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return not hidden and suffix_of(file.name) in suffixes


@dataclass(slots=True)
class DocumentReader:
    """A reader of documents that drops empty and duplicate ones, and counts the documents read and dropped.

    Attributes:
        settings: the settings of reading.
        counts: counts of the documents so far.
    """

    settings: CorpusSettings
    counts: Counts = field(default_factory=Counts)
    _seen: set[bytes] = field(default_factory=set)
    _tests: EvaluationTexts | None = None

    def documents(self, files: Iterable[Path]) -> Iterator[Document]:
        """Yield the documents of files in order, except those that are empty, duplicates or overlap evaluation texts.

        Raises:
            BadInput: a file cannot be read, is damaged, is not UTF-8, has a line too long for memory, or lacks the
                column of texts.
        """
        if self.settings.leave_out is not None:
            self._tests = EvaluationTexts.read(self.settings.leave_out)
        for file in files:
            for document in _read(file, self.settings):
                text = self._composed(document.text)
                self.counts.read += 1
                if self._keeps(text):
                    yield Document(text, document.presplit)

    def _composed(self, text: str) -> str:
        if not self.settings.nfc or unicodedata.is_normalized("NFC", text):
            return text
        self.counts.composed += 1
        return unicodedata.normalize("NFC", text)

    def _keeps(self, text: str) -> bool:
        if not text or text.isspace():
            self.counts.empty += 1
            return False
        data = text.encode(errors="replace")
        if self.settings.deduplicate:
            key = hashlib.blake2b(data.strip(), digest_size=16).digest()
            if key in self._seen:
                self.counts.duplicates += 1
                return False
            self._seen.add(key)
        if self._tests is not None and self._tests.overlap(text):
            self.counts.overlapping += 1
            return False
        self.counts.bytes += len(data)
        return True


def _read(file: Path, settings: CorpusSettings) -> Iterator[Document]:
    known = format_of(file)
    if known is None or known.named:
        yield from (Document(text, presplit=False) for _, text in iterate_texts(file, settings.text))
        return
    layout = layout_of(file) if settings.layout == "auto" else settings.layout
    yield from (Document(text, presplit=layout == "sentences") for text in text_documents(file, layout))
