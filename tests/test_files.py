"""Files: what stands is whole, and what a kill left behind goes."""

from wordworth.files import sweep


def test_what_a_killed_writer_left_torn_is_swept_and_nothing_else(tmp_path):
    (tmp_path / "below").mkdir()
    torn = [tmp_path / ".result.npz.12.part", tmp_path / "below" / ".a.json.7.part"]
    whole = [tmp_path / "result.npz", tmp_path / "below" / "a.part"]
    for path in (*torn, *whole):
        path.write_text("x")
    sweep(tmp_path)
    assert not any(path.exists() for path in torn)
    assert all(path.exists() for path in whole)
