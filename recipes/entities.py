"""Texts with links to WordNet's synsets for `wordworth kg` and `wordworth study entities`.

    python recipes/entities.py --data DATA --out wordnet/
    wordworth kg train wordnet/triples.tsv --dimension 64 --batch-size 2048 --epochs 20 --out kg/
    wordworth kg fuse mini kg/ --out fused/
    ADAPT="--epochs 2 --override batch_size=16 --override learning_rate=5e-4 --held-out wordnet/held_out.jsonl"
    wordworth adapt fused/ --corpus wordnet/semcor.jsonl $ADAPT --override objectives=mlm,dea --out linked/
    wordworth adapt fused/ --corpus wordnet/semcor_unlinked.jsonl $ADAPT --out unlinked/
    STUDY="wordworth study entities --model linked/ --control unlinked/"
    $STUDY wordnet/relations.csv --test wordnet/relations_test.csv --out runs/relations/
    $STUDY wordnet/types.jsonl --test wordnet/types_test.jsonl --kind multilabel --out runs/types/
    $STUDY wordnet/fewrel.csv --test wordnet/fewrel_test.csv --out runs/fewrel/
    $STUDY wordnet/wic.csv --test wordnet/wic_test.csv --out runs/wic/
    $STUDY wordnet/coarsewsd.csv --test wordnet/coarsewsd_test.csv --out runs/coarsewsd/

SemCor's words are linked to their senses, which people chose. In the other texts nobody chose them:

* relations (SemEval 2010 task 8; FewRel) and types of mentions (Open Entity): a nominal is linked to the noun that it,
  or its last word, most often is in SemCor, or to its only noun. Pronouns, and names that WordNet lacks, have no
  entity; the last word of a name may be another thing ("Jarrett Bush" is linked to the plant).
* same or other sense (WiC): nouns and verbs are linked to the synset that their form most often has in SemCor, or to
  their only noun. The target has the most frequent synset of its lemma in both sentences, not its sense there: its
  entity says nothing of the answer, and what entities add comes from the words around it.
* senses (CoarseWSD-20): nouns and verbs likewise; the target has no entity. Of the seven words of which every sense has
  100 rows or more, 60 of each sense are learned and 30 tested on. The 16 senses are the classes of one task, each with
  its word in its name: the word alone tells a class from most others, so who knows nothing else is right in 44 %.

Scores of CoarseWSD-20, so cut, and of FewRel, whose validation part is split anew, compare with no published ones.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from parts.linked_tasks import coarsewsd, fewrel, relations, types, wic
from parts.wordnet_links import Lemmas, Words, counted_senses, semcor, synsets_of_senses, triples
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.text.entity_links import Mention, write_links

HELD_OUT = 20
"""Documents of SemCor that are only evaluated on, the last ones."""
FEWREL = {"train": 188, "test": 75}
"""Rows of each of FewRel's 16 relations."""
COARSEWSD = {"train": 60, "test": 30}
"""Rows of each sense of CoarseWSD-20."""


def write_jsonl(path: Path, rows: Iterable[dict[str, object]]) -> None:
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_csv(path: Path, rows: Iterable[dict[str, str]]) -> None:
    first, *further = rows
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(first))
        writer.writeheader()
        writer.writerows([first, *further])


def write_semcor(path: Path, out: Path, synsets: dict[str, str], linked: set[str]) -> None:
    """Write SemCor with links and without.

    Args:
        path: the file of SemCor.
        out: the folder to write.
        synsets: sense key -> synset.
        linked: synsets that have vectors.
    """
    documents = [sentences for _, sentences in semcor(path, synsets, linked)]
    learned, held_out = documents[:-HELD_OUT], documents[-HELD_OUT:]
    write_jsonl(out / "semcor.jsonl", ({"text": _document(each)} for each in learned))
    write_jsonl(out / "semcor_unlinked.jsonl", ({"text": _document(each, links=False)} for each in learned))
    write_jsonl(out / "held_out.jsonl", ({"text": _document(each)} for each in held_out))


def _document(sentences: Sequence[tuple[str, list[Mention]]], *, links: bool = True) -> str:
    return "\n".join(write_links(text, mentions if links else []) for text, mentions in sentences)


def write_tasks(data: Path, out: Path, lemmas: Lemmas, words: Words) -> None:
    """Write the rows of every task: a file for training, one for testing, and perhaps one to choose by.

    Args:
        data: the folder of the data.
        out: the folder to write.
        lemmas: the synsets of lemmas, for nominals.
        words: the synsets of words.
    """
    for name, file in (("relations", "train.txt.xz"), ("relations_test", "test.txt")):
        write_csv(out / f"{name}.csv", relations(data / "syntax/relations" / file, lemmas))
    for name, part in (("types", "train"), ("types_dev", "dev"), ("types_test", "test")):
        write_jsonl(out / f"{name}.jsonl", types(data / f"entity_typing/open_entity/{part}.jsonl.xz", lemmas))
    for name, part in (("wic", "train"), ("wic_dev", "dev"), ("wic_test", "test")):
        write_csv(out / f"{name}.csv", wic(data / "senses/wic/wic.tsv", part, words))
    for name, part in (("coarsewsd", "train"), ("coarsewsd_test", "test")):
        rows = coarsewsd(data / "senses/coarsewsd20", part, words, each=COARSEWSD[part])
        write_csv(out / f"{name}.csv", rows)
    train, test = fewrel(data / "relations_few/val_wiki.json.xz", lemmas, **FEWREL)
    write_csv(out / "fewrel.csv", train)
    write_csv(out / "fewrel_test.csv", test)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folders = "kg/, senses/, syntax/, entity_typing/ and relations_few/"
    parser.add_argument("--data", type=Path, required=True, help=f"folder of {folders}")
    parser.add_argument("--out", type=writable_path, default=Path("wordnet"))
    options = parser.parse_args()
    data, out = options.data, options.out
    out.mkdir(parents=True, exist_ok=True)
    synsets, graph = synsets_of_senses(data / "kg/wordnet"), list(triples(data / "kg/wordnet"))
    write_text(out / "triples.tsv", "\n".join(graph) + "\n")
    linked = {synset for line in graph for synset in line.split("\t")[::2]}
    corpus = data / "senses/semcor/semcor3.txt.xz"
    write_semcor(corpus, out, synsets, linked)
    lemmas = Lemmas(synsets, counted_senses(corpus), linked)
    write_tasks(data, out, lemmas, Words(corpus, synsets, lemmas, linked))


if __name__ == "__main__":
    run_script(main)
