"""Vocabulary of a table: the words of a corpus, in the form in which the table's tokenizer sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wordworth.text.corpus.read_documents import Corpus, CorpusSettings, DocumentReader, corpus_files
from wordworth.text.corpus.tokenize_corpus import sentence_texts
from wordworth.text.derived_tokenizers import is_wordpiece
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.word_boundaries import words

_INSIDE = "##"


@dataclass(slots=True)
class Speller:
    """Converts words to the form that a table's tokenizer sees, for example in lower case and without accents.

    A word that the tokenizer would split at punctuation ("don't") or that has no letter is not a word of a table.
    """

    tokenizer: Tokenizer
    _known: dict[str, str] = field(default_factory=dict)
    _marked: bool = field(init=False)

    def __post_init__(self) -> None:
        self._marked = is_wordpiece(self.tokenizer)  # computed once: it reads the whole vocabulary

    def spell(self, words: Sequence[str]) -> list[str]:
        """Return each word in the form that the table's tokenizer sees; "" for a word that cannot be in the table."""
        new_words = [word for word in dict.fromkeys(words) if word not in self._known]
        self._known.update(zip(new_words, self._forms(new_words), strict=True))
        return [self._known[word] for word in words]

    def _forms(self, new_words: list[str]) -> list[str]:
        if not self._marked:
            lowered = [word.lower() if self.tokenizer.lowercase else word for word in new_words]
            return [word if word.isalnum() and any(map(str.isalpha, word)) else "" for word in lowered]
        return [self._joined([self.tokenizer.token(int(i)) for i in ids]) for ids in self._ids(new_words)]

    def _ids(self, new_words: list[str]) -> Iterator[Sequence[int]]:
        yield from (ids.tolist() for ids in self.tokenizer.ids(new_words, special=False))

    def _joined(self, pieces: list[str]) -> str:
        is_one_word = (
            pieces and not pieces[0].startswith(_INSIDE) and all(piece.startswith(_INSIDE) for piece in pieces[1:])
        )
        if not is_one_word or not set(pieces).isdisjoint(self.tokenizer.special_tokens.values()):
            return ""
        form = "".join(piece.removeprefix(_INSIDE) for piece in pieces)
        return form if any(map(str.isalpha, form)) else ""


def read_sentences(corpus: Corpus, settings: CorpusSettings) -> Iterator[str]:
    """Yield the sentences of a corpus in order, without repeated documents.

    Raises:
        BadInput: a file is missing or cannot be read.
    """
    for document in DocumentReader(settings).documents(corpus_files(corpus)):
        yield from sentence_texts(document)


def count_words(texts: Iterator[str], speller: Speller) -> Counter[str]:
    """Count the words of texts; return form of the word in the table -> number of occurrences."""
    raw: Counter[str] = Counter()
    for text in texts:
        raw.update(text[start:end] for start, end in words(text))
    counts: Counter[str] = Counter()
    for form, count in zip(speller.spell(list(raw)), raw.values(), strict=True):
        if form:
            counts[form] += count
    return counts


def frequent(counts: Mapping[str, int], least: int, most: int) -> list[str]:
    """Select the most frequent words, most frequent first, words of equal frequency alphabetically.

    Args:
        counts: word -> number of occurrences.
        least: least number of occurrences of a selected word.
        most: most words to select.
    """
    words_kept = [word for word, count in counts.items() if count >= least]
    return sorted(words_kept, key=lambda word: (-counts[word], word))[:most]
