"""Spark over `encode_partition`: the vectors of one process, by the code in docs/scale.md and by frames of pandas."""

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.serving.served import tiny_encoder

from wordworth.inference.embed_settings import EmbedSettings
from wordworth.inference.encode_partition import encode_partition

sql = pytest.importorskip("pyspark.sql")
pytestmark = [
    pytest.mark.peers,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, and there is no program java"),
]
PAGE = Path(__file__).parents[2] / "docs/scale.md"
TEXTS = ["a bad cab the zebra " * (row % 7) for row in range(400)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)  # where Spark's Java, which lives as long as the session, looks for files
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 50).getOrCreate()
        yield session
        session.stop()


@pytest.fixture
def settings(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    return EmbedSettings(model=str(tmp_path / "tiny"), dtype="float32", threads=1)


def vectors_of(texts, vectors):
    """The vector of each text, float32 [texts, width], in the order of `TEXTS`, which Spark does not keep."""
    of_text = dict(zip(texts, vectors, strict=True))
    return np.array([of_text[text] for text in TEXTS], np.float32)


def alone(settings):
    table = encode_partition(pa.table({"text": TEXTS}), settings)
    return np.array(table["vector"].to_pylist(), np.float32)


def test_the_documented_code_gives_the_vectors_of_one_process(spark, folder, settings):
    (folder / "texts").mkdir()
    for part in range(4):
        pq.write_table(pa.table({"text": TEXTS[100 * part : 100 * part + 100]}), folder / f"texts/{part}.parquet")
    code = re.search(r"## With Spark.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {"pa": pa, "encode_partition": encode_partition, "settings": settings, "__name__": "__main__"}
    exec(code, names)  # noqa: S102 - code of ours
    made = spark.read.parquet(str(folder / "vectors")).collect()
    assert len(made) == len(TEXTS)
    vectors = vectors_of([row.text for row in made], [row.vector for row in made])
    np.testing.assert_allclose(vectors, alone(settings), atol=1e-5)


def test_data_frames_of_pandas_give_the_vectors_of_one_process(spark, settings):
    def vectors(frames):
        for frame in frames:
            yield encode_partition(pa.Table.from_pandas(frame), settings).to_pandas()

    texts = spark.createDataFrame([(text,) for text in TEXTS], "text string").repartition(4)
    made = texts.mapInPandas(vectors, "text string, vector array<float>").collect()
    assert len(made) == len(TEXTS)
    vectors = vectors_of([row.text for row in made], [row.vector for row in made])
    np.testing.assert_allclose(vectors, alone(settings), atol=1e-5)
