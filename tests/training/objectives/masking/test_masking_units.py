"""What is masked together: a piece, a whole word, or a span of words."""

import numpy as np
import pytest
from tests.text.subwords.conftest import scripts, trained  # noqa: F401 - fixtures
from tests.training.objectives.instances import CONTINUATIONS, SPECIALS, instances, many

from wordworth.text.corpus.token_store import Vocabulary
from wordworth.training.objectives.masking.mask_sampling import Text
from wordworth.training.objectives.masking.masking_units import SingleTokens, Spans, WholeWords

MADE = instances([[7, 130, 131, 8], [9]])  # 130 and above continue a word


def read(made):
    return Text.read(made.ids, made.starts, SPECIALS, ~CONTINUATIONS[made.ids])


def runs(unit, made=MADE, seed=0):
    """The groups as lists of ids."""
    groups = unit.groups(read(made), np.random.default_rng(seed))
    bounds = zip(groups.firsts, groups.firsts + groups.lengths, strict=True)
    return [made.ids[first:end].tolist() for first, end in bounds]


def test_single_tokens_are_masked_one_by_one():
    assert runs(SingleTokens()) == [[7], [130], [131], [8], [9]]
    assert not SingleTokens().together


def test_the_pieces_of_a_word_are_masked_together_but_replaced_one_by_one():
    assert runs(WholeWords()) == [[7, 130, 131], [8], [9]]
    assert not WholeWords().together


def test_a_span_is_whole_words_of_one_sequence_and_is_replaced_as_one():
    assert Spans().together
    words = [[7, 130, 131], [8], [9]]
    for seed in range(20):
        assert [id_ for run in runs(Spans(), seed=seed) for id_ in run] == [id_ for word in words for id_ in word]
        assert runs(Spans(), seed=seed)[-1] == [9]
        assert all(run[0] < 120 for run in runs(Spans(), seed=seed))


def test_lengths_of_spans_are_those_of_the_paper():
    """Joshi et al. 2020, section 3.1: geometric with p = 0.2, at most 10 words, 3.8 words on average."""
    made = many(40, 512)
    text = read(made)
    groups, words = Spans().groups(text, np.random.default_rng(0)), text.words()
    lengths = np.diff(np.searchsorted(words.firsts, [*groups.firsts, len(made.ids)]))
    assert lengths.max() == 10
    assert lengths.mean() == pytest.approx(3.8, abs=0.1)
    counts = np.bincount(lengths, minlength=11)[1:]
    assert counts[1] / counts[0] == pytest.approx(0.8, abs=0.06)


def test_a_span_of_at_most_one_word_is_a_word():
    assert runs(Spans(longest=1)) == runs(WholeWords())


@pytest.mark.parametrize("algorithm", ["wordpiece", "byte-level", "unigram"])
def test_whole_words_are_those_of_the_text_for_each_kind_of_vocabulary(trained, algorithm):  # noqa: F811 - a fixture
    vocabulary, literal = Vocabulary.of(trained[algorithm].tokenizer), trained[algorithm].tokenizer.literal()
    (ids,) = literal.ids(["bakosal, ताकि 天地 so)"])
    text = Text.read(ids, np.array([0, len(ids)]), vocabulary.special, vocabulary.word_starts.find(ids))
    groups = WholeWords().groups(text, np.random.default_rng(0))
    words = [
        "".join(literal.tokens(ids[first : first + size]))
        for first, size in zip(groups.firsts, groups.lengths, strict=True)
    ]
    plain = [word.strip("Ġ▁").replace("##", "") for word in words]
    assert len(plain) == 7
    assert (plain[0], plain[1], plain[-2], plain[-1]) == ("bakosal", ",", "so", ")")
