"""Split files whose rows are in several languages into a file for each language."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from wordworth.errors import BadInput, nearest
from wordworth.files import sweep_dead
from wordworth.text.corpus.read_documents import corpus_files
from wordworth.text.file_formats.read import iterate_rows
from wordworth.text.read_compressed_file import suffix_of

_NAME = re.compile(r"[\w.+-]{1,64}")
_MOST = 500


def split_by_language(corpora: Sequence[Path], column: str, text: str, folder: Path) -> list[Path]:
    """Write the texts of each language into a file of its own, and return the paths of these files, sorted.

    Memory does not grow with the size of the corpora. The same rows give the same bytes.

    Args:
        corpora: files with columns, or folders of such files.
        column: column that names the language of a row.
        text: column of the texts.
        folder: folder for the files, which are named `LANGUAGE.jsonl`; each is written whole or not at all.

    Raises:
        BadInput: a file cannot be read or lacks a column, a row's language is empty or not possible as a file name, or
            a language has no text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts, with_text = dict[str, TextIO](), set[str]()
    with ExitStack() as stack:
        for file in _files_with_columns(corpora, column):
            for where, cells in iterate_rows(file):
                missing = next((name for name in (column, text) if name not in cells), None)
                if missing is not None:
                    raise BadInput(f"column {missing!r} not found", where=str(file), mend=nearest(missing, cells))
                language = _checked(cells[column].strip(), column, where)
                if language not in parts:
                    if len(parts) == _MOST:
                        what = f"column {column!r} has more than {_MOST} values"
                        raise BadInput(what, where=str(file), mend="name the column of the languages")
                    parts[language] = _opened(folder / f"{language}.jsonl", stack)
                if cells[text].strip():
                    with_text.add(language)
                parts[language].write(json.dumps({"text": cells[text]}, ensure_ascii=False) + "\n")
        _require_text(parts.keys() - with_text, corpora)
        for part in parts.values():
            part.close()
        return [_part(folder / f"{language}.jsonl").replace(folder / f"{language}.jsonl") for language in sorted(parts)]


def _files_with_columns(corpora: Sequence[Path], column: str) -> list[Path]:
    """Return the files of the corpora; raise BadInput for a text file, which has no columns."""
    files = corpus_files(list(corpora))
    text = next((file for file in files if suffix_of(file.name) == ".txt"), None)
    if text is not None:
        mend = "give files with columns (.jsonl, .csv, .parquet), or a folder a language and no column"
        raise BadInput(f"a text file has no column {column!r}", where=str(text), mend=mend)
    return files


def _require_text(silent: Collection[str], corpora: Sequence[Path]) -> None:
    """Raise BadInput if there are `silent` languages, whose rows are all blank."""
    if silent:
        where = ", ".join(map(str, corpora[:3]))
        mend = "fill its rows in, or remove them"
        raise BadInput(f"the language {min(silent)!r} has no text", where=where, mend=mend)


def _opened(target: Path, stack: ExitStack) -> TextIO:
    """Open a temporary file that is to be renamed to `target`; the stack removes it if it still exists at the end."""
    sweep_dead(target)
    stack.callback(_part(target).unlink, missing_ok=True)
    return stack.enter_context(_part(target).open("w", encoding="utf-8"))


def _part(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def _checked(language: str, column: str, where: str) -> str:
    """Return the name of a language; raise BadInput if it cannot be the name of a file."""
    if not language:
        raise BadInput(f"the {column!r} of this row is empty", where=where, mend="fill it in, or remove such rows")
    if not _NAME.fullmatch(language) or language.startswith("."):
        mend = "name languages by letters, digits, dots, plus signs and hyphens, such as de or zh-Hans"
        raise BadInput(f"{language!r:.80} is no name of a language", where=where, mend=mend)
    return language
