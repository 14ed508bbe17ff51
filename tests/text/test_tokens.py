"""A sequence of tokens, and what may be encoded: a list of texts, and nothing that only looks like one."""

import numpy as np
import pyarrow as pa
import pytest

from wordworth.errors import BadInput
from wordworth.text.tokens import Tokens, ids_only, joined_features, require_list, require_texts


def tokens(length, **features):
    zeros = np.zeros(length, np.int64)
    offsets = np.zeros((length, 2), np.int32)
    return Tokens(zeros, zeros, offsets, zeros.astype(np.int32), features=features)


@pytest.mark.parametrize(
    "texts",
    [["a", ""], ("a", ""), iter(["a", ""]), np.array(["a", ""]), pa.array(["a", ""]), pa.chunked_array([["a"], [""]])],
)
def test_texts_may_come_in_any_sequence(texts):
    assert require_texts(texts) == ["a", ""]


def test_one_string_is_not_a_list_of_letters():
    with pytest.raises(BadInput, match="got a single text") as error:
        require_texts("abc")
    assert error.value.mend == "put it in a list: [text]"
    with pytest.raises(BadInput, match="got a set, which has no order"):
        require_texts({"a", "b"})
    with pytest.raises(BadInput, match="got one string"):
        require_list("abc")
    assert require_list(("abc",)) == ["abc"]


@pytest.mark.parametrize("missing", [None, float("nan"), 3, b"bytes"])
def test_what_is_no_text_is_named_with_its_number(missing):
    with pytest.raises(BadInput, match=rf"text 1 \(the first is 0\) is .*\({type(missing).__name__}\), not text"):
        require_texts(["a", missing])


def test_bare_ids_have_segments_offsets_and_words_of_their_length():
    made = ids_only(np.array([5, 6, 7]))
    assert len(made) == 3
    assert made.ids.tolist() == [5, 6, 7]
    assert (made.segments.shape, made.offsets.shape, made.words.shape) == ((3,), (3, 2), (3,))
    assert not made.segments.any()


def test_features_of_a_batch_stand_end_to_end():
    batch = [tokens(2, entity=np.array([1, 2])), tokens(1, entity=np.array([3]))]
    assert {name: values.tolist() for name, values in joined_features(batch).items()} == {"entity": [1, 2, 3]}
    assert joined_features([tokens(2), tokens(1)]) == {}
    assert joined_features([]) == {}


def test_a_sequence_that_lacks_a_feature_is_an_error():
    with pytest.raises(ValueError, match="different features"):
        joined_features([tokens(1, entity=np.array([1])), tokens(1)])
