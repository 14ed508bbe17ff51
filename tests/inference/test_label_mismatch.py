"""A file of amounts for a model of classes, and the like: the error says what the column holds and the model needs."""

import pytest
from tests.inference.tuned_model import write_rows, write_tuned
from tests.studies.distill.test_study import write

from wordworth.errors import BadInput
from wordworth.studies.distill import distill
from wordworth.studies.shrink import shrink
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return {kind: write_tuned(folder / kind, kind=kind, steps=1) for kind in ("single", "regression", "tags")}


TEXTS = [f"the cab {number}" for number in range(60)]
LABELS = {
    "amounts": [f"{number / 7:.2f}" for number in range(60)],
    "few amounts": [f"{number % 12 / 7:.2f}" for number in range(60)],
    "classes": ["ab"[number % 2] for number in range(60)],
    "tags": ["O B-X I-X"] * 30 + ["O O B-X"] * 30,
}


@pytest.mark.parametrize(
    ("kind", "labels", "what"),
    [
        ("single", "amounts", r"'label' holds amounts, such as '0.00', .* for classification \('bad', 'good'"),
        ("single", "few amounts", "holds amounts, such as '0.00', and the model was fine-tuned for classification"),
        ("single", "tags", "holds a tag for each word, such as 'O B-X I-X', and the model was .* for classification"),
        ("regression", "classes", "holds classes, such as 'a', .* for regression; give rows with a number each"),
        ("regression", "tags", "holds a tag for each word, .* for regression; give rows with a number each"),
        ("tags", "classes", "holds classes, such as 'a', .* for tagging .*one of these tags for each word"),
        ("tags", "amounts", "holds amounts, such as '0.00', and the model was fine-tuned for tagging"),
    ],
)
def test_a_column_of_other_labels_is_named_beside_what_the_model_was_fine_tuned_for(runs, tmp_path, kind, labels, what):
    data = write(tmp_path / "rows.csv", zip(TEXTS, LABELS[labels], strict=True))
    with pytest.raises(BadInput, match=what) as caught:
        shrink(runs[kind], data)
    assert caught.value.where == str(data)
    assert "fine-tune a model on rows like these" in caught.value.mend


def test_distill_says_it_in_the_same_words(runs, tmp_path):
    data = write(tmp_path / "rows.csv", zip(TEXTS, LABELS["amounts"], strict=True))
    with pytest.raises(BadInput, match=r"label column 'label' holds amounts, .* was fine-tuned for classification"):
        distill(runs["single"], tmp_path / "small", data=data, layers=1, method="kd")


def test_one_bad_row_among_many_good_ones_is_named_alone(runs, tmp_path):
    data = write_rows(tmp_path / "rows.csv", sample_task("regression"))
    with data.open("a", encoding="utf-8") as file:
        file.write("the cab,much\n")
    with pytest.raises(BadInput, match="label 'much' is not a number"):
        shrink(runs["regression"], data)


def test_other_classes_are_named_one_by_one(runs, tmp_path):
    data = write(tmp_path / "rows.csv", [(text, "yes" if len(text) % 2 else "no") for text in TEXTS])
    with pytest.raises(BadInput, match="was not fine-tuned on class"):
        shrink(runs["single"], data)
