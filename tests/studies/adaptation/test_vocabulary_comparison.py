"""The model's vocabulary beside one that is learned from the corpus."""

from wordworth.models.language_model import language_model
from wordworth.studies.adaptation.vocabulary_comparison import vocabulary_rows


def test_a_vocabulary_of_the_corpus_cuts_its_words_into_fewer_pieces(model, texts, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_bytes((texts / "control.jsonl").read_bytes())
    of_model, own = vocabulary_rows(language_model(model).tokenizer, ["the zebra and the okapi"], corpus)
    assert of_model["shared"] == 1
    assert 0 < own["shared"] < 0.5
    assert own["size"] > 5
