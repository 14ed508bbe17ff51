"""Routes of text-embeddings-inference over a tiny encoder and a small fine-tuned model."""

import base64

import numpy as np
import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_prompts
from tests.serving.served import ask, ask_all, served, tiny_encoder
from tests.studies.layers.small_files import NOUNS, labelled

import wordworth as ww
from wordworth.models.canary_texts import CANARIES
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("tei") / "tiny")


@pytest.fixture(scope="module")
def app(encoder):
    with served(encoder) as made:
        yield made


def test_embed_scales_vectors_unless_told_not_to(app, encoder):
    texts = ["the cab", "zebra"]
    exact = encoder.encode(texts)
    assert np.allclose(ask(app, "/embed", {"inputs": texts, "normalize": False}).json(), exact, atol=1e-5)
    unit = exact / np.linalg.norm(exact, axis=1, keepdims=True)
    assert np.allclose(ask(app, "/embed", {"inputs": texts}).json(), unit, atol=1e-5)
    short = np.array(ask(app, "/embed", {"inputs": texts, "dimensions": 8}).json())
    assert np.allclose(np.linalg.norm(short, axis=1), 1)
    assert short.shape == (2, 8)


def test_embed_truncates_where_the_request_says_so(app, encoder):
    long = "a b " * 30
    for truncate, how in ((True, "cut"), (False, "window")):
        answer = ask(app, "/embed", {"inputs": long, "truncate": truncate, "normalize": False})
        assert np.allclose(answer.json(), encoder.encode([long], long_texts=how), atol=1e-5)


def test_embed_all_gives_every_token(app, encoder):
    states = ask(app, "/embed_all", {"inputs": ["the cab", "zebra"]}).json()
    assert np.allclose([np.mean(each, 0) for each in states], encoder.encode(["the cab", "zebra"]), atol=1e-5)


def test_embed_all_cuts_and_scales_each_token_where_that_is_asked_for(app):
    whole = np.array(ask(app, "/embed_all", {"inputs": ["the cab"]}).json()[0])
    cut = np.array(ask(app, "/embed_all", {"inputs": ["the cab"], "dimensions": 3}).json()[0])
    assert np.allclose(cut, whole[:, :3])
    unit = np.array(ask(app, "/embed_all", {"inputs": ["the cab"], "normalize": True}).json()[0])
    assert np.allclose(unit, whole / np.linalg.norm(whole, axis=1, keepdims=True), atol=1e-6)
    assert ask(app, "/embed_all", {"inputs": "a", "dimensions": 0}).status_code == 422


def test_similarity_is_the_cosine(app):
    answer = ask(app, "/similarity", {"inputs": {"source_sentence": "the", "sentences": ["the", "zebra"]}}).json()
    vectors = np.array(ask(app, "/embed", {"inputs": ["the", "zebra"]}).json())
    assert np.allclose(answer, [1, vectors[0] @ vectors[1]], atol=1e-5)


def test_similarity_reads_texts_as_its_parameters_say(app):
    long = {"source_sentence": "the " * 9 + "zebra " * 40, "sentences": ["zebra"]}
    whole, cut = (
        ask(app, "/similarity", {"inputs": long, "parameters": how}).json() for how in (None, {"truncate": True})
    )
    vectors = np.array(ask(app, "/embed", {"inputs": [long["source_sentence"], "zebra"], "truncate": True}).json())
    assert np.allclose(cut, vectors[0] @ vectors[1], atol=1e-5)
    assert abs(whole[0] - cut[0]) > 1e-4
    refused = ask(app, "/similarity", {"inputs": long, "parameters": {"prompt_name": "query"}})
    assert (refused.status_code, "no prompt 'query'" in refused.json()["error"]) == (422, True)


def test_tokens_have_their_texts(app):
    tokens = ask(app, "/tokenize", {"inputs": "The b"}).json()[0]
    assert [(each["text"], each["special"]) for each in tokens] == [
        ("[CLS]", True), ("The", False), ("b", False), ("[SEP]", True),
    ]  # fmt: skip


def test_timing_headers_are_there(app):
    headers = ask(app, "/embed", {"inputs": "the cab"}).headers
    assert headers["x-compute-characters"] == "7"
    assert headers["x-compute-tokens"] == "6"  # [CLS] the c ##a ##b [SEP]
    assert all(
        float(headers[f"x-{name}-time"]) >= 0 for name in ("compute", "total", "tokenization", "queue", "inference")
    )


def test_info_tells_model_limits_and_canaries(app, encoder):
    info = ask(app, "/info").json()
    assert (info["model_id"], info["width"], info["window"]) == ("tiny", 32, 24)
    vectors = [np.frombuffer(base64.b64decode(each), "<f4") for each in info["canaries"]["vectors"]]
    assert np.allclose(vectors, encoder.encode(list(CANARIES), long_texts="cut"), atol=1e-5)


def test_metrics_count_requests(app):
    ask(app, "/embed", {"inputs": "a"})
    assert 'te_request_success{method="embed"}' in ask(app, "/metrics").text


def test_metrics_have_the_names_of_text_embeddings_inference(encoder, tuned):
    """Those of huggingface/text-embeddings-inference@0d124dc, core/src/infer.rs and queue.rs."""
    durations = ("duration", "queue_duration", "inference_duration")
    with served(encoder) as app:
        ask(app, "/embed", {"inputs": ["a", "the cab"]})
        of_encoder = ask(app, "/metrics").text
    with served(tuned) as app:
        ask(app, "/predict", {"inputs": "a"})
        of_run = ask(app, "/metrics").text
    for what, text, number in (("embed", of_encoder, 2), ("predict", of_run, 1)):
        assert {f"te_{what}_count {number}", f"te_{what}_success {number}"} <= set(text.splitlines())
        assert all(f"te_{what}_{name}_count 1\n" in text for name in durations)
        assert f"te_request_input_length_count {number}\n" in text
        assert "te_batch_next_size_count 1\n" in text
        assert "te_batch_next_tokens_count 1\n" in text
        assert "te_queue_size 0\n" in text
    assert "te_embed" not in of_run


def test_health_is_503_until_the_model_is_loaded(encoder):
    with served(encoder, is_loaded=False) as app:
        for path, body in (("/health", None), ("/info", None), ("/embed", {"inputs": "a"})):
            answer = ask(app, path, body)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert answer.json()["error_type"] == "Unhealthy"
    with served(encoder) as app:
        assert ask(app, "/health").status_code == 200


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("tuned"))


def test_a_fine_tuned_model_predicts_as_predict_does(tuned):
    texts = ["the cab", "zebra", "a b"]
    wanted = ww.predict(tuned, texts, dtype="float32")
    with served(tuned, dtype="float32") as app:
        answers = ask(app, "/predict", {"inputs": texts}).json()
        alone = ask(app, "/predict", {"inputs": texts[0]}).json()
        info = ask(app, "/info").json()
        refused = ask(app, "/embed", {"inputs": "a"})
    assert [answer[0]["label"] for answer in answers] == list(wanted.prediction)
    for answer, (_, row) in zip(answers, wanted.iterrows(), strict=True):
        shares = {each["label"]: each["score"] for each in answer}
        assert all(
            any(abs(share - value) < 1e-4 for value in row if isinstance(value, float)) for share in shares.values()
        )
        assert sum(shares.values()) == pytest.approx(1, abs=1e-3)
    assert alone == answers[0]
    assert set(info["model_type"]["classifier"]["label2id"]) == {each["label"] for each in alone}
    assert (refused.status_code, "/predict" in refused.json()["error"]) == (424, True)


@pytest.mark.parametrize("kind", ["pair", "regression", "tags"])
def test_every_kind_of_answer_is_that_of_predict(kind, tmp_path):
    run, task = write_tuned(tmp_path, kind=kind, steps=2), sample_task(kind, 4).examples
    rows = {
        "pair": [list(pair) for pair in zip(task.first, task.second or task.first, strict=True)],
        "regression": list(task.first),
        "tags": [{"words": list(words)} for words in task.words or ()],
    }[kind]
    columns = [{"text": row[0], "text_b": row[1]} for row in rows] if kind == "pair" else rows
    wanted = list(ww.predict(run, columns, dtype="float32").prediction)
    with served(run, dtype="float32") as app:
        answers = ask(app, "/predict", {"inputs": rows}).json()
    if kind == "pair":
        assert [answer[0]["label"] for answer in answers] == wanted
    else:
        assert [next(iter(answer.values())) for answer in answers] == wanted


def test_a_model_of_pairs_reranks_as_load_run_does(tmp_path):
    run = write_tuned(tmp_path, kind="pair", steps=5)
    query, texts = "the cat", ["a", "the cat sat on it", "zebra"]
    relevant = ww.load_run(run).classes[1]
    wanted = ww.load_run(run, dtype="float32").rerank(query, texts, relevant=relevant)
    body = {"query": query, "texts": texts, "relevant": relevant}
    changes = [{"relevant": "perhaps"}, {"texts": []}, {"texts": [3]}, {"query": None}, {"raw_scores": True}]
    with served(run, dtype="float32") as app:
        ranked = ask(app, "/rerank", {**body, "return_text": True}).json()
        refused = [ask(app, "/rerank", {**body, **change}).status_code for change in changes]
    assert [each["index"] for each in ranked] == list(wanted.index)
    assert [each["score"] for each in ranked] == pytest.approx(list(wanted["score"]), abs=1e-5)
    assert [each["text"] for each in ranked] == list(wanted["text"])
    assert set(refused) == {422}


def test_what_is_no_cross_encoder_does_not_rerank(app, tuned):
    assert ask(app, "/rerank", {"query": "a", "texts": ["b"]}).status_code == 424
    with served(tuned, dtype="float32") as of_texts:
        answer = ask(of_texts, "/rerank", {"query": "a", "texts": ["b"]})
    assert (answer.status_code, "does not read two texts" in answer.json()["error"]) == (422, True)


def test_a_probe_predicts_as_load_run_does(tmp_path):
    ww.probe(
        labelled(tmp_path, labels=("pets", "people")),
        tmp_path / "probe",
        model="mini",
        label="kind",
        limit=100,
        draws=100,
    )
    texts = [f"saw the {noun} again" for noun in NOUNS]
    wanted = list(ww.load_run(tmp_path / "probe").predict(texts).prediction)
    with served(tmp_path / "probe") as app:
        answers = ask(app, "/predict", {"inputs": texts}).json()
    assert [answer[0]["label"] for answer in answers] == wanted


def test_a_rung_of_a_study_predicts_as_predict_does_and_tells_its_cost(tmp_path):
    study, texts = in_folder(tmp_path / "model").parent, ["a lovely film", "an awful dinner"]
    wanted = ww.predict(study, texts)
    with served(study) as app:
        answers = ask(app, "/predict", {"inputs": texts}).json()
        info = ask(app, "/info").json()
    assert [answer[0]["label"] for answer in answers] == list(wanted.prediction)
    for answer, (_, row) in zip(answers, wanted.iterrows(), strict=True):
        assert {each["label"]: each["score"] for each in answer} == {
            name: row[f"probability_{name}"] for name in ww.load_run(study).classes
        }
    assert info["verdict"]["title"] == "TF-IDF + linear"
    assert info["cost"]["texts"] == 2
    assert info["cost"]["thread_seconds_per_1000_texts"] > 0


def test_an_encoder_does_not_predict(app):
    assert ask(app, "/predict", {"inputs": "a"}).status_code == 424


def test_a_prompt_is_chosen_by_its_name(tmp_path):
    encoder = tiny_encoder(tmp_path / "tiny")
    write_prompts(tmp_path / "tiny", {"query": "the ", "document": ""})
    with served(ww.load(tmp_path / "tiny")) as app:
        asked = {"inputs": "cab", "normalize": False}
        requests = [("/embed", {**asked, "prompt_name": name}) for name in ("query", "document", None)]
        vectors = [answer.json()[0] for answer in ask_all(app, [(*each, None) for each in requests])]
        states = ask(app, "/embed_all", {"inputs": "cab", "prompt_name": "query"}).json()[0]
        refused = ask(app, "/embed", {**asked, "prompt_name": "querry"})
        info = ask(app, "/info").json()
        tokens, plain = (
            ask(app, "/tokenize", {"inputs": "cab", "prompt_name": name, "add_special_tokens": False}).json()[0]
            for name in ("query", None)
        )
        unknown = ask(app, "/tokenize", {"inputs": "cab", "prompt_name": "querry"})
    assert np.allclose(vectors, encoder.encode(["the cab", "cab", "cab"]), atol=1e-5)
    assert np.allclose(np.mean(states, 0), vectors[0], atol=1e-5)
    assert (refused.status_code, refused.json()["error_type"]) == (422, "Validation")
    assert "no prompt 'querry'; did you mean 'query'?" in refused.json()["error"]
    assert info["prompts"] == {"query": "the ", "document": ""}
    assert (tokens[0]["text"], [each["text"] for each in tokens[1:]]) == ("the", [each["text"] for each in plain])
    assert unknown.status_code == 422


def test_a_model_without_named_prompts_refuses_every_name(app):
    assert ask(app, "/info").json()["prompts"] == {}
    assert ask(app, "/embed", {"inputs": "cab", "prompt_name": "query"}).status_code == 422
    with served("glove") as table:
        assert ask(table, "/embed", {"inputs": "film", "prompt_name": "query"}).status_code == 422
        assert ask(table, "/info").json()["prompts"] == {}
