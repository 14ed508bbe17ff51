from pathlib import Path

import pytest
from huggingface_hub import ModelCard, ModelCardData
from tests.integrations import records
from tests.reports.example_record import example

from wordworth.errors import BadInput
from wordworth.integrations.model_card import verdict_metadata, write_card
from wordworth.integrations.record_scores import scores_of

EVERY = [*records.WORTH, "finetune", "evaluate", "drawn"]


def of_name(name):
    drawn = {"finetune": records.finetuned, "evaluate": records.evaluated, "drawn": example}
    return drawn[name]() if name in drawn else records.record(name)


@pytest.mark.parametrize("name", EVERY)
def test_the_hub_reads_back_every_score_from_the_metadata(name):
    record = of_name(name)
    card = ModelCardData(**verdict_metadata(record))
    assert [result.metric_value for result in card.eval_results] == [score.value for score in scores_of(record)]
    for result, score in zip(card.eval_results, scores_of(record), strict=True):
        assert result.metric_args == (dict(score.details) or None)
        assert result.dataset_name == Path(score.dataset).name
    assert card.tags == ["wordworth"]


def test_the_metadata_speaks_the_words_of_the_hub():
    metadata = verdict_metadata(records.record("worth-single"))
    (model,) = metadata["model-index"]
    (result,) = model["results"]
    assert result["task"] == {"type": "text-classification", "name": "classification"}
    assert {metric["type"] for metric in result["metrics"]} == {"accuracy", "f1", "matthews_correlation"}
    assert result["dataset"]["split"] == "test"
    tags = verdict_metadata(records.record("worth-tags"))["model-index"][0]["results"][0]
    assert tags["task"]["type"] == "token-classification"


def test_no_path_of_the_machine_is_on_the_card(tmp_path):
    card = write_card(records.finetuned(), tmp_path).read_text(encoding="utf-8")
    assert "/home/me" not in card
    assert "ab" * 32 in card  # the file is known by its content


def test_the_folder_of_a_study_stands_for_its_record(tmp_path):
    record = records.record("worth-single")
    record.save(tmp_path / "record.json")
    assert verdict_metadata(tmp_path) == verdict_metadata(record)
    assert write_card(tmp_path, tmp_path / "a").read_text() == write_card(record, tmp_path / "b").read_text()
    with pytest.raises(BadInput, match="nowhere: cannot read"):
        write_card("nowhere", tmp_path / "c")
    with pytest.raises(BadInput, match="folder: expected a path, not None"):
        write_card(record, None)


@pytest.mark.parametrize("name", EVERY)
def test_a_card_states_the_verdict_and_a_second_one_replaces_it(name, tmp_path):
    record = of_name(name)
    path = write_card(record, tmp_path / "model")
    written = path.read_text(encoding="utf-8")
    card = ModelCard(written)
    assert record.verdict.splitlines()[0].split()[0] in card.text
    assert [result.metric_value for result in card.data.eval_results] == [score.value for score in scores_of(record)]
    assert write_card(record, tmp_path / "model").read_text(encoding="utf-8") == written


def test_a_card_that_is_there_keeps_its_text_and_its_other_results(tmp_path):
    (tmp_path / "README.md").write_text(
        "---\nlicense: apache-2.0\ntags:\n- mine\nmodel-index:\n- name: my-model\n  results:\n"
        "  - task:\n      type: text-classification\n    dataset:\n      name: Other\n      type: other\n"
        "    metrics:\n    - type: accuracy\n      value: 0.5\n---\n# My model\n\nWords of mine.\n",
        encoding="utf-8",
    )
    card = ModelCard(write_card(records.finetuned(), tmp_path).read_text(encoding="utf-8"))
    assert card.data.license == "apache-2.0"
    assert card.data.tags == ["mine", "wordworth"]
    assert card.data.model_name == "my-model"
    assert [result.metric_value for result in card.data.eval_results] == [0.5, 0.81]
    assert card.text.startswith("# My model\n\nWords of mine.\n\n<!-- wordworth: begin -->")


def test_titles_and_names_cannot_break_the_card(tmp_path):
    record = example()
    record.tables["ladder"].columns["title"][1] = "a | b <script> *x*"
    text = write_card(record, tmp_path, model_name="<b>mine</b>").read_text(encoding="utf-8")
    assert "a \\| b \\<script\\> \\*x\\*" in text
    assert "# \\<b\\>mine" in text


def test_a_card_with_broken_metadata_is_left_as_it_is(tmp_path):
    (tmp_path / "README.md").write_text("---\n: [\n---\n# Mine\n", encoding="utf-8")
    with pytest.raises(BadInput, match="metadata of this card cannot be read"):
        write_card(records.finetuned(), tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8").endswith("# Mine\n")


def test_a_study_that_scores_no_model_has_no_card(tmp_path):
    with pytest.raises(BadInput, match="no scores of a model"):
        write_card(records.record("context"), tmp_path / "model")
    assert not (tmp_path / "model").exists()
