"""model2vec 0.10 loads the folders that are written, gives the same vectors, and distils the same pieces."""

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.models.load import load
from wordworth.models.static.distillation import to_static
from wordworth.testing.sample_tasks import sample_task

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]
TEXTS = list(sample_task("single").examples.first[:40])


@pytest.mark.parametrize("method", ["pc1", "mean", "pieces"])
def test_model2vec_loads_the_folder_and_gives_the_same_vectors(tmp_path, method):
    model2vec = pytest.importorskip("model2vec")
    write_tiny_encoder(tmp_path / "tiny")
    (tmp_path / "texts.txt").write_text("\n\n".join(TEXTS))
    corpus = () if method == "pieces" else (tmp_path / "texts.txt",)
    to_static(tmp_path / "tiny", *corpus, method=method, least=2, width=8).save(tmp_path / "static")
    peer = model2vec.StaticModel.from_pretrained(tmp_path / "static")
    asked = [*TEXTS, "qzx un-known words"]
    assert np.abs(load(tmp_path / "static").encode(asked) - peer.encode(asked)).max() < 1e-3  # it adds in float16


def test_pieces_are_what_model2vec_distils(tmp_path):
    """Column by column, but for the sign of each, which no principal component has of itself.

    Not to the last digit: model2vec keeps the pieces [UNK] and [PAD] among those whose components it takes and ranks.
    """
    distill = pytest.importorskip("model2vec.distill", exc_type=ImportError)
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    write_tiny_encoder(tmp_path / "tiny")
    encoder = load(tmp_path / "tiny")
    (tmp_path / "tiny" / "tokenizer.json").write_text(encoder.tokenizer.to_json())
    library = Tokenizer.from_file(str(tmp_path / "tiny" / "tokenizer.json"))
    marks = {f"{role}_token": token for role, token in encoder.tokenizer.special_tokens.items()}
    PreTrainedTokenizerFast(tokenizer_object=library, **marks).save_pretrained(tmp_path / "tiny")
    peer = distill.distill(str(tmp_path / "tiny"), pca_dims=8, quantize_to="float32", device="cpu")
    made = to_static(tmp_path / "tiny", method="pieces", width=8, sif=1e-4, half=False)
    names = {token: row for token, row in peer.tokenizer.get_vocab().items() if token in made.entries}
    assert len(names) > 50
    ours = made.vectors[[1 + made.entries.index(name) for name in names]]
    theirs = peer.embedding[list(names.values())]
    turned = ours * np.sign((ours * theirs).sum(axis=0))
    assert (np.linalg.norm(turned - theirs, axis=0) < 0.1 * np.linalg.norm(theirs, axis=0)).all()
