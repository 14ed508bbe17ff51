"""Texts with links to WordNet's synsets for `wordworth kg` and `wordworth study entities`.

    python recipes/entities.py --data DATA --out wordnet/
    wordworth kg train wordnet/triples.tsv --dimension 64 --batch-size 2048 --epochs 20 --out kg/
    wordworth kg fuse mini kg/ --out fused/
    ADAPT="--epochs 2 --override batch_size=16 --override learning_rate=5e-4 --held-out wordnet/held_out.jsonl"
    wordworth adapt fused/ --corpus wordnet/semcor.jsonl $ADAPT --override objectives=mlm,dea --out linked/
    wordworth adapt fused/ --corpus wordnet/semcor_unlinked.jsonl $ADAPT --out unlinked/  # for --control
    wordworth study entities wordnet/relations.csv --test wordnet/relations_test.csv --model linked/ --out run/

SemCor's words are linked to their senses, which people chose. In SemEval 2010 task 8 (relations) and Open Entity (types
of mentions) nobody chose senses: a nominal is linked to the noun that it, or its last word, most often is in SemCor, or
to its only noun. Pronouns and names that WordNet lacks have no entity.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from wordworth.files import write_text
from wordworth.text.entity_links import Mention, write_links

HELD_OUT = 20
"""Documents of SemCor that are only evaluated on, the last ones."""
_TAGGED, _NOUN = 4, "1"
_MARKS = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_SPAN = re.compile(r"<e([12])>(.*?)</e\1>")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("s", ""))


def lines(path: Path) -> list[str]:
    """The lines of a file, packed or not."""
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return text.decode().splitlines()


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
        if len(fields) == _TAGGED:
            synset = next((synsets[key] for key in _keys(fields[2]) if synsets.get(key) in linked), "")
            mentions += [Mention(length, length + len(word), synset)] if synset else []
        words.append(word)
        length += len(word) + 1
    return " ".join(words), mentions


def _keys(field: str) -> list[str]:
    """The sense keys of a token; of several the lemma stands in the first alone."""
    lemma, _, first = field.partition("%")
    return [f"{lemma}%{sense}" for sense in first.split(";")]


class Nouns:
    """The synset that a nominal most likely stands for.

    Args:
        synsets: sense key -> synset.
        counts: how often each sense key is in SemCor.
        linked: synsets that have vectors.
    """

    def __init__(self, synsets: dict[str, str], counts: Counter[str], linked: set[str]) -> None:
        self.by_lemma: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for key, synset in synsets.items():
            lemma, _, sense = key.partition("%")
            if sense.startswith(_NOUN) and synset in linked:
                self.by_lemma[lemma].append((counts[key], synset))

    def synset(self, nominal: str) -> str:
        """The synset of the whole nominal, or else of its last word; empty if there is none."""
        words = nominal.lower().split()
        for phrase in ("_".join(words), *words[-1:]):
            for lemma in (phrase, *(phrase[: -len(a)] + b for a, b in _ENDINGS if phrase.endswith(a))):
                senses = self.by_lemma.get(lemma, [])
                if len(senses) == 1 or any(count for count, _ in senses):
                    return max(senses)[1]
        return ""


def relations(path: Path, nouns: Nouns) -> Iterator[dict[str, str]]:
    """The sentences of SemEval 2010 task 8 with both nominals marked and linked, and the relation."""
    numbered = [block for block in lines(path) if block.strip() and not block.startswith("Comment")]
    for sentence, label in zip(numbered[::2], numbered[1::2], strict=True):
        text, mentions, position = "", list[Mention](), 0
        marked = sentence.split("\t", 1)[1].strip().strip('"')
        for match in _SPAN.finditer(marked):
            text += marked[position : match.start()]
            inside, position = match[2], match.end()
            marker = "HD" if match[1] == "1" else "TL"
            mentions.append(Mention(len(text), len(text) + len(inside), nouns.synset(inside), marker))
            text += inside
        yield {"text": write_links(text + marked[position:], mentions), "label": label.strip()}


def types(path: Path, nouns: Nouns) -> Iterator[dict[str, object]]:
    """The sentences of Open Entity with the mention marked and linked, and its types."""
    for line in lines(path):
        row = json.loads(line)
        text = re.sub(r"[\[\]|]", " ", row["sent"])  # characters of links; the length stays
        start, end = row["start"], row["end"]
        mention = Mention(start, end, nouns.synset(text[start:end]), "ENT")
        yield {"text": write_links(text, [mention]), "labels": row["labels"]}


def write_jsonl(path: Path, rows: Iterator[dict[str, object]]) -> None:
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_csv(path: Path, rows: Iterator[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["text", "label"])
        writer.writeheader()
        writer.writerows(rows)


def write_semcor(data: Path, out: Path, synsets: dict[str, str], linked: set[str]) -> Counter[str]:
    """Write SemCor with links and without, and return how often each sense key occurs in it.

    Args:
        data: the folder of the data.
        out: the folder to write.
        synsets: sense key -> synset.
        linked: synsets that have vectors.
    """
    path, counts = data / "senses/semcor/semcor3.txt.xz", Counter[str]()
    for line in lines(path):
        fields = line.split("\t")
        counts.update(_keys(fields[2]) if len(fields) == _TAGGED else ())
    documents = [sentences for _, sentences in semcor(path, synsets, linked)]
    learned, held_out = documents[:-HELD_OUT], documents[-HELD_OUT:]
    write_jsonl(out / "semcor.jsonl", ({"text": _document(each)} for each in learned))
    write_jsonl(out / "semcor_unlinked.jsonl", ({"text": _document(each, links=False)} for each in learned))
    write_jsonl(out / "held_out.jsonl", ({"text": _document(each)} for each in held_out))
    return counts


def _document(sentences: Sequence[tuple[str, list[Mention]]], *, links: bool = True) -> str:
    return "\n".join(write_links(text, mentions if links else []) for text, mentions in sentences)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of kg/, senses/, syntax/ and entity_typing/")
    parser.add_argument("--out", type=Path, default=Path("wordnet"))
    options = parser.parse_args()
    data, out = options.data, options.out
    out.mkdir(parents=True, exist_ok=True)
    synsets, graph = synsets_of_senses(data / "kg/wordnet"), list(triples(data / "kg/wordnet"))
    write_text(out / "triples.tsv", "\n".join(graph) + "\n")
    linked = {synset for line in graph for synset in line.split("\t")[::2]}
    nouns = Nouns(synsets, write_semcor(data, out, synsets, linked), linked)
    for name, part in (("relations", "train.txt.xz"), ("relations_test", "test.txt")):
        write_csv(out / f"{name}.csv", relations(data / "syntax/relations" / part, nouns))
    for name, part in (("types", "train"), ("types_dev", "dev"), ("types_test", "test")):
        write_jsonl(out / f"{name}.jsonl", types(data / f"entity_typing/open_entity/{part}.jsonl.xz", nouns))


if __name__ == "__main__":
    main()
