"""Windows put together from pieces are the sequences that the tokenizer itself makes of a pair of texts."""

import numpy as np
import pytest
from tests.text.families import byte_pairs, unigrams

from wordworth.tasks.question_answering.pair_template import PairTemplate
from wordworth.text.tokenizer import Tokenizer

PAIRS = [("the cat", "on the mat"), ("don't you know", "hello"), ("a", "a b c d e")]


@pytest.fixture(scope="module", params=["bert", "roberta", "gpt2", "xlm_roberta"])
def tokenizer(request, letters, tmp_path_factory):
    if request.param == "bert":
        return letters
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "xlm_roberta":
        return Tokenizer.read(unigrams(folder))
    special = {"roberta": ["<s>", "<pad>", "</s>", "<unk>", "<mask>"], "gpt2": ["<|endoftext|>"]}[request.param]
    return Tokenizer.read(byte_pairs(folder, special))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_texts_encoded_alone_and_framed_are_the_pair_as_encoded_at_once(tokenizer, first, second):
    frame = PairTemplate.of(tokenizer)
    (whole,) = tokenizer.encode([first], [second])
    alone = [ids.astype(np.int64) for ids in tokenizer.ids([first, second], special=False)]
    ids, segments = frame.around(*alone)
    assert ids.tolist() == whole.ids.tolist()
    assert segments.tolist() == whole.segments.tolist()
    assert frame.num_special == len(whole) - sum(map(len, alone))


def test_empty_texts_leave_the_special_tokens_alone(tokenizer):
    frame, nothing = PairTemplate.of(tokenizer), np.zeros(0, dtype=np.int64)
    ids, segments = frame.around(nothing, nothing)
    assert len(ids) == len(segments) == frame.num_special


def test_bert_has_a_mark_before_one_between_and_one_after(letters):
    frame = PairTemplate.of(letters)
    assert [letters.token(int(part)) for part in (*frame.before, *frame.between, *frame.after)] == [
        *("[CLS]", "[SEP]", "[SEP]"),
    ]
    assert frame.segments == (0, 0, 0, 1, 1)
