"""The rung of a frozen encoder: each text is read once, and read anew when anything of the encoder changes."""

import logging
from dataclasses import replace

import numpy as np
import pytest
from tests.models.tiny import write_modules, write_tiny
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.models import encoder_fingerprint
from wordworth.models.cpu_inference.detect_kernels import kernel_for
from wordworth.models.cpu_inference.encoder import TOLERANCE
from wordworth.models.load import load
from wordworth.models.pooling import Normalize, SentenceHead
from wordworth.models.pruning import without_heads
from wordworth.representations import shared_encoder
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.frozen_encoder import Frozen, FrozenInt8
from wordworth.representations.heads.bilstm_crf import BiLstmCrf
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf_with_encoder import Hybrid
from wordworth.tasks.task import Examples
from wordworth.testing.rungs import rung_checks
from wordworth.testing.sample_tasks import sample_task

BRIEF = FineTuning(
    least_steps=4,
    most_steps=4,
    least_epochs=0,
    restarts=0,
    learning_rate=1e-3,
    head_learning_rate=1e-2,
    most_tokens=24,
    bf16=False,
)
SMALL_TAGGER = BiLstmCrf(hidden=8, epochs=2, least_steps=12)
needs_int8 = pytest.mark.skipif(kernel_for("int8") == "plain", reason="this machine has no int8 maps")


class Counting(ArrayCache):
    """A cache that counts what it had to compute."""

    computed = 0

    def array(self, key, compute):
        def counted():
            self.computed += 1
            return compute()

        return super().array(key, counted)


@pytest.mark.slow
@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
@pytest.mark.parametrize("rung", [Frozen, Hybrid, lambda folder: FineTuned(folder, BRIEF)])
def test_frozen_hybrid_and_fine_tuned_encoders_are_rungs(rung, check, tiny_folder, tmp_path):
    check(rung(tiny_folder), RunContext(ArrayCache(tmp_path)))


@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
def test_a_frozen_encoder_under_the_tagger_is_a_rung(check, tiny_folder, tmp_path):
    check(Frozen(tiny_folder, SMALL_TAGGER), RunContext(ArrayCache(tmp_path)))


def test_every_text_is_read_once_for_all_subsets_views_and_both_rungs(tiny_folder, tmp_path):
    task, cache = sample_task("single"), Counting(tmp_path)
    for rung in (Frozen(tiny_folder), Hybrid(tiny_folder), Frozen(tiny_folder)):
        learner = rung.prepare(task, RunContext(cache))
        for size in (20, 40, 60):
            learner.fit(task.train[:size], np.random.default_rng(0)).predict(task.test)
    assert cache.computed == 1


@pytest.mark.parametrize("rung", [Frozen, Hybrid])
def test_new_texts_are_answered_without_a_message_for_each_call(rung, tiny_folder, tmp_path, caplog):
    """Costs are measured by hundreds of such calls, all within one step."""
    task = sample_task("single")
    with caplog.at_level(logging.INFO, logger="wordworth"):
        predictor = (
            rung(tiny_folder).prepare(task, RunContext(ArrayCache(tmp_path))).fit(task.train, np.random.default_rng(0))
        )
        assert "embedding with tiny" in caplog.messages
        caplog.clear()
        predictor.predict_texts(task.examples.take(task.test[:2]))
    assert caplog.messages == []


def test_a_mended_encoder_reads_anew(tiny_folder, tmp_path, monkeypatch):
    task, cache = sample_task("single"), Counting(tmp_path)
    for lines in ("as they were", "mended", "mended"):
        monkeypatch.setattr(encoder_fingerprint, "code_key", lambda *_, lines=lines: lines)
        Frozen(tiny_folder).prepare(task, RunContext(cache))
    assert cache.computed == 2


@pytest.mark.parametrize(
    "change", [{"kernel": "another"}, {"dtype": "another"}, {"head": SentenceHead(steps=(Normalize(),))}]
)
def test_vectors_of_another_kernel_type_or_head_have_another_key(tiny_folder, change):
    encoder = shared_encoder.load_encoder(tiny_folder, "auto")
    assert encoder_fingerprint.vectors_key(replace(encoder, **change)) != encoder_fingerprint.vectors_key(encoder)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_what_opening_read_is_not_read_again_while_fitting(tmp_path, pooling):
    folder = write_tiny_encoder(tmp_path / "tiny")
    write_modules(
        folder, {"word_embedding_dimension": 32, f"pooling_mode_{pooling}_token{'s' * (pooling == 'mean')}": True}
    )
    task, cache = sample_task("single"), Counting(tmp_path / "cache")
    learner = Frozen(str(folder)).prepare(task, RunContext(cache))
    opened = cache.computed
    learner.fit(task.train, np.random.default_rng(0)).predict(task.test)
    assert (cache.computed, cache.spared) == (opened, 0)


def test_the_sentence_view_is_the_checkpoint_s_own_vector(tiny_folder, tmp_path):
    task = sample_task("single")
    learner = Frozen(tiny_folder).prepare(task, RunContext(ArrayCache(tmp_path)))
    own = learner.representation.encoder.encode(task.examples.first)
    np.testing.assert_allclose(learner.views["sentence"], own, atol=1e-5)


def test_the_views_of_a_word_are_its_first_piece_in_the_last_layers(tiny_folder, tmp_path):
    task = sample_task("tags")
    learner = Frozen(tiny_folder, SMALL_TAGGER).prepare(task, RunContext(ArrayCache(tmp_path)))
    states = learner.representation.encoder.word_states(task.examples.words, pooling="first")
    np.testing.assert_array_equal(learner.views["last"], states.layer(2))
    np.testing.assert_array_equal(learner.views["last4"], np.hstack([states.layer(1), states.layer(2)]))


def test_a_table_of_vectors_is_refused_as_an_encoder(tmp_path):
    (tmp_path / "mine.txt").write_text("good 1 2\nbad 3 4\n")
    for rung in (Frozen, FrozenInt8):
        with pytest.raises(BadInput, match="takes contextual encoders"):
            rung(str(tmp_path / "mine.txt"), LinearHead()).prepare(sample_task("single"), RunContext())


def test_texts_longer_than_the_window_are_named_so_that_a_study_can_judge_them_apart(tiny_folder, tmp_path):
    learner = Frozen(tiny_folder).prepare(sample_task("single"), RunContext(ArrayCache(tmp_path)))
    short, long = "a short text", "a long text " * 400
    assert learner.exceeds_window(Examples((short, long, short))).tolist() == [False, True, False]
    assert learner.exceeds_window(Examples((short, short), (short, long))).tolist() == [False, True]


def test_an_encoder_says_how_much_of_the_texts_it_cannot_read(tiny_folder, tmp_path):
    learner = Frozen(tiny_folder).prepare(sample_task("single"), RunContext(ArrayCache(tmp_path)))
    found = learner.vocabulary_coverage(Examples(("a b c", "这部电影非常好", "a 这", "")))
    assert (found.unit, found.num_units, found.unknown, found.blank) == ("pieces", 12, 8, 1)
    assert (found.words, found.characters) == (12, 12)


def test_the_title_has_no_comma_that_would_split_a_sentence():
    assert Frozen("minilm").title == "MiniLM (frozen)"
    assert FrozenInt8("minilm").title == "MiniLM (frozen in int8)"
    assert FineTuned("minilm").title == "MiniLM (fine-tuned)"


@pytest.mark.slow
@needs_int8
@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
@pytest.mark.parametrize("head", [LinearHead(), SMALL_TAGGER], ids=["texts", "words"])
def test_an_encoder_in_int8_is_a_rung(check, head, tiny_folder, tmp_path):
    check(FrozenInt8(tiny_folder, head), RunContext(ArrayCache(tmp_path)))


@needs_int8
@pytest.mark.parametrize("removed", [(), [(0, 1), (1, 0), (1, 3)]], ids=["whole", "without heads"])
def test_the_states_in_int8_are_its_own_and_near_those_of_the_whole_encoder(removed, tiny_folder, tmp_path):
    """One cache holds both: neither reads what the other computed."""
    encoder = load(tiny_folder)
    encoder.with_model(without_heads(encoder.model, removed)).save(tmp_path / "small")
    task, folder = sample_task("single"), str(tmp_path / "small")
    context = RunContext(ArrayCache(tmp_path / "cache"), dtype="float32")
    whole, int8 = (rung(folder).prepare(task, context).views["sentence"] for rung in (Frozen, FrozenInt8))
    cosines = (whole * int8).sum(1) / np.linalg.norm(whole, axis=1) / np.linalg.norm(int8, axis=1)
    assert 0 < (1 - cosines).mean() <= TOLERANCE["int8"]
    np.testing.assert_allclose(int8, load(folder, dtype="int8").encode(task.examples.first), atol=1e-5)


def test_a_model_without_int8_is_refused_by_the_name_of_its_rung(tmp_path):
    folder = str(write_tiny(tmp_path / "gpt", "gpt2", modules=False))
    with pytest.raises(
        BadInput, match="`rung`: int8 is not supported for a gpt2 model on this processor; leave gpt-int8 out"
    ):
        FrozenInt8(folder).prepare(sample_task("single"), RunContext())
