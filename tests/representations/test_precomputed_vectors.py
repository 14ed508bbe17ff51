from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wordworth.errors import BadInput
from wordworth.representations.precomputed_vectors import VectorFileRung
from wordworth.representations.rung import RunContext
from wordworth.testing.sample_tasks import sample_task

TASK = sample_task("single")
VECTORS = np.random.default_rng(0).normal(size=(len(TASK.examples), 5)).astype(np.float32)
VECTORS[:, :3] += 3 * np.eye(3)[TASK.labels]


def rung(path, price=0.0):
    return VectorFileRung(path, "mine", "mine", price)


def accuracy(rung, task):
    learner = rung.prepare(task, RunContext())
    said = learner.fit(task.train, np.random.default_rng(0)).predict(task.test)
    return (said.argmax(1) == task.gold(task.test)).mean()


def parquet(path, texts, vectors):
    pq.write_table(pa.table({"text": list(texts), "vector": pa.array(list(vectors))}), path)
    return path


def test_an_array_in_the_order_of_the_rows_is_learned_from(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    assert accuracy(rung(tmp_path / "v.npy"), TASK) > 0.8


def test_rows_are_found_where_only_some_of_the_file_is_used(tmp_path):
    everything = np.zeros((300, 5), dtype=np.float32)
    numbers = np.sort(np.random.default_rng(1).permutation(300)[: len(VECTORS)])
    everything[numbers] = VECTORS
    np.save(tmp_path / "v.npy", everything)
    origin = type("Origin", (), {"rows": 300})()
    assert accuracy(rung(tmp_path / "v.npy"), replace(TASK, numbers=numbers, origins=(origin,))) > 0.8


def test_texts_are_found_by_name_in_any_order(tmp_path):
    order = np.random.default_rng(1).permutation(len(VECTORS))
    path = parquet(tmp_path / "v.parquet", [TASK.examples.first[i] for i in order], VECTORS[order])
    assert accuracy(rung(path), TASK) > 0.8


def test_pairs_are_made_from_the_vectors_of_both_texts(tmp_path):
    task = sample_task("pair")
    texts = sorted({*task.examples.first, *task.examples.second})
    path = parquet(tmp_path / "v.parquet", texts, np.random.default_rng(0).normal(size=(len(texts), 4)))
    views = rung(path).prepare(task, RunContext()).views
    assert views["given"].shape == (len(task.examples), 17)
    assert views["given-likeness"].shape == (len(task.examples), 3)


def test_the_price_stands_in_its_cost(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    assert rung(tmp_path / "v.npy", price=20.0).prepare(TASK, RunContext()).cost().price_per_million == 20


def test_new_texts_without_a_vector_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    predictor = rung(tmp_path / "v.npy").prepare(TASK, RunContext()).fit(TASK.train, np.random.default_rng(0))
    with pytest.raises(BadInput, match="1 of 1 texts has no vector"):
        predictor.predict_texts(replace(TASK.examples, first=("never seen",)))


def test_too_few_rows_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS[:-1])
    with pytest.raises(BadInput, match=r"89 vectors, but the data has 90 rows"):
        rung(tmp_path / "v.npy").prepare(TASK, RunContext())


def test_a_text_without_a_vector_is_named(tmp_path):
    path = parquet(tmp_path / "v.parquet", TASK.examples.first[1:], VECTORS[1:])
    with pytest.raises(BadInput, match="has no vector, the first"):
        rung(path).prepare(TASK, RunContext())


def test_nan_is_refused(tmp_path):
    spoilt = VECTORS.copy()
    spoilt[7, 2] = np.nan
    np.save(tmp_path / "v.npy", spoilt)
    with pytest.raises(BadInput, match="NaN"):
        rung(tmp_path / "v.npy").prepare(TASK, RunContext())


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros(5), "not a table of vectors"),
        (np.zeros((5, 2), dtype=np.int64), "not a table of vectors"),
        (np.array([{"a": 1}], dtype=object), "not a readable array"),
    ],
)
def test_an_array_that_holds_no_vectors_is_refused(tmp_path, array, said):
    np.save(tmp_path / "v.npy", array, allow_pickle=True)
    with pytest.raises(BadInput, match=said):
        rung(tmp_path / "v.npy").prepare(TASK, RunContext())


def test_vectors_of_several_widths_are_refused(tmp_path):
    path = parquet(tmp_path / "v.parquet", TASK.examples.first, [[1.0, 2.0]] * 89 + [[1.0]])
    with pytest.raises(BadInput, match="several widths"):
        rung(path).prepare(TASK, RunContext())


def test_a_parquet_file_without_vectors_is_refused(tmp_path):
    pq.write_table(pa.table({"text": ["a"]}), tmp_path / "v.parquet")
    with pytest.raises(BadInput, match="no column of vectors"):
        rung(tmp_path / "v.parquet").prepare(TASK, RunContext())


def test_a_file_that_is_no_parquet_is_refused(tmp_path):
    (tmp_path / "v.parquet").write_bytes(b"not parquet")
    with pytest.raises(BadInput, match="not a readable parquet"):
        rung(tmp_path / "v.parquet").prepare(TASK, RunContext())
