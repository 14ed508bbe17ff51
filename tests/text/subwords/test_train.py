from __future__ import annotations

import json
import subprocess
import sys

import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.special_tokens import SPECIAL
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.subwords.word_counts import ALWAYS
from wordworth.text.tokenizer import Tokenizer

SYLLABLES = ["ba", "ko", "ti", "mu", "re", "sal", "ven", "Dor", "né", "ло", "猫"]
TRAIN = """
import sys
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
train_tokenizer(sys.argv[1], sys.argv[2], TokenizerSettings(size=300))
"""


def corpus(folder, documents=300):
    draw = child(0, "words")
    words = ["".join(draw.choice(SYLLABLES, size=draw.integers(1, 4))) for _ in range(400)]
    texts = [" ".join(draw.choice(words, size=40)) + "." for _ in range(documents)]
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


@pytest.mark.parametrize("lowercase", [True, False])
def test_a_vocabulary_has_the_size_asked_for_and_the_special_tokens_first(tmp_path, lowercase):
    settings = TokenizerSettings(size=300, lowercase=lowercase)
    trained = train_tokenizer(corpus(tmp_path), tmp_path / "tok", settings)
    pieces = (tmp_path / "tok" / "vocab.txt").read_text().split("\n")[:-1]
    assert len(pieces) == len(set(pieces)) == 300
    assert tuple(pieces[:5]) == SPECIAL
    read = Tokenizer.read(tmp_path / "tok")
    assert read.special_ids == {"pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4}
    assert read.fingerprint == trained.tokenizer.fingerprint
    assert read.lowercase == lowercase
    assert any(piece != piece.lower() for piece in pieces[5:]) != lowercase
    assert all(piece in pieces for piece in ({c.lower() for c in ALWAYS} if lowercase else ALWAYS))


def test_another_process_trains_the_same_bytes(tmp_path):
    path = corpus(tmp_path)
    for name in ("one", "two", "three"):
        subprocess.run([sys.executable, "-c", TRAIN, str(path), str(tmp_path / name)], check=True)
    for file in ("vocab.txt", "tokenizer.json", "tokenizer_config.json"):
        assert len({(tmp_path / name / file).read_bytes() for name in ("one", "two", "three")}) == 1


def smallest(path, folder, **choices):
    """The least size that a corpus needs: its characters and the special tokens."""
    with pytest.raises(BadInput, match="do not hold") as refused:
        train_tokenizer(path, folder, TokenizerSettings(size=6, **choices))
    return named_size(refused.value)


def named_size(error):
    return int(error.mend.split("--size ")[1].split()[0])


def test_pieces_are_merged_by_the_count_of_their_pair_and_equals_by_the_order_of_pieces(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("abab abab abab abab cab cab cd")
    size = smallest(path, tmp_path / "tok") + 3
    train_tokenizer(path, tmp_path / "tok", TokenizerSettings(size=size))
    merged = (tmp_path / "tok" / "vocab.txt").read_text().split("\n")[-4:-1]
    assert merged == ["##ab", "##bab", "abab"]  # six times; four times, as is "ab", whose first piece comes later; four


def test_what_was_read_is_told(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "aa aa aa aa bb bb bb bb, ☃"}))
    for coverage, unknown in ((0.9, 1), (1, 0)):
        out = tmp_path / f"tok-{coverage}"
        size = smallest(path, out, coverage=coverage)
        trained = train_tokenizer(path, out, TokenizerSettings(size=size + 2, coverage=coverage))
        assert (trained.words, trained.pieces, trained.unknown) == (10, 10, unknown)


@pytest.mark.parametrize(
    ("size", "said"),
    [(100_000, r"this corpus supports [\d,]+ pieces, not 100,000.*`size` \d+ or less"), (30, "30 pieces do not hold")],
)
def test_a_size_that_the_corpus_does_not_support_is_refused_with_one_that_it_does(tmp_path, size, said):
    with pytest.raises(BadInput, match=said) as refused:
        train_tokenizer(corpus(tmp_path, 5), tmp_path / "tok", TokenizerSettings(size=size))
    assert not (tmp_path / "tok").exists()
    train_tokenizer(corpus(tmp_path, 5), tmp_path / "tok", TokenizerSettings(size=named_size(refused.value)))


def test_a_corpus_without_text_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text(" \n")
    with pytest.raises(BadInput, match=r"^[^(]*a\.txt: there is no text in this corpus"):
        train_tokenizer([tmp_path / "a.txt"], tmp_path / "tok", TokenizerSettings())


def test_the_corpus_is_read_as_its_settings_say(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"body": text}) + "\n" for text in ["one two", "one two", "three"]))
    settings = TokenizerSettings(size=100, least=1, corpus=CorpusSettings(text="body"))
    assert train_tokenizer(path, tmp_path / "tok", settings).words == 3  # the second document is a duplicate


@pytest.mark.peers
def test_transformers_loads_the_folder_and_reads_alike(tmp_path):
    from transformers import AutoTokenizer

    train_tokenizer(corpus(tmp_path), tmp_path / "tok", TokenizerSettings(size=300))
    theirs, ours = AutoTokenizer.from_pretrained(tmp_path / "tok"), Tokenizer.read(tmp_path / "tok")
    texts = ["Bakoti muré, 猫 x.", "Don't [MASK] it"]
    assert [theirs(text)["input_ids"] for text in texts] == [tokens.ids.tolist() for tokens in ours.encode(texts)]
    assert (theirs.pad_token_id, theirs.mask_token_id, len(theirs)) == (0, 4, 300)


def test_a_string_that_no_tokenizer_reads_teaches_nothing(tmp_path):
    """A key or a picture in letters, in one line: more than the hundred characters that BERT reads of a word."""
    clean = corpus(tmp_path)
    spoilt = tmp_path / "spoilt.jsonl"
    noise = "".join(child(0, "noise").choice(list("bakotimu"), size=200_000))
    spoilt.write_text(clean.read_text() + json.dumps({"text": noise}) + "\n")
    settings = TokenizerSettings(size=300)
    train_tokenizer(clean, tmp_path / "clean-tok", settings)
    trained = train_tokenizer(spoilt, tmp_path / "spoilt-tok", settings)
    ours, theirs = ((tmp_path / f"{name}-tok" / "vocab.txt").read_text() for name in ("clean", "spoilt"))
    assert sorted(ours.split()) == sorted(theirs.split())
    assert trained.unknown == 1


def test_the_tokenizer_of_a_model_is_not_written_over(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    with pytest.raises(BadInput, match="this folder holds a model with its own tokenizer"):
        train_tokenizer(corpus(tmp_path), tmp_path / "model", TokenizerSettings(size=300))


def test_another_tokenizer_is_not_written_over_and_the_same_one_is(tmp_path):
    given, out = corpus(tmp_path), tmp_path / "tok"
    train_tokenizer(given, out, TokenizerSettings(size=300))
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    train_tokenizer(given, out, TokenizerSettings(size=300))
    for changes in ({"size": 290}, {"size": 300, "lowercase": False}):
        with pytest.raises(BadInput, match="another tokenizer, of 300 pieces, is here"):
            train_tokenizer(given, out, TokenizerSettings(**changes))
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    (out / "vocab.txt").unlink()
    with pytest.raises(BadInput, match="a tokenizer is here already"):
        train_tokenizer(given, out, TokenizerSettings(size=300))


def languages(folder, large=2_000, small=20):
    """Two folders of one language each: the words of the large one are 100 times as many."""
    draw = child(0, "languages")
    for name, syllables, documents in (
        ("large", ["ba", "ko", "ti", "mu"], large),
        ("small", ["ло", "ми", "зу"], small),
    ):
        words = ["".join(draw.choice(syllables, size=draw.integers(2, 5))) for _ in range(200)]
        texts = [" ".join(draw.choice(words, size=20)) for _ in range(documents)]
        (folder / name).mkdir()
        (folder / name / "text.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return [folder / "large", folder / "small"]


def test_words_of_a_large_corpus_count_for_less_below_an_exponent_of_1_so_that_a_small_one_gets_more_pieces(tmp_path):
    corpora = languages(tmp_path)
    read = {}
    for sampling in (1.0, 0.7, 0.0):
        settings = TokenizerSettings(size=220, sampling=sampling)
        read[sampling] = train_tokenizer(corpora, tmp_path / f"tok-{sampling}", settings)
    rates = {sampling: [each.pieces / each.words for each in trained.corpora] for sampling, trained in read.items()}
    assert rates[1.0][1] > rates[0.7][1] > rates[0.0][1]
    assert rates[1.0][0] < rates[0.7][0] <= rates[0.0][0]
    for trained in read.values():
        assert [each.words for each in trained.corpora] == [40_000, 400]  # as they are, whatever the exponent
        assert trained.pieces == sum(each.pieces for each in trained.corpora)


def test_an_exponent_of_1_gives_the_vocabulary_of_the_files_together(tmp_path):
    corpora = languages(tmp_path)
    train_tokenizer(corpora, tmp_path / "two", TokenizerSettings(size=220))
    (tmp_path / "both").mkdir()
    for number, folder in enumerate(corpora):
        (tmp_path / "both" / f"{number}.jsonl").write_bytes((folder / "text.jsonl").read_bytes())
    one = train_tokenizer(tmp_path / "both", tmp_path / "one", TokenizerSettings(size=220))
    assert (tmp_path / "one" / "vocab.txt").read_bytes() == (tmp_path / "two" / "vocab.txt").read_bytes()
    assert one.corpora == ()


def test_a_language_without_text_is_refused_by_its_file(tmp_path):
    corpora = languages(tmp_path)
    (tmp_path / "small" / "text.jsonl").write_text('{"text": " "}\n')
    with pytest.raises(BadInput, match=r"small/text.jsonl: there is no text in this corpus"):
        train_tokenizer(corpora, tmp_path / "tok", TokenizerSettings(size=220, sampling=0.7))
    with pytest.raises(BadInput, match="several corpora"):
        train_tokenizer(corpora[0], tmp_path / "tok", TokenizerSettings(size=220, sampling=0.7))


@pytest.mark.parametrize(("algorithm", "size"), [("byte-level", 270), ("unigram", 180)])
def test_other_algorithms_write_a_folder_too_and_no_other_tokenizer_over_it(scripts, tmp_path, algorithm, size):
    choice = {"algorithm": algorithm, "size": size, "exact": False}
    trained = ww.tokenizer(scripts, out=tmp_path / "tok", **choice)
    assert sorted(path.name for path in (tmp_path / "tok").iterdir()) == ["tokenizer.json", "tokenizer_config.json"]
    assert Tokenizer.read(tmp_path / "tok").fingerprint == trained.tokenizer.fingerprint
    assert not trained.tokenizer.lowercase
    before = (tmp_path / "tok" / "tokenizer.json").read_bytes()
    ww.tokenizer(scripts, out=tmp_path / "tok", **choice)
    for changes in ({"size": size - 5}, {"lowercase": True}, {"algorithm": "wordpiece"}):
        with pytest.raises(BadInput, match=r"tokenizer.* is here"):
            ww.tokenizer(scripts, out=tmp_path / "tok", **{**choice, **changes})
    assert (tmp_path / "tok" / "tokenizer.json").read_bytes() == before


@pytest.mark.parametrize("algorithm", ["byte-level", "unigram"])
def test_a_small_language_gets_more_pieces_below_an_exponent_of_1(tmp_path, algorithm):
    corpora, rates = languages(tmp_path, large=400), {}
    for sampling in (1.0, 0.0):
        settings = TokenizerSettings(algorithm=algorithm, size=320, sampling=sampling, exact=False)
        trained = train_tokenizer(corpora, tmp_path / f"tok-{sampling}", settings)
        rates[sampling] = [each.pieces / each.words for each in trained.corpora]
    assert rates[1.0][1] > rates[0.0][1]
