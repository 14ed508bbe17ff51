"""The captions of a `languages` record: what they say of each kind of task, and that kept records have theirs."""

from pathlib import Path

import pytest
from caption_checks import CAPTION_CHECKS

from wordworth.records import Record, Table, read
from wordworth.reports.captions import with_captions
from wordworth.reports.languages_record_view import View, captions
from wordworth.reports.languages_wording import Wording

KEPT = Path(__file__).parents[2] / "docs" / "records"
TASKS = {
    None: Wording(),
    "tagging": Wording.of_tags("entity F1"),
    "parsing": Wording.of_trees(),
    "question_answering": Wording.of_answers(),
}


def table(*rows):
    return Table.of(rows, {name: f"the {name}" for name in rows[0]})


def record(task=None, **further):
    languages = table(
        {"language": "en", "served": "yes", "transfers": None},
        {"language": "de", "served": "yes", "transfers": "no"},
        {"language": "fi", "served": "no", "transfers": "yes"},
    )
    data = {"model": "mini", "source": "en", "metric": "entity F1"} | ({"task": task} if task else {})
    layers = table(*({"layer": layer, "accuracy": 0.5 + 0.1 * layer, "chance": 0.25} for layer in (0, 1)))
    return Record("languages", {}, data, {"languages": languages, "layers": layers, **further}, [])


def titles(made):
    return {name: caption.title for name, caption in captions(made).items()}


@pytest.mark.parametrize("name", ["frozen_layers", "minilm", "questions_minilm", "tags_minilm", "trees_minilm"])
@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_a_kept_record_holds_the_sentences_of_its_charts(name, check):
    check(with_captions(read(KEPT / f"languages_{name}.json")))


@pytest.mark.parametrize("task", TASKS)
def test_every_kind_of_task_has_its_words_and_counts_the_languages(task):
    words = TASKS[task]
    assert View.of(record(task)).wording == words
    made = captions(record(task))
    assert made["served"].title == "mini is surely ahead in 2 of 3"
    assert made["gaps"].title == f"{words.labels.capitalize()} of en carry over to 1 of 2 languages"
    assert words.constant in made["gaps"].notes[1]
    assert f"the same {words.labels}" in made["served"].notes[1]


def test_intervals_on_answers_are_over_contexts_not_questions():
    assert captions(record("question_answering"))["served"].notes[0] == "Answer F1 with 95 % intervals over contexts."
    assert captions(record("parsing"))["served"].notes[0] == "Labelled attachment with 95 % intervals over sentences."


def test_only_labels_of_texts_say_what_the_vectors_hold():
    assert titles(record()).keys() - titles(record("tagging")).keys() == {"translations", "layers"}
    assert titles(record())["layers"] == "The language is clearest in layer 1, 60 %"
    assert captions(record())["layers"].notes[0].endswith("; 25 % by luck.")


def test_translations_are_found_in_the_mean_of_all_languages_or_none_are_known():
    shares_of = {"model": (0.5, 0.7), "random weights": (0.1, 0.1), "character n-grams": (0.2, 0.0)}
    rows = [
        {"language": language, "system": system, "forward": share}
        for system, shares in shares_of.items()
        for language, share in zip(("de", "fi"), shares, strict=True)
    ]
    title = titles(record(retrieval=table(*rows)))["translations"]
    assert title == "60 % of translations are the nearest text, 10 % by n-grams"
    assert captions(record())["translations"].absent == "No texts are known to be translations of each other."
