"""Choices between an entailed and a contradicted hypothesis, from files of natural language inference."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task
from wordworth.tasks.formats.nli_as_multiple_choice import choice_part, own_choices
from wordworth.text.read_compressed_file import RawFile, read_raw

PAIRS = (
    "premise,hypothesis,label\n"
    "It rains.,It is wet.,entailment\n"
    "It rains.,It is dry.,contradiction\n"
    "It rains.,We stay in.,neutral\n"
    " It rains. ,The sun shines.,Contradiction\n"
    "He sleeps.,He is awake.,contradiction\n"
    "It rains.,It pours.,-\n"
)
UNNAMED = {"text": None, "text_b": None, "label": None}


def own(tmp_path, content, **named):
    path = tmp_path / "nli.csv"
    path.write_text(content)
    return own_choices(read_raw(path), UNNAMED | named)


def options_of(part):
    """Right and wrong option of each choice."""
    pairs = zip(part.examples.options, part.labels, strict=True)
    return {(options[label], options[1 - label]) for options, label in pairs}


def test_a_premise_gives_a_choice_for_each_entailed_and_contradicted_hypothesis(tmp_path):
    part = own(tmp_path, PAIRS)
    assert options_of(part) == {("It is wet.", "It is dry."), ("It is wet.", "The sun shines.")}
    assert part.examples.first == ("It rains.", "It rains.")
    assert "2 choices between" in part.notes[-1].text


def test_columns_may_have_other_names(tmp_path):
    renamed = PAIRS.replace("premise,hypothesis,label", "p,h,verdict")
    assert len(own(tmp_path, renamed, text="p", text_b="h", label="verdict")) == 2


@pytest.mark.parametrize(("text", "error"), [
    ("premise,label\nIt rains.,entailment\n", "no pairs of a premise and a hypothesis with a label"),
    (PAIRS.replace("contradiction", "neutral").replace("Contra", "contra"), "no premise has both"),
    (PAIRS.replace("entailment", "neutral"), "no pair has the label entailment"),
    (PAIRS.replace("neutral", "maybe"), "line 4: label 'maybe' is not one of entailment, neutral, contradiction"),
])  # fmt: skip
def test_a_file_without_choices_is_refused_in_one_line(tmp_path, text, error):
    if "no premise" in error:
        text = text.replace("It rains. ,The sun", "It snows. ,The sun")
    with pytest.raises(BadInput, match=error):
        own(tmp_path, text)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("pq"), st.sampled_from("abcd"), st.sampled_from(["entailment", "contradiction", "neutral"])
        ),
        max_size=12,
    )
)
def test_choices_are_all_pairs_of_both_labels_of_one_premise(rows):
    of = {(premise, label): {h for p, h, each in rows if (p, each) == (premise, label)} for premise, _, label in rows}
    wanted = {
        (premise, right, wrong)
        for premise in "pq"
        for right, wrong in product(of.get((premise, "entailment"), ()), of.get((premise, "contradiction"), ()))
        if right != wrong
    }
    columns = tuple(zip(*rows, strict=True)) or ((), (), ())
    try:
        part = choice_part(RawFile("nli.csv", ".csv", "", b""), *columns)
    except BadInput:
        assert not wanted
        return
    pairs = zip(part.examples.first, part.examples.options, part.labels, strict=True)
    made = [(premise, options[label], options[1 - label]) for premise, options, label in pairs]
    assert set(made) == wanted
    assert len(made) == len(wanted)


def test_named_sets_have_a_variant_of_choices(tmp_path):
    text = PAIRS.replace("premise,hypothesis", "text_a,text_b").replace("Contra", "contra").replace(",-", ",neutral")
    files = {"train.csv": text, "train_holdout.csv": text}
    task = named_task("snli:choice", folder=write(tmp_path, files))
    assert (task.kind, len(task.train), len(task.test)) == ("multiple_choice", 2, 2)
    assert named_task("snli", folder=tmp_path).kind == "pair_classification"
    with pytest.raises(BadInput, match="mnli has no variant 'chioce'; write mnli:choice"):
        named_task("mnli:chioce", folder=tmp_path)


def test_pairs_without_agreement_are_left_out(tmp_path):
    rows = [("It rains.", "It is wet.", label) for label in ("entailment", "-", "neutral")]
    lines = "".join(f'{{"sentence1": "{a}", "sentence2": "{b}", "gold_label": "{c}"}}\n' for a, b, c in rows)
    files = {"snli_1.0_train.jsonl": lines, "snli_1.0_dev.jsonl": lines}
    assert len(named_task("snli", folder=write(tmp_path, files)).train) == 2
