"""Tagged sentences in made languages: names are spelt alike in `aa` and `bb`, and with other letters in `cc`."""

from wordworth.seeds import child

NAMES = {"PER": ["good", "fine", "great"], "LOC": ["bad", "poor", "weak"]}
COMMON = {"aa": ["the", "film", "was"], "bb": ["le", "kino", "est"], "cc": ["la", "reel", "es"]}


def sentences(language, number=60, scheme="iob2"):
    """Sentences of common words with one or two names, as lists of (word, tag)."""
    rng = child(0, "tagged", language)
    made = []
    for _ in range(number):
        words = [(word, "O") for word in rng.permutation(COMMON[language])]
        for kind in rng.choice(list(NAMES), rng.integers(1, 3)):
            name = [str(word) for word in rng.choice(NAMES[kind], rng.integers(1, 3))]
            if language == "cc":
                name = [word[::-1] for word in name]
            first = "I" if scheme == "iob1" else "B"
            words += [(word, f"{first if not at else 'I'}-{kind}") for at, word in enumerate(name)]
            words.append((str(rng.choice(COMMON[language])), "O"))
        made.append(words)
    return made


def conll(made):
    return "\n".join("".join(f"{word} {tag}\n" for word, tag in sentence) for sentence in made)


def write_folder(folder, languages=("aa", "bb", "cc"), number=60):
    folder.mkdir(exist_ok=True)
    for language in languages:
        (folder / f"{language}.conll").write_text(conll(sentences(language, number)), encoding="utf-8")
    return folder


def rows(languages=("aa", "bb"), number=60):
    """The same sentences as rows of a table."""
    return [
        {"words": [word for word, _ in sentence], "tags": [tag for _, tag in sentence], "language": language}
        for language in languages
        for sentence in sentences(language, number)
    ]
