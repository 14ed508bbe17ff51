import pytest
from tests.studies.contextuality.data import shared

from parts.context_published import explained_adjusted, recomputed
from wordworth.errors import BadInput
from wordworth.studies.contextuality.published_curves import CURVES

REFERENCE = {
    "ELMo": (0.992, 0.587, 0.506),
    "BERT": (0.849, 0.753, 0.652, 0.578, 0.471, 0.404, 0.345, 0.346, 0.332, 0.270, 0.221, 0.164, 0.278),
    "GPT-2": (0.306, 0.277, 0.303, 0.294, 0.297, 0.292, 0.272, 0.260, 0.243, 0.223, 0.185, 0.129, 0.007),
}


@pytest.mark.parametrize("model", CURVES)
def test_the_published_curves_follow_from_the_released_statistics_to_three_decimals(model):
    assert recomputed(shared("contextual_stats"), model) == CURVES[model]


@pytest.mark.parametrize("model", REFERENCE)
def test_adjusted_self_similarity_is_the_papers(model):  # Ethayarajh 2019, figure 2
    assert CURVES[model].self_similarity == REFERENCE[model]


def test_the_other_adjusted_rows_are_the_papers():
    assert CURVES["BERT"].intra_sentence[10:] == (0.259, 0.195, 0.299)
    assert CURVES["GPT-2"].intra_sentence[:4] == (0.197, 0.181, -0.014, -0.065)
    assert explained_adjusted(shared("contextual_stats"), "ELMo") == (None, 0.030, 0.035)
    assert explained_adjusted(shared("contextual_stats"), "GPT-2")[1:4] == (-0.138, -0.683, -0.696)


def test_a_folder_without_the_statistics_is_named(tmp_path):
    with pytest.raises(BadInput, match="bert_embedding_space_stats"):
        recomputed(tmp_path, "BERT")


def test_a_damaged_file_of_words_is_named(tmp_path):
    layers = '{"layer_0": 0.1}'
    stats = ", ".join(
        f'"{name}": {layers}'
        for name in (
            "mean cosine similarity across words",
            "mean cosine similarity between sentence and words",
            "variance explained for random words",
        )
    )
    (tmp_path / "bert_embedding_space_stats.json").write_text("{" + stats + "}")
    (tmp_path / "bert_self_similarity.csv").write_text("word,layer_0\nthe,not a number\n")
    with pytest.raises(BadInput, match="bert_self_similarity"):
        recomputed(tmp_path, "BERT")
