"""Links as browsers take them, hosts as header fields name them, and both as words."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.mail.links import host_words, hosts, link_words, links_in, relays
from tests.fuzz.fuzz_mail import decode

from ..timing import seconds

HOST = "my_shop_example_org example_org org"


@pytest.mark.parametrize(
    "url",
    [
        "http://my-shop.example.org/win",
        "HTTPS://My-Shop.Example.ORG/win",
        "ftp://my-shop.example.org/win",
        "//my-shop.example.org/win",
        "http:my-shop.example.org/win",
        "http:/my-shop.example.org/win",
        "http:////my-shop.example.org/win",
        "http:\\\\my-shop.example.org\\win",
        "\\\\my-shop.example.org/win",
        "http://my-shop.example.org:8080/win",
        "http://my-shop.example.org./win",
        " \t\nhttp://my-shop.example.org/win\n ",
        "http://my-sh\nop.exam\tple.org/w\r\nin",
        "http://my-sh%6fp.example.org/%77in",
        "http://my-shop。example.org/win",
    ],
)
def test_a_link_is_read_as_a_browser_takes_it(url):
    assert link_words(url, decode) == f"{HOST} _win"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://192.0.2.1/", "192_0_2_1 192_0_2 192_0 192 _"),
        ("http://3221225985/", "192_0_2_1 192_0_2 192_0 192 _"),
        ("http://0xC0.0.0x2.01/", "192_0_2_1 192_0_2 192_0 192 _"),
        ("http://192.513/", "192_0_2_1 192_0_2 192_0 192 _"),
        ("http://[2001:DB8:0:0::1]:80/x", "ipv6_2001_db8__1 _x"),
        ("http://bücher.example/", "xn__bcher_kva_example example _"),
        ("http://xn--bcher-kva.example/", "xn__bcher_kva_example example _"),
        ("http://bank.example@my-shop.example.org/", f"{HOST} bank.example@ _"),
        ("http://a@b:c@my-shop.example.org", f"{HOST} a@b:c@"),
        ("mailto:ann@my-shop.example.org?subject=win", f"{HOST} ann@"),
        ("http://my-shop.example.org?a=1#b", f"{HOST} _a_1_b"),
        ("www.my-shop.example.org", "www_my_shop_example_org my_shop_example_org example_org org"),
    ],
)
def test_hosts_and_users_have_one_form_each(url, expected):
    assert link_words(url, decode) == expected


HOSTLESS = [
    "",
    "#top",
    "/a",
    "a.html",
    "?a=b",
    "cid:1@example.org",
    "javascript:a()",
    "http://",
    "http://[x",
    "mailto:",
]


@pytest.mark.parametrize("url", HOSTLESS)
def test_a_link_without_a_host_gives_nothing(url):
    assert link_words(url, decode) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Go to http://example.net/win.", ["http://example.net/win"]),
        ("http://example.net/win, or http://example.net/win!?", ["http://example.net/win"] * 2),
        ("(see <http://example.net/a>) or 'http://example.net/b'", ["http://example.net/a", "http://example.net/b"]),
        ("请看http://example.net/win。谢谢大家", ["http://example.net/win"]),
        ("（http://example.net/win）、「http://example.net/a」", ["http://example.net/win", "http://example.net/a"]),
        ("**http://example.net/win** at WWW.example.net:", ["http://example.net/win", "WWW.example.net"]),
        ("write to mailto:ann@example.net; at 9:30 www, e.g. now", ["mailto:ann@example.net"]),
    ],
)
def test_a_link_in_text_ends_before_the_sentence_does(text, found):
    assert links_in(text) == found


def test_a_hyphen_stays_in_a_host():
    field = "from mail-out.my-isp.example.org (mail-out.my-isp.example.org [192.0.2.7]) by in.example.net"
    assert hosts(field)[0] == "mail-out.my-isp.example.org"
    assert relays(field).split()[:4] == [
        *("mail_out_my_isp_example_org", "192_0_2_7", "in_example_net", "mail_out_my_isp_example_org"),
    ]
    assert host_words("secure-bank.example.net") == "secure_bank_example_net example_net net"


def test_a_plain_link_loads_no_parser_of_links():
    program = (
        "import sys; from nbtext.mail.links import link_words\n"
        "for url in 'http://a-b.example.org/x?y=%61', 'mailto:ann@example.org', 'www.example.org', '#x': "
        "link_words(url, bytes.decode)\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
    assert {"urllib.parse", "ipaddress", "encodings.idna"}.isdisjoint(loaded)


PIECES = st.sampled_from(["http:", "//", "\\", "[", "]", "@", ":", "%41", "0x", "1", ".", "é", "a"])


@given(st.text() | st.lists(PIECES).map("".join))
def test_any_text_can_be_a_link(text):
    for url in (text, f"http://{text}", f"mailto:{text}"):
        assert isinstance(link_words(url, decode), str)
    assert isinstance(links_in(text), list)


@pytest.mark.parametrize("piece", ["a.", "a@", "[", "%41", "1.", "0x", "\\", "é", ":", "-", "\t"])
def test_a_long_link_takes_little_time(piece):
    url = "http://" + piece * 500_000
    assert seconds(lambda: (link_words(url, decode), links_in(url))) < 1
