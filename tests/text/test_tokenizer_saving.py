from __future__ import annotations

import pytest

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_saving import save_tokenizer


@pytest.mark.parametrize("name", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_a_saved_tokenizer_is_the_same_when_it_is_read_again(tmp_path, name, request):
    tokenizer = request.getfixturevalue(name)
    save_tokenizer(tokenizer, tmp_path / "tok")
    again = Tokenizer.read(tmp_path / "tok")
    assert again.fingerprint == tokenizer.fingerprint
    assert again.special_ids == tokenizer.special_ids
    assert again.lowercase == tokenizer.lowercase


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path, small):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot write"):
        save_tokenizer(small, tmp_path / "file" / "tok")
