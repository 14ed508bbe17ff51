"""WordNet, SemCor, and the synset that a word or a nominal most likely stands for."""

from __future__ import annotations

import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from wordworth.text.entity_links import Mention

_TAGGED, _POS = 4, 2
NOUN, VERB = "1", "2"
"""The first digit of a sense key after its %."""
_MARKS = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("s", ""))


def contents(path: Path) -> str:
    """The text of a file, packed or not."""
    return (lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()).decode()


def lines(path: Path) -> list[str]:
    """The lines of a file, packed or not."""
    return contents(path).splitlines()


def synsets_of_senses(folder: Path) -> dict[str, str]:
    """Sense key -> synset."""
    return dict(line.split("\t")[:2] for line in lines(folder / "senses.tsv.xz")[1:])


def triples(folder: Path) -> Iterator[str]:
    """WordNet's links between different synsets, without the header."""
    return (line for line in lines(folder / "links.tsv.xz")[1:] if line.split("\t")[0] != line.split("\t")[2])


def semcor(
    path: Path, synsets: dict[str, str], linked: set[str]
) -> Iterator[tuple[str, list[tuple[str, list[Mention]]]]]:
    """Each document of SemCor with its sentences: text, and the mentions of synsets that have vectors."""
    blocks = [list(block) for full, block in groupby(lines(path), key=bool) if full]
    for document, sentences in groupby(blocks, key=lambda block: block[0].rsplit("/", 1)[0]):
        yield document, [_sentence(block[1:], synsets, linked) for block in sentences]


def _sentence(tokens: Sequence[str], synsets: dict[str, str], linked: set[str]) -> tuple[str, list[Mention]]:
    words, mentions, length = list[str](), list[Mention](), 0
    for line in tokens:
        fields = line.split("\t")
        word = _MARKS.get(fields[0], fields[0]).replace("_", " ")
        synset = next((synsets[key] for key in _keys(fields) if synsets.get(key) in linked), "")
        mentions += [Mention(length, length + len(word), synset)] if synset else []
        words.append(word)
        length += len(word) + 1
    return " ".join(words), mentions


def _keys(fields: Sequence[str]) -> list[str]:
    """The sense keys of a token, none if it is not tagged; of several the lemma stands in the first alone."""
    if len(fields) != _TAGGED:
        return []
    lemma, _, first = fields[2].partition("%")
    return [f"{lemma}%{sense}" for sense in first.split(";")]


def counted_senses(path: Path) -> Counter[str]:
    """How often each sense key is in SemCor."""
    return Counter(key for line in lines(path) for key in _keys(line.split("\t")))


class Lemmas:
    """The synset that a lemma most often has in SemCor, or its only one.

    Args:
        synsets: sense key -> synset.
        counts: how often each sense key is in SemCor.
        linked: synsets that have vectors.
    """

    def __init__(self, synsets: dict[str, str], counts: Counter[str], linked: set[str]) -> None:
        self.senses: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        for key, synset in synsets.items():
            lemma, _, sense = key.partition("%")
            if synset in linked:
                self.senses[lemma, sense[0]].append((counts[key], synset))

    def synset(self, lemma: str, part: str = NOUN) -> str:
        """The synset of a lemma as a noun or a verb; empty if there is none, or several of which SemCor has none."""
        senses = self.senses.get((lemma.lower().replace(" ", "_"), part), [])
        return max(senses)[1] if len(senses) == 1 or any(count for count, _ in senses) else ""

    def nominal(self, nominal: str) -> str:
        """The synset of a whole nominal, or else of its last word; empty if there is none."""
        words = nominal.lower().split()
        for phrase in ("_".join(words), *words[-1:]):
            for lemma in (phrase, *(phrase[: -len(a)] + b for a, b in _ENDINGS if phrase.endswith(a))):
                if synset := self.synset(lemma):
                    return synset
        return ""


class Words:
    """The synset that a word of a text most likely stands for, by what the same form is in SemCor.

    A form that is most often a noun or a verb there has the synset that it most often has as such; a noun, or a form
    that SemCor lacks, may else have the synset of its lemma. Other forms have none: "may", "it", "in".

    Args:
        path: the file of SemCor.
        synsets: sense key -> synset.
        lemmas: the synsets of lemmas.
        linked: synsets that have vectors.
    """

    def __init__(self, path: Path, synsets: dict[str, str], lemmas: Lemmas, linked: set[str]) -> None:
        self.lemmas = lemmas
        self._parts = defaultdict[str, Counter[str]](Counter)
        self._synsets = defaultdict[tuple[str, str], Counter[str]](Counter)
        for fields in (line.split("\t") for line in lines(path)):
            if len(fields) < _POS:
                continue
            form, part = fields[0].lower(), {"N": NOUN, "V": VERB}.get(fields[1][:1], "")
            keys = [key for key in _keys(fields) if part and not _stands_for_a_name(key, fields)]
            self._parts[form][part] += 1
            self._synsets[form, part].update(synsets[key] for key in keys if synsets.get(key) in linked)

    def synset(self, word: str) -> str:
        """The synset of a word; empty if there is none."""
        form = word.lower()
        part = _commonest(self._parts[form]) if form in self._parts else NOUN
        if part and (counts := self._synsets.get((form, part))):
            return _commonest(counts)
        return self.lemmas.nominal(form) if part == NOUN else ""


def _commonest(counts: Counter[str]) -> str:
    return max(counts, key=lambda each: (counts[each], each))


def _stands_for_a_name(key: str, fields: Sequence[str]) -> bool:
    """Whether a token is a name with the sense of "person", "group" or "location", as names have that WordNet lacks."""
    return fields[1].startswith("NNP") and key.partition("%")[0] != fields[0].lower()
