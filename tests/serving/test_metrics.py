"""Metrics in Prometheus' format."""

from wordworth.serving.metrics import Metrics


def test_counts_and_durations_are_as_prometheus_reads_them():
    metrics = Metrics()
    metrics.count("te_request_count", method="embed")
    metrics.count("te_request_count", 2, method="embed")
    metrics.count("te_request_count", method="predict")
    for seconds in (0.0005, 0.02, 99.0):
        metrics.observe("te_request_duration", seconds)
    lines = metrics.text({"te_queue_size": 4}).splitlines()
    assert lines.count("# TYPE te_request_count counter") == 1
    assert {'te_request_count{method="embed"} 3', 'te_request_count{method="predict"} 1'} <= set(lines)
    assert {'te_request_duration_bucket{le="0.001"} 1', 'te_request_duration_bucket{le="0.025"} 2'} <= set(lines)
    assert {'te_request_duration_bucket{le="+Inf"} 3', "te_request_duration_count 3", "te_queue_size 4"} <= set(lines)
    assert metrics.total("te_request_count") == 4
