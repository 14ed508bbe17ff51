"""Sets and tables small enough to be seen through."""

import numpy as np
from safetensors.numpy import save_file

NAMES = [f"w{place}" for place in range(24)]
VECTORS = dict(zip(NAMES, np.random.default_rng(0).normal(size=(24, 6)), strict=True))


def pairs(*names, count=12):
    """Pairs of neighbours on the list of names, rated by their true cosines."""
    listed = list(zip(names or NAMES, (names or NAMES)[1:], strict=False))[:count]
    rated = [
        (a, b, VECTORS[a] @ VECTORS[b] / np.linalg.norm(VECTORS[a]) / np.linalg.norm(VECTORS[b])) for a, b in listed
    ]
    return "".join(f"{a}\t{b.upper() if b == 'w1' else b}\t{rating:.4f}\n" for a, b, rating in rated)


def questions(names):
    rows = zip(names, names[1:], names[2:], names[3:], strict=False)
    return ": all\n" + "".join(f"{' '.join(words_of_it)}\n" for words_of_it in rows)


def related():
    rows, prototypes = ["category\tsplit\tword1\tword2\trating\tn_shown"], ["category\tword1\tword2\tname"]
    rng = np.random.default_rng(1)
    for number in range(11):
        prototypes.append(f"{number}a\tw{number}\tw{number + 1}\tRANK")
        for pair in range(11):
            a, b = rng.choice(24, 2, replace=False)
            rows.append(f"{number}a\ttesting\tw{a}\tw{b}\t{pair * 7 % 11}\t9")
    rows += ["0a\ttesting\tdragon\tw3\t7\t9", "1b\ttraining\tw1\tw2\t1\t9"]
    return "\n".join(rows), "\n".join(prototypes)


FILES = {
    "sim/EN-RG-65.txt": pairs() + "w3\tdragon\t9.5\n",
    "sim/EN-MC-30.txt": pairs(count=11),
    "analogy/questions-words.txt": questions([*NAMES, "dragon"]),
    "categories/essli-2008.tsv": "category\tword\n"
    + "".join(f"{'rich' if place % 3 else 'poor'}\t{name}\n" for place, name in enumerate([*NAMES, "dragon"])),
    "relation/semeval2012_task2_ratings.tsv": related()[0],
    "relation/semeval2012_task2_paradigms.tsv": related()[1],
}


def table(path, vectors=VECTORS):
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    return path


def part(*names, noise=0.0):
    """A table of some words only, its vectors shaken."""
    rng = np.random.default_rng(2)
    return {name: VECTORS[name] + noise * rng.normal(size=6) for name in names}


def write_tiny_table(folder, pieces):
    """A table of pieces as model2vec writes it; whatever is spelled in them is known."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {"[UNK]": 0, **{piece: row for row, piece in enumerate(pieces, start=1)}}
    vocabulary |= {f"##{piece}": len(pieces) + row for row, piece in enumerate(pieces, start=1)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    vectors = np.random.default_rng(3).normal(size=(len(vocabulary), 6)).astype(np.float32)
    save_file({"embeddings": vectors}, folder / "model.safetensors")
    (folder / "config.json").write_text('{"model_type": "model2vec", "normalize": true}')
    return folder
