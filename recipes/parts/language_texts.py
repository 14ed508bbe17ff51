"""Texts of several languages in two parts: documents to learn from, and documents that are never learned."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.files import write_text
from wordworth.sentence_formatting import count_of
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.read_compressed_file import lines

LEARNED, HELD_OUT = "learned", "held-out"
_TENTH = 10


def language_of(file: Path) -> str:
    """Return the language of a file: its name before the first dot."""
    return file.name.partition(".")[0]


def divide(files: Sequence[Path], more: Mapping[str, Path], folder: Path) -> None:
    """Write each language's documents to `folder/learned/LANGUAGE.jsonl` and `folder/held-out/LANGUAGE.jsonl`.

    A tenth of the documents is held out. Of texts in verses (`Book.chapter.verse`, tab, text; the name ends in `.tsv`)
    a document is a chapter, and the same chapters are held out in all languages, of those that all languages have.

    Args:
        files: a file for each language.
        more: language -> a file of further documents to learn from; those that share a run of words with the
            language's held-out documents are left out.
        folder: is made.

    Raises:
        BadInput: a language has no text, or too little to hold some out.
    """
    texts = {language_of(file): dict(_documents(file)) for file in files}
    common = set.intersection(*(set(documents) for documents in texts.values()))
    for language, documents in texts.items():
        held = {name for name in documents if _is_held_out(name) and (name in common or not common)}
        learned = [text for name, text in documents.items() if name not in held]
        _require_text(language, documents, [documents[name] for name in held])
        if language in more:
            tests = EvaluationTexts.of(documents[name] for name in held)
            learned += [text for _, text in iterate_texts(more[language]) if not tests.overlap(text)]
        for part, chosen in ((LEARNED, learned), (HELD_OUT, [documents[name] for name in sorted(held)])):
            rows = (json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in chosen)
            (folder / part).mkdir(parents=True, exist_ok=True)
            write_text(folder / part / f"{language}.jsonl", "".join(rows))


def require_languages(files: Sequence[Path], more: Mapping[str, Path]) -> None:
    """Raise BadInput if two files are of one language, or there are further texts in a language without a file."""
    of_language: dict[str, Path] = {}
    for file in files:
        other = of_language.setdefault(language_of(file), file)
        if other != file:
            mend = "name each file for its language, as de.txt"
            raise BadInput(f"{other} and {file} are both of the language {language_of(file)!r}", mend=mend)
    for language in more:
        if language not in of_language:
            raise BadInput(f"no file of {language!r} is given", where="--more", mend=nearest(language, of_language))


def texts_of(folder: Path, part: str, language: str) -> list[str]:
    """Return the documents that `divide` wrote of a language's part."""
    return [text for _, text in iterate_texts(folder / part / f"{language}.jsonl")]


def _require_text(language: str, documents: Mapping[str, str], held_out: Sequence[str]) -> None:
    """Raise BadInput if a language has no text, or no text among its held-out documents."""
    if not any(text.strip() for text in documents.values()):
        raise BadInput(f"the language {language!r} has no text", mend="give it text, or leave its file out")
    if not any(text.strip() for text in held_out):
        what = f"{count_of(len(documents), 'document')} in {language!r}: a tenth is held out, and that leaves none"
        raise BadInput(what, mend="give more documents, each in a row, paragraph or chapter of its own")


def _documents(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each document, and its text."""
    if ".tsv" not in file.suffixes:
        yield from ((f"{language_of(file)} {number}", text) for number, (_, text) in enumerate(iterate_texts(file)))
        return
    chapters = dict[str, list[str]]()
    for _, line in lines(file):
        name, _, text = line.rstrip("\r\n").partition("\t")
        chapters.setdefault(name.rpartition(".")[0], []).append(text)
    yield from ((name, " ".join(verses)) for name, verses in chapters.items())


def _is_held_out(name: str) -> bool:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big") % _TENTH == 0
