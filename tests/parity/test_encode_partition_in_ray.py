"""Ray Data over `encode_partition`: the bytes of one process, also where a worker is killed in the middle."""

import os
import signal
from functools import partial

import pyarrow as pa
import pytest
from tests.serving.served import tiny_encoder

from wordworth.inference.embed_settings import EmbedSettings
from wordworth.inference.encode_partition import encode_partition

ray = pytest.importorskip("ray")
data = pytest.importorskip("ray.data")
pytestmark = [pytest.mark.peers, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ROWS, BATCH = 400, 50


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("is_killed", [False, True])
def test_vectors_are_those_of_one_process(tmp_path, is_killed):
    tiny_encoder(tmp_path / "tiny")
    settings = EmbedSettings(model=str(tmp_path / "tiny"), dtype="float32", threads=1)
    rows = [{"row": row, "text": "a bad cab the zebra " * (row % 7)} for row in range(ROWS)]
    flag = tmp_path / "killed"

    def work(table):
        if is_killed and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return encode_partition(table, settings)

    table = pa.Table.from_pylist(rows)
    done = data.from_arrow(table).repartition(ROWS // BATCH).map_batches(work, batch_format="pyarrow", batch_size=BATCH)
    found = pa.concat_tables(ray.get(done.to_arrow_refs())).sort_by("row")
    alone = pa.concat_tables(
        map(
            partial(encode_partition, settings=settings), (table.slice(start, BATCH) for start in range(0, ROWS, BATCH))
        )
    )
    assert flag.exists() == is_killed
    assert found["row"].to_pylist() == alone["row"].to_pylist()
    assert found["vector"].combine_chunks().to_pylist() == alone["vector"].combine_chunks().to_pylist()
