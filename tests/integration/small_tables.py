"""Small tables, as lists of dicts, that a function of each kind reads: texts, pairs, senses, visits and more."""

from itertools import permutations

from tests.training.pretraining.conftest import documents

from wordworth.testing.sample_tasks import sample_task


def labelled_texts(number, seed=0):
    """Return rows of a sample task of single texts, each with its label's name."""
    task = sample_task("single", number, seed)
    labels = (task.label_text(label, row) for row, label in enumerate(task.labels))
    return [{"text": text, "label": label} for text, label in zip(task.examples.first, labels, strict=True)]


ROWS = labelled_texts(90)
POOL = [{"text": row["text"]} for row in labelled_texts(150, seed=1)]
TEXTS = [{"text": row["text"]} for row in ROWS[:30]]
QUERIES = [{"query": row["text"], "id": number} for number, row in enumerate(TEXTS)]
NAMED = [
    {"text": f"The {noun} by the {landmark} was old in {year} . It left ."}
    for year in range(1900, 1905)
    for noun, landmark in (("bank", "river"), ("house", "road"))
]
SCORED = [
    {"text_a": f"the {word} cat sat on mat {n}", "text_b": f"a {word} cat was on the mat {n}", "score": n % 5}
    for n, word in enumerate(["black", "small", "old", "red", "tired", "young"] * 5)
]
LABELLED_PAIRS = [
    {"text_a": f"the cat sat on mat {n}", "text_b": f"a cat was on mat {n}", "label": ["yes", "no"][n % 2]}
    for n in range(66)
]
SENSES = [
    {"word": "bank", "sense": sense, "sentence": f"the {sense} bank {word}"}
    for sense in ("river", "stone")
    for word in ("the", "cab", "was", "left", "old", "near", "light", "water", "ran")
]
NAMES = ["Ann", "Joan", "Mary", "Ruth", "Eve", "Jane", "Lucy", "Rose"]
PRONOUNS = [
    {
        "sentence": f"{first} saw {second} because she waved {n} .",
        "pronoun": "she",
        "candidates": f"{first}|{second}",
        "answer": second if n % 2 else first,
    }
    for n in range(60)
    for first, second in [(NAMES[n % 8], NAMES[(n // 8 + n + 1) % 8])]
    if first != second
]
CORPUS = [{"text": text} for text in documents(0, 60)]
TASK, LEARNED = ([{"text": text} for text in documents(seed, count)] for seed, count in ((2, 40), (3, 120)))
KINDS = ("bad", "good", "mixed")
COSTS = [{"true": true, "predicted": predicted, "cost": 2.0} for true, predicted in permutations(KINDS, 2)]
VISITS = [
    {"patient": f"p{patient}", "date": f"2020-0{month}-01", "kind": kind, "code": f"{kind[0]}{(patient + month) % 3}"}
    for patient in range(12)
    for month in (1, 2)
    for kind in ("condition", "medication")
]
LINKS = [{"row": row, "start": 0, "end": 2, "entity": "Q1"} for row in range(3)]
CONDITIONS, MEDICATIONS = ([{"child": f"{kind}{n}", "parent": "root"} for n in range(3)] for kind in "cm")
SEQUENCES = [{"start": 2 * n, "end": 2 * n + 2, "text": NAMES[n % 8], "group": f"g{n % 3}"} for n in range(30)]
