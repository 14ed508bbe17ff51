"""`wordworth phrases`: a corpus becomes a file of phrases that pretraining masks whole."""

from tests.cli.terminal import wordworth
from tests.training.pretraining.conftest import PIECES


def corpus(folder):
    (folder / "tok").mkdir()
    (folder / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "text.txt").write_text("the king fox sees the dog. a dog hears the king fox.\n" * 9 + "a cat sees.\n")
    return folder


def test_a_corpus_becomes_a_file_of_phrases(tmp_path):
    corpus(tmp_path)
    done = wordworth("phrases", tmp_path / "text.txt", "--tokenizer", tmp_path / "tok", "--out", tmp_path / "p.txt")
    assert done.code == 0
    assert "phrases, such as" in done.out
    assert "king fox" in done.out
    assert (tmp_path / "p.txt").read_text().startswith("king fox\t1.0000\t18\n")


def test_a_corpus_without_phrases_is_one_line(tmp_path):
    corpus(tmp_path)
    words = ("phrases", tmp_path / "text.txt", "--tokenizer", tmp_path / "tok", "--min-count", 900)
    done = wordworth(*words, "--out", tmp_path / "p.txt")
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("wordworth: ")
    assert "no two neighbouring words" in done.err
    assert not (tmp_path / "p.txt").exists()
