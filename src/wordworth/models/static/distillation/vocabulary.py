"""Which words a table holds: those of a corpus, spelled as the table's own tokenizer will meet them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wordworth.text.corpus.documents import Corpus, CorpusSettings, Document, DocumentReader, corpus_files
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.corpus.txt_layouts import paragraphs
from wordworth.text.static_tokenizer import is_wordpiece
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.word_boundaries import words

_INSIDE = "##"


@dataclass(slots=True)
class Speller:
    """Words to the form in which a table's tokenizer meets them: in lower case where it lowers, say, without accents.

    What it would cut in two at a mark ("don't"), and what holds no letter, is no word of a table.
    """

    tokenizer: Tokenizer
    _known: dict[str, str] = field(default_factory=dict)
    _marked: bool = field(init=False)

    def __post_init__(self) -> None:
        self._marked = is_wordpiece(self.tokenizer)  # asked once: it reads the whole vocabulary

    def spell(self, given: Sequence[str]) -> list[str]:
        """The form of each word; "" for none."""
        fresh = [word for word in dict.fromkeys(given) if word not in self._known]
        self._known.update(zip(fresh, self._forms(fresh), strict=True))
        return [self._known[word] for word in given]

    def _forms(self, fresh: list[str]) -> list[str]:
        if not self._marked:
            lowered = [word.lower() if self.tokenizer.lowercase else word for word in fresh]
            return [word if word.isalnum() and any(map(str.isalpha, word)) else "" for word in lowered]
        return [self._joined([self.tokenizer.token(int(i)) for i in ids]) for ids in self._ids(fresh)]

    def _ids(self, fresh: list[str]) -> Iterator[Sequence[int]]:
        yield from (ids.tolist() for ids in self.tokenizer.ids(fresh, special=False))

    def _joined(self, pieces: list[str]) -> str:
        whole = pieces and not pieces[0].startswith(_INSIDE) and all(piece.startswith(_INSIDE) for piece in pieces[1:])
        if not whole or not set(pieces).isdisjoint(self.tokenizer.special_tokens.values()):
            return ""
        form = "".join(piece.removeprefix(_INSIDE) for piece in pieces)
        return form if any(map(str.isalpha, form)) else ""


def read_sentences(corpus: Corpus, settings: CorpusSettings) -> Iterator[str]:
    """The sentences of a corpus in order; documents that repeat an earlier one are left out.

    Raises:
        BadInput: there is no such file, or it cannot be read.
    """
    for document in DocumentReader(settings).documents(corpus_files(corpus)):
        yield from _sentences(document)


def _sentences(document: Document) -> Iterator[str]:
    if document.given:
        yield from document.text.split("\n")
        return
    for paragraph in paragraphs(document.text):
        yield from (paragraph[start:end] for start, end in sentences(paragraph))


def count_words(texts: Iterator[str], speller: Speller) -> Counter[str]:
    """How often each word occurs."""
    raw: Counter[str] = Counter()
    for text in texts:
        raw.update(text[start:end] for start, end in words(text))
    counts: Counter[str] = Counter()
    for form, count in zip(speller.spell(list(raw)), raw.values(), strict=True):
        if form:
            counts[form] += count
    return counts


def frequent(counts: Mapping[str, int], least: int, most: int) -> list[str]:
    """At most so many words that occur so often, the most frequent first, equal ones by their letters."""
    kept = [word for word, count in counts.items() if count >= least]
    return sorted(kept, key=lambda word: (-counts[word], word))[:most]
