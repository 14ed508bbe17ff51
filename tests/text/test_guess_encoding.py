"""Files that are not UTF-8: the advice must not destroy them."""

import pytest

from wordworth.text.guess_encoding import to_utf8


@pytest.mark.parametrize(
    ("text", "encoding", "advice"),
    [
        ("text,label\n这部电影非常好,好\n一部烂片,坏\n", "gbk", "Chinese: iconv -f GB18030"),
        ("この映画はとても良い,良\n", "cp932", "Japanese: iconv -f CP932"),
        ("이 영화는 정말 좋아요\n", "cp949", "Korean: iconv -f CP949"),
        ("Le café est naïve, ça va, déjà vu\n", "cp1252", "Western European language: iconv -f WINDOWS-1252"),
        ("text,label\nSchöne Grüße, alles für dich,gut\n", "cp1252", "iconv -f WINDOWS-1252"),
        ("text,label\nIt’s “good”,fresh\n", "cp1252", "iconv -f WINDOWS-1252"),
        ("Очень хороший фильм, плохой", "cp1251", "from its own encoding"),
    ],
)
def test_the_advice_names_an_encoding_that_gives_the_text_back(text, encoding, advice):
    said = to_utf8(text.encode(encoding))
    assert advice in said
    assert "in Excel: Save As, CSV UTF-8" in said
    if "iconv -f" in said:
        named = said.split("iconv -f ")[1].split()[0]
        assert text.encode(encoding).decode(named) == text


def test_one_broken_byte_in_a_utf8_file_is_to_be_mended_not_converted():
    said = to_utf8("这部电影非常好".encode() * 9 + b"\xff")
    assert "mend this byte" in said
    assert "iconv" not in said
