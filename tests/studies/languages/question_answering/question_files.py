"""The same questions in made languages: `bb` is `aa` with other small words, `cc` has its words in the reverse order.

A context states a quality of three films; a question asks for one film, and the quality is the answer.
"""

import json

from wordworth.seeds import child

FILMS, QUALITIES = ["good", "fine", "great", "bad", "poor", "weak"], ["film", "story", "plot", "cast"]
SMALL = {"aa": ("the", "was", "which"), "bb": ("le", "est", "quel"), "cc": ("das", "war", "welch")}


def article(language, contexts=24):
    """A SQuAD article; questions have the same ids in every language."""
    rng, paragraphs = child(0, "questions"), []
    the, was, which = SMALL[language]
    for number in range(contexts):
        films = [str(film) for film in rng.choice(FILMS, 3, replace=False)]
        facts = [(film, f"{number} {rng.choice(QUALITIES)}") for film in films]
        turn = -1 if language == "cc" else 1
        context = " . ".join(" ".join([the, film, was, answer][::turn]) for film, answer in facts)
        questions = [
            {
                "id": f"{number}-{film}",
                "question": " ".join([which, was, film, "?"][::turn]),
                "answers": [{"text": answer, "answer_start": context.index(answer, context.index(film) * (turn > 0))}],
            }
            for film, answer in facts
        ]
        paragraphs.append({"context": context, "qas": questions})
    return {"data": [{"title": "films", "paragraphs": paragraphs}]}


def write_folder(folder, languages=("aa", "bb", "cc"), contexts=24, change=None):
    """Write a file for each language; `change` may spoil what is written."""
    folder.mkdir(exist_ok=True)
    for language in languages:
        made = article(language, contexts)
        if change:
            change(language, made)
        (folder / f"films.{language}.json").write_text(json.dumps(made), encoding="utf-8")
    return folder
