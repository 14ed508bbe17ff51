"""The recipe of masking policies: names are ranked and completed as a search over everything has it."""

from itertools import product

import numpy as np
import pytest
from tests.training.pretraining.conftest import PIECES

from parts.masking_report import difference_rows, score_rows, verdict
from parts.name_cloze import Completions, candidates_of, complete, kth_best, names_of, scored
from parts.scored import DRAWS, Scored
from wordworth.inference.fill_mask import fill
from wordworth.models.language_model import language_model
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

SENTENCES = ["the/O king/B-PER fox/I-PER sees/O", "cat/B-PER likes/O dogs/B-LOC", "zzz/B-PER king/B-PER dog/I-PER"]
TAGGED = "\n\n".join(each.replace("/", "\t").replace(" ", "\n") for each in SENTENCES) + "\n"


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    path = tmp_path_factory.mktemp("names") / "names.conll"
    path.write_text(TAGGED)
    return path


@pytest.fixture(scope="module")
def model(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("masking")
    pretrain(PretrainingConfig(stores=(corpus,), out=out, model_size="1x16", steps=1, device="cpu"))
    return out


def test_names_are_the_tokens_of_tagged_spans_without_unknown_ones(tagged, tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    tokenizer = Tokenizer.wordpiece(tmp_path / "vocab.txt")
    names = names_of(tagged, tokenizer, 512)
    assert [tokenizer.tokens(np.array(name.ids)) for name in names] == [
        ["king", "fox"],
        ["cat"],
        ["dog", "##s"],
        ["king", "dog"],
    ]
    assert [name.sentence for name in names] == [0, 1, 1, 2]
    assert {size: len(ids) for size, ids in candidates_of(names).items()} == {1: 1, 2: 3}


@pytest.mark.parametrize("k", [1, 5, 10])
def test_the_kth_best_sequence_is_that_of_a_search_over_all(k):
    logs = np.log(np.random.default_rng(0).dirichlet(np.ones(6), size=3))
    sums = sorted((logs[0, a] + logs[1, b] + logs[2, c] for a, b, c in product(range(6), repeat=3)), reverse=True)
    assert kth_best(logs, k) == pytest.approx(sums[k - 1])


def test_a_model_completes_names_and_the_answers_come_back_from_their_file(model, tagged, tmp_path):
    complete(model, tagged, tmp_path / "names.npz", "cpu", 100)
    answers = Completions.read(tmp_path / "names.npz")
    assert answers.tokens.tolist() == [2, 1, 2, 2]
    assert answers.candidates.tolist() == [3, 1, 3, 3]
    assert ((answers.ranks >= 1) & (answers.ranks <= answers.candidates)).all()
    scorer = language_model(model)
    filled = fill(scorer, "the [MASK] [MASK] sees", top=scorer.tokenizer.vocab_size)
    chances = [{guess.piece: guess.probability for guess in gap} for gap in filled.gaps]
    assert answers.nats[0] == pytest.approx(-np.log([chances[0]["king"], chances[1]["fox"]]).mean(), abs=1e-5)


def test_scores_resample_sentences_and_differences_are_paired():
    ranks = np.array([1.0, 2.0, 4.0, 1.0])
    one = Completions(ranks, np.full(4, 5), ranks < 3, ranks, np.array([1, 2, 2, 2]), np.array([0, 0, 1, 2]))
    score = scored([one, one], "mrr", 2)
    assert score.point == pytest.approx([(1 / 2 + 1 / 4 + 1) / 3] * 2)
    assert score.draws.shape == (2, DRAWS)
    assert scored([one], "completed", 1).mean == 0.75
    assert scored([one], "nats", 1).mean == 2.0
    better = Scored(score.point + 0.1, score.draws + 0.1)
    scores = {("reciprocal rank of names", "all names"): {"piece": score, "word": score, "phrase": better}}
    differences = difference_rows(scores)
    assert [(row["policy"], row["other"]) for row in differences] == [
        ("word", "piece"),
        ("phrase", "piece"),
        ("phrase", "word"),
    ]
    assert differences[1]["difference"] == pytest.approx(0.1)
    assert len(score_rows(scores)) == 3
    text = verdict(differences).text
    assert text.startswith("1 of 3 differences between masking policies cannot be told from none")
    assert "phrase +0.100 beside piece" in text
