"""Stores that do not belong together are refused."""

import pytest
from tests.training.pretraining.small_run import settings

from wordworth.errors import BadInput
from wordworth.text.corpus.token_store import TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.run import pretrain


def test_a_held_out_store_of_another_tokenizer_is_refused(corpus, tmp_path):
    learned = TokenStore.open(corpus)
    (tmp_path / "vocab.txt").write_text("\n".join([*list(learned.tokenizer.vocabulary)[:5], "fox", "the", "."]) + "\n")
    (tmp_path / "text.txt").write_text("the fox.\n")
    build_store(tmp_path / "text.txt", Tokenizer.wordpiece(tmp_path / "vocab.txt"), tmp_path / "seen")
    with pytest.raises(BadInput, match="seen: this corpus was tokenized with another tokenizer"):
        pretrain(settings(corpus, tmp_path / "out", held_out=tmp_path / "seen"))
