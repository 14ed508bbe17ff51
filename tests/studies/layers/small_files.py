"""Small files of texts with labelled spans, made up, for tests."""

import json

import wordworth as ww

NOUNS = ["cat", "dog", "bird", "child", "teacher", "doctor"]
VERBS = ["saw", "liked", "heard", "found", "met"]


def treebank(folder, sentences=120):
    """Sentences of seven words with tags, each a document."""
    blocks = []
    for number in range(sentences):
        subject, verb, other = NOUNS[number % 6], VERBS[number % 5], NOUNS[(number + number // 6 + 1) % 6]
        words = [("the", "DET", 2, "det"), (subject, "NOUN", 3, "nsubj"), (verb, "VERB", 0, "root")]
        words += [
            ("a", "DET", 6, "det"),
            ("small", "ADJ", 6, "amod"),
            (other, "NOUN", 3, "obj:x"),
            (".", "PUNCT", 3, "punct"),
        ]
        rows = [
            f"{n}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"
            for n, (word, tag, head, relation) in enumerate(words, 1)
        ]
        blocks.append("\n".join([f"# sent_id = s{number}", *rows]))
    path = folder / "small.conllu"
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


def spans(folder, texts=80, name="spans.jsonl"):
    """Two spans a text, whose label is whether the first noun comes before the second in the alphabet."""
    lines = []
    for number in range(texts):
        first, second = NOUNS[number % 6], NOUNS[(number // 6 + 1) % 6]
        text = f"The {first} {VERBS[number % 5]} the old {second} ."
        label = "before" if first < second else "after"
        target = {"span1": [0, 2], "span2": [3, 6], "label": label}
        lines.append(json.dumps({"text": text, "targets": [target]}))
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def labelled(folder, rows=160, labels=("pets", "people")):
    """Texts of animals and of people, as a table."""
    path = folder / "mine.csv"
    lines = ["text,kind"]
    for number in range(rows):
        animal = number % 2 == 0
        noun = NOUNS[number % 3] if animal else NOUNS[3 + number % 3]
        lines.append(f'"{VERBS[number % 5]} the {noun} number {number}","{labels[not animal]}"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def two_probes(folder):
    """The folders of two probes of `mini`: `kind`, and `swapped`, whose labels are a and b."""
    for name, labels in (("kind", ("pets", "people")), ("swapped", ("b", "a"))):
        ww.probe(labelled(folder, labels=labels), folder / name, model="mini", label="kind", limit=100, draws=100)
    return [folder / "kind", folder / "swapped"]
