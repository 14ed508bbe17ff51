"""Published tasks as rows with links to WordNet's synsets, for `wordworth study entities`."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from parts.wordnet_links import NOUN, VERB, Lemmas, Words, contents, lines
from wordworth import seeds
from wordworth.checked_json import checked
from wordworth.text.entity_links import Mention, write_links

_SPAN = re.compile(r"<e([12])>(.*?)</e\1>")
_RESERVED = re.compile(r"[\[\]|]")
"""Characters of links."""
COMMON = 100
"""Training rows that every sense of a word of CoarseWSD-20 has where the word is taken."""


def relations(path: Path, lemmas: Lemmas) -> Iterator[dict[str, str]]:
    """The sentences of SemEval 2010 task 8 with both nominals marked and linked, and the relation."""
    numbered = [block for block in lines(path) if block.strip() and not block.startswith("Comment")]
    for sentence, label in zip(numbered[::2], numbered[1::2], strict=True):
        text, mentions, position = "", list[Mention](), 0
        marked = sentence.split("\t", 1)[1].strip().strip('"')
        for match in _SPAN.finditer(marked):
            text += marked[position : match.start()]
            inside, position = match[2], match.end()
            marker = "HD" if match[1] == "1" else "TL"
            mentions.append(Mention(len(text), len(text) + len(inside), lemmas.nominal(inside), marker))
            text += inside
        yield {"text": write_links(text + marked[position:], mentions), "label": label.strip()}


def types(path: Path, lemmas: Lemmas) -> Iterator[dict[str, object]]:
    """The sentences of Open Entity with the mention marked and linked, and its types."""
    for number, line in enumerate(lines(path), start=1):
        row = checked(json.loads(line), f"{path}, line {number}")
        text = _RESERVED.sub(" ", row["sent"])  # the length stays
        start, end = row["start"], row["end"]
        mention = Mention(start, end, lemmas.nominal(text[start:end]), "ENT")
        yield {"text": write_links(text, [mention]), "labels": row["labels"]}


def fewrel(path: Path, lemmas: Lemmas, *, train: int, test: int) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Training and test rows of FewRel: no sentence is in both, and each has one relation.

    Args:
        path: the file with the sentences of each relation.
        lemmas: the synsets of lemmas.
        train: number of training rows of each relation.
        test: number of its test rows.
    """
    learned, tested, seen = list[dict[str, str]](), list[dict[str, str]](), set[str]()
    for relation, sentences in checked(json.loads(contents(path)), str(path)).items():
        rows = list[dict[str, str]]()
        for each in seeds.child(0, "fewrel", relation).permutation(len(sentences)):
            text, ends = _ends(sentences[each], lemmas)
            if text not in seen:
                rows.append({"text": write_links(text, ends), "label": relation})
            seen.add(text)
        learned += rows[:train]
        tested += rows[train : train + test]
    return learned, tested


def _ends(sentence: Mapping[str, Any], lemmas: Lemmas) -> tuple[str, list[Mention]]:
    """A sentence of FewRel with its head and tail."""
    words = [" ".join(_RESERVED.sub(" ", token).split()) for token in sentence["tokens"]]
    first_of = {"HD": sentence["h"][2][0], "TL": sentence["t"][2][0]}  # the first of perhaps several mentions
    return " ".join(words), [_nominal(words, at, lemmas, marker) for marker, at in first_of.items()]


def _nominal(words: Sequence[str], positions: Sequence[int], lemmas: Lemmas, marker: str) -> Mention:
    start = sum(len(word) + 1 for word in words[: positions[0]])
    nominal = " ".join(words[positions[0] : positions[-1] + 1])
    return Mention(start, start + len(nominal), lemmas.nominal(nominal), marker)


def wic(path: Path, split: str, words: Words) -> Iterator[dict[str, str]]:
    """The pairs of WiC with their target marked, and whether it has one sense in both (T) or two (F).

    Every noun and verb is linked as `words` does. The target has the most frequent synset of its lemma in both
    sentences, whatever its sense there: so its entity says nothing of the label, and what may help is the context's.

    Args:
        path: the file of all pairs.
        split: train, dev or test.
        words: the synsets of words.
    """
    for row in csv.DictReader(lines(path), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["split"] == split:
            target = words.lemmas.synset(row["word"], {"N": NOUN, "V": VERB}[row["pos"]])
            targets = zip((row["sentence1"], row["sentence2"]), row["indices"].split("-"), strict=True)
            first, second = (_marked(text.split(" "), int(index), target, words) for text, index in targets)
            yield {"text_a": first, "text_b": second, "label": row["label"]}


def coarsewsd(folder: Path, split: str, words: Words, *, each: int) -> Iterator[dict[str, str]]:
    """The sentences of CoarseWSD-20 with their target marked, and its sense, whose name begins with the word.

    Taken are the words of which every sense has `COMMON` training rows. The nouns and verbs around the target are
    linked as `words` does; the target has no entity.

    Args:
        folder: the folder of the data set.
        split: train or test.
        words: the synsets of words.
        each: number of rows of each sense that are drawn.
    """
    names = json.loads(contents(folder / "classes.json"))
    rows = [line.split("\t") for line in lines(folder / "coarsewsd20.tsv.xz")[1:]]
    learned = Counter((word, sense) for word, part, sense, *_ in rows if part == "train")
    for word, senses in names.items():
        if min(learned[word, sense] for sense in senses) < COMMON:
            continue
        for sense, name in senses.items():
            own = [row[3:] for row in rows if row[:3] == [word, split, sense]]
            drawn = seeds.child(0, "coarsewsd", split, name).permutation(len(own))[:each]
            for index, sentence in (own[row] for row in sorted(drawn)):
                tokens = _RESERVED.sub(" ", sentence).split(" ")
                yield {"text": _marked(tokens, int(index), "", words), "label": name}


def _marked(tokens: Sequence[str], target: int, entity: str, words: Words) -> str:
    """A sentence with its words linked and its target marked, which has an entity of its own."""
    mentions, length = list[Mention](), 0
    for number, token in enumerate(tokens):
        synset, marker = (entity, "ENT") if number == target else (words.synset(token), "")
        mentions += [Mention(length, length + len(token), synset, marker)] if synset or marker else []
        length += len(token) + 1
    return write_links(" ".join(tokens), mentions)
