"""The recipes of docs/mail.md, each run exactly as it is printed there, by the program it is for."""

import grp
import imaplib
import os
import pwd
import re
import shlex
import shutil
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from tempfile import TemporaryDirectory

import pytest

from nbtext import Model
from nbtext.mail.verdict import without

from .mailroom import HAM, MAIL, SPAM, mail_model
from .shell import PINNED, ROOT

SECONDS = 60
BLOCK = re.compile(r"^```(\S[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPES: dict[str, str] = dict(BLOCK.findall((ROOT / "docs/mail.md").read_text(encoding="utf-8")))

needs = {
    program: pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed: see `make recipes`")
    for program in (
        "procmail", "maildrop", "sieve-test", "dovecot", "mutt", "neomutt", "script", "fetchmail", "getmail", "notmuch",
        "formail", "parallel", "crontab",
    )
}  # fmt: skip


class Home:
    """A home directory with nbtext and a model in it, and programs run by its owner."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.maildir = folder / "Maildir"
        self.nbtext = folder / ".local/bin/nbtext"
        self.nbtext.parent.mkdir(parents=True)
        # What mail programs start has next to no environment, so nothing is expected of it
        python = shlex.quote(sys.executable)
        self.program("nbtext", f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {python} -P -m nbtext "$@"\n')
        self.program("nbtext-as", RECIPES["sh nbtext-as"])
        self.model = folder / "mail.nbtext"
        self.model.write_bytes(mail_model())

    def program(self, name: str, text: str) -> None:
        """Put a program on the owner's path."""
        path = self.nbtext.parent / name
        path.write_text(text)
        path.chmod(0o755)

    def file(self, name: str, recipe: str, *changes: tuple[str, str]) -> Path:
        """A recipe as a file of the owner's, who is not Ann, with changes to what cannot be so in a test."""
        text = RECIPES[recipe].replace("/home/ann", str(self.folder))
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o700)
        return path

    def mailbox(self, name: str = "") -> Path:
        """A new, empty folder of the Maildir."""
        folder = self.maildir / name
        for part in "cur", "new", "tmp":
            (folder / part).mkdir(parents=True)
        return folder

    def run(self, *command: str | Path, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        """A program run by the owner, stopped if it takes too long."""
        path = f"{self.nbtext.parent}:/usr/local/bin:/usr/bin:/bin:{os.environ['PATH']}"
        environment = PINNED | {"HOME": str(self.folder), "PATH": path, "TERM": "xterm"}
        return subprocess.run(
            list(map(str, command)), cwd=self.folder, env=environment, input=stdin, capture_output=True, timeout=SECONDS
        )

    def delivered(self, folder: Path | None = None) -> list[bytes]:
        """The messages in a folder of the Maildir, by default the inbox, lines ending in LF, the last one not blank."""
        files = sorted(file for part in ("cur", "new") for file in ((folder or self.maildir) / part).glob("*"))
        return [file.read_bytes().replace(b"\r\n", b"\n").strip() for file in files]

    def learned(self, message: bytes) -> str:
        """As what a message has been learned."""
        answers = {
            label: self.run("nbtext", "learn", label, "-m", self.model, stdin=message).stdout
            for label in ("ham", "spam")
        }
        found = [label for label, answer in answers.items() if answer.startswith(b"already learned")]
        assert len(found) == 1
        return found[0]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def unprivileged(*command: str | Path, user: int = 1000, group: int = 1000) -> list[str | Path]:
    """The command as some programs want it run: not by root, or in a name space where root is somebody else."""
    if os.geteuid():
        return list(command)
    other = ["unshare", "--user", f"--map-user={user}", f"--map-group={group}"]
    if shutil.which("unshare") is None or subprocess.run([*other, "true"], capture_output=True).returncode:
        pytest.skip("this program refuses to work for root, and user name spaces are not allowed here")
    return [*other, *command]


def verdicts(messages: Sequence[bytes]) -> list[bytes]:
    """What the field of each message says first; nothing where there is none."""
    return [
        found[1] if (found := re.search(rb"^X-Nbtext: (\w+),", message, re.MULTILINE)) else b"" for message in messages
    ]


# the script


def test_nbtext_as_learns_and_moves(home: Home):
    new = b"Subject: brand new\n\nnever seen before\n"
    for label, other in ("spam", "ham"), ("spam", "ham"), ("ham", "spam"), ("ham", "spam"):
        assert home.run("nbtext-as", label, other, stdin=new).returncode == 0
        assert home.learned(new) == label


def test_nbtext_as_tells_of_failure(home: Home):
    home.model.unlink()
    failed = home.run("nbtext-as", "spam", "ham", stdin=SPAM)
    assert failed.returncode == 3
    assert failed.stderr.startswith(b"nbtext: no model at ")


# delivery agents

Deliver = Callable[[bytes], None]


def procmail(home: Home) -> Deliver:
    home.maildir.mkdir()
    rc = home.file(".procmailrc", "procmail")
    return lambda message: check(home.run("procmail", f"HOME={home.folder}", rc, stdin=message))


def maildrop(home: Home) -> Deliver:
    home.mailbox()
    home.mailbox(".Spam")
    home.file(".mailfilter", "maildrop")
    rc = home.folder / "filter"  # maildrop takes HOME from the system's list of users
    rc.write_text(f'HOME="{home.folder}"\n' + (home.folder / ".mailfilter").read_text())
    rc.chmod(0o600)
    return lambda message: check(home.run("maildrop", rc, stdin=message))


def sieve(home: Home) -> Deliver:
    home.mailbox()
    return lambda message: sieve_test(home, "deliver.sieve", message)


def sieve_test(home: Home, script: str, message: bytes) -> None:
    """Run a script of the recipe on a message, as Dovecot would do in the owner's Maildir."""
    hooks = home.folder / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in "deliver.sieve", "spam.sieve", "ham.sieve":
        home.file(f"hooks/{name}", f"sieve {name}")
    home.file("hooks/nbtext-filter", "sh nbtext-filter")
    shutil.copy(home.nbtext.parent / "nbtext-as", hooks)
    # sieve-test runs any script as the user's own, which may use no extensions meant for the administrator's
    changes = ("/etc/dovecot/nbtext", str(hooks)), ("sieve_global_extensions", "sieve_extensions")
    settings = f"mail_location = maildir:{home.maildir}\nmail_home = {home.folder}\nmail_uid = {os.geteuid() or 1000}\n"
    settings += f"mail_gid = {os.getegid() or 1000}\nfirst_valid_uid = 1\nfirst_valid_gid = 1\n"
    config = home.file("dovecot.conf", "dovecot", *changes)
    config.write_text(settings + config.read_text())
    (home.folder / "message").write_bytes(message)
    command: list[str | Path] = [
        "sieve-test",
        "-c",
        config,
        "-e",
        "-l",
        f"maildir:{home.maildir}",
        hooks / script,
        home.folder / "message",
    ]
    home.run(*unprivileged(*command))  # a script that failed is no failure to deliver, and tells by its status


def check(done: "subprocess.CompletedProcess[bytes]") -> None:
    assert done.returncode == 0, (done.args, done.stdout, done.stderr)


AGENTS = [
    pytest.param(procmail, marks=needs["procmail"]),
    pytest.param(maildrop, marks=needs["maildrop"]),
    pytest.param(sieve, marks=needs["sieve-test"]),
]


@pytest.mark.parametrize("agent", AGENTS)
def test_spam_goes_where_spam_belongs(agent: Callable[[Home], Deliver], home: Home):
    deliver = agent(home)
    deliver(SPAM)
    deliver(HAM)
    assert verdicts(home.delivered()) == [b"ham"]
    assert verdicts(home.delivered(home.maildir / ".Spam")) == [b"spam"]
    assert [without(message) for message in home.delivered()] == [HAM.strip()]
    assert [without(message) for message in home.delivered(home.maildir / ".Spam")] == [SPAM.strip()]


def no_program(home: Home) -> None:
    home.nbtext.unlink()


def broken_python(home: Home) -> None:
    home.nbtext.write_text(f'#!/bin/sh\nPYTHONHOME=/nonexistent exec {sys.executable} -m nbtext "$@"\n')


def killed_half_way(home: Home) -> None:
    home.nbtext.write_text("#!/bin/sh\nhead -c 100\nkill -9 $$\n")


def no_model(home: Home) -> None:
    home.model.unlink()


def damaged_model(home: Home) -> None:
    home.model.write_bytes(mail_model()[:-5000])


@pytest.mark.parametrize("fault", [no_program, broken_python, killed_half_way, no_model, damaged_model])
@pytest.mark.parametrize("agent", AGENTS)
def test_mail_is_delivered_whatever_happens(
    agent: Callable[[Home], Deliver], fault: Callable[[Home], None], home: Home
):
    deliver = agent(home)
    fault(home)
    deliver(SPAM)
    assert home.delivered() == [SPAM.strip()]


@needs["procmail"]
def test_procmail_puts_aside_what_is_unsure(home: Home):
    home.maildir.mkdir()
    rc = home.file(".procmailrc", "procmail", ("--unsure-below 0.9", "--unsure-below 1"))
    check(home.run("procmail", f"HOME={home.folder}", rc, stdin=HAM))
    assert verdicts(home.delivered(home.maildir / ".Unsure")) == [b"unsure"]


# learning from mail programs


def test_dovecot_learns_ham_only_from_moves_that_say_so():
    rules = re.findall(r"imapsieve_mailbox(\d+)_(\w+) = (.*)", RECIPES["dovecot"])
    by_number: dict[str, dict[str, str]] = {number: {} for number, _, _ in rules}
    for number, key, value in rules:
        by_number[number][key] = value.rpartition("/")[2]
    ham = {(rule["from"], rule["name"]) for rule in by_number.values() if rule["before"] == "ham.sieve"}
    spam = {rule["name"] for rule in by_number.values() if rule["before"] == "spam.sieve"}
    assert ham == {("Spam", "INBOX"), ("Spam", "Archive")}  # the trash is not among them, nor Known-spam
    assert spam == {"Spam", "Known-spam"}


@needs["sieve-test"]
def test_dovecot_learns_from_moving_messages(home: Home):
    home.mailbox()
    sieve_test(home, "spam.sieve", HAM)
    assert home.learned(HAM) == "spam"
    sieve_test(home, "ham.sieve", HAM)
    assert home.learned(HAM) == "ham"


MUTTS = [pytest.param("mutt", marks=needs["mutt"]), pytest.param("neomutt", marks=needs["neomutt"])]


def mutt(program: str, home: Home, keys: str, *messages: bytes) -> bytes:
    """What keys leave of a box of messages."""
    rc = home.file(".muttrc", "muttrc")
    (home.folder / "Mail").mkdir()
    box = home.folder / "box"
    box.write_bytes(b"".join(b"From ann@example.org Thu Jan  1 09:00:00 2026\n" + each + b"\n" for each in messages))
    quiet = f"set folder={home.folder}/Mail confirmcreate=no confirmappend=no delete=yes quit=yes move=no"
    command = [program, "-n", "-F", str(rc), "-e", quiet, "-e", f"push {keys}<quit>", "-f", str(box)]
    check(home.run("script", "-qec", shlex.join(command), "/dev/null"))
    return box.read_bytes()


@needs["script"]
@pytest.mark.parametrize("program", MUTTS)
@pytest.mark.parametrize(("key", "label", "folder"), [("S", "spam", "Known-spam"), ("H", "ham", "Archive")])
def test_mutt_learns_by_a_key(program: str, key: str, label: str, folder: str, home: Home):
    assert mutt(program, home, key, HAM) == b""
    assert home.learned(HAM) == label
    assert b"\nSubject: backup host3: OK" in (home.folder / "Mail" / folder).read_bytes()


@needs["script"]
@pytest.mark.parametrize("program", MUTTS)
def test_mutt_learns_tagged_messages_one_by_one(program: str, home: Home):
    messages = [HAM, HAM.replace(b"host3", b"host4")]
    assert mutt(program, home, "T.<enter>S", *messages) == b""
    assert [home.learned(message) for message in messages] == ["spam", "spam"]


# Dovecot itself

SETTINGS = """
protocols = imap lmtp
base_dir = {run}
state_dir = {run}
log_path = {run}/log
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~/Maildir
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={home}
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
protocol imap {{
  mail_plugins = $mail_plugins imap_sieve
}}
protocol lmtp {{
  postmaster_address = postmaster@example.org
  mail_plugins = $mail_plugins sieve
}}
"""


class Dovecot:
    """A running Dovecot of the recipe, for the owner of a home."""

    def __init__(self, home: Home, folder: Path) -> None:
        for name in "deliver.sieve", "spam.sieve", "ham.sieve":
            home.file(f"hooks/{name}", f"sieve {name}")
        hooks = home.folder / "hooks"
        home.file("hooks/nbtext-filter", "sh nbtext-filter")
        shutil.copy(home.nbtext.parent / "nbtext-as", hooks)
        self.imap, self.lmtp = free_port(), free_port()
        self.log = folder / "log"
        config = home.file("dovecot.conf", "dovecot", ("/etc/dovecot/nbtext", str(hooks)))
        user = pwd.getpwuid(os.geteuid() or pwd.getpwnam("mail").pw_uid)
        group = grp.getgrgid(user.pw_gid).gr_name
        settings = SETTINGS.format(
            run=folder, home=home.folder, imap=self.imap, lmtp=self.lmtp, user=user.pw_name, group=group
        )
        config.write_text(settings + config.read_text())
        command = unprivileged("dovecot", "-F", "-c", config, user=user.pw_uid, group=user.pw_gid)
        self.process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self) -> None:
        """Until it listens."""
        for _ in range(10 * SECONDS):
            assert self.process.poll() is None, self.log.read_text()
            with suppress(OSError):
                for port in self.imap, self.lmtp:
                    socket.create_connection(("127.0.0.1", port)).close()
                return
            time.sleep(0.1)
        pytest.fail(self.log.read_text())

    def deliver(self, message: bytes) -> None:
        """Hand a message over by LMTP."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as lmtp:
            lmtp.sendmail("bob@example.org", ["ann"], message)

    def session(self) -> imaplib.IMAP4:
        """The owner, logged in."""
        session = imaplib.IMAP4("127.0.0.1", self.imap)
        session.login("ann", "secret")
        for folder in "Spam", "Known-spam", "Archive", "Trash":
            session.create(folder)
        return session

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(SECONDS)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@pytest.fixture
def dovecot(home: Home) -> Iterator[Dovecot]:
    with TemporaryDirectory() as folder:  # whose name is short enough for sockets
        running = Dovecot(home, Path(folder))
        yield running
        running.stop()


def copied(session: imaplib.IMAP4, source: str, target: str) -> None:
    """Copy all messages of a folder to another."""
    session.select(source)
    status, _ = session.copy("1:*", target)
    assert status == "OK"


@needs["dovecot"]
def test_dovecot_delivers_by_the_verdict(home: Home, dovecot: Dovecot):
    dovecot.deliver(SPAM)
    dovecot.deliver(HAM)
    assert verdicts(home.delivered()) == [b"ham"]
    assert verdicts(home.delivered(home.maildir / ".Spam")) == [b"spam"]


@needs["dovecot"]
def test_dovecot_learns_from_moves_but_nothing_from_the_trash(home: Home, dovecot: Dovecot):
    session = dovecot.session()
    session.append("INBOX", "", "", HAM)
    copied(session, "INBOX", "Spam")
    assert home.learned(HAM) == "spam"
    for folder in "Trash", "Known-spam":
        copied(session, "Spam", folder)
        assert home.learned(HAM) == "spam"
    copied(session, "Spam", "Archive")
    assert home.learned(HAM) == "ham"
    session.logout()


# fetching


class Pop(StreamRequestHandler):
    """A server of the messages SPAM and HAM by POP3 (RFC 1939), with no more of it than is asked for here."""

    messages = (SPAM, HAM)

    def handle(self) -> None:
        sizes = [str(len(message)) for message in self.messages]
        answers = {
            "CAPA": ["USER", "UIDL"],
            "UIDL": ["1 a", "2 b"],
            "LIST": [f"{n} {size}" for n, size in enumerate(sizes, 1)],
        }
        self.say("+OK")
        for line in self.rfile:
            command, *numbers = line.decode().upper().split()
            if command in {"RETR", "TOP"}:
                lines = self.messages[int(numbers[0]) - 1].decode("latin-1").splitlines()
                self.say("+OK", *(f".{line}" if line.startswith(".") else line for line in lines), ".")
            elif command in answers:
                self.say("+OK", *([*answers[command], "."] if not numbers else ()))
            else:
                self.say("+OK 2 " + str(sum(map(int, sizes))) if command == "STAT" else "+OK")

    def say(self, *lines: str) -> None:
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode("latin-1"))


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingTCPServer(("127.0.0.1", 0), Pop) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@needs["fetchmail"]
@needs["procmail"]
def test_fetchmail_delivers_through_procmail(home: Home, port: int):
    procmail(home)
    home.program(
        "procmail", f"#!/bin/sh\nexec {shutil.which('procmail')} HOME={home.folder} {home.folder}/.procmailrc\n"
    )
    server = (
        ("pop.example.org protocol pop3", f"127.0.0.1 service {port} protocol pop3"),
        ('secret"', "secret\" sslproto ''"),
    )
    rc = home.file(".fetchmailrc", "fetchmailrc", *server)
    check(
        home.run("fetchmail", "-f", rc, "--nosyslog", "--pidfile", home.folder / "pid", "--idfile", home.folder / "ids")
    )
    assert verdicts(home.delivered()) == [b"ham"]
    assert verdicts(home.delivered(home.maildir / ".Spam")) == [b"spam"]


@needs["getmail"]
@pytest.mark.parametrize(("fault", "expected"), [(None, [b"ham", b"spam"]), (no_model, [b"", b""])])
def test_getmail_filters_what_it_fetches(
    fault: Callable[[Home], None] | None, expected: list[bytes], home: Home, port: int
):
    home.mailbox()
    if fault:
        fault(home)
    changes = ("SimplePOP3SSLRetriever", "SimplePOP3Retriever"), ("pop.example.org", f"127.0.0.1\nport = {port}")
    rc = home.file("getmailrc", "getmailrc", *changes)
    check(home.run(*unprivileged("getmail", "--getmaildir", home.folder, "--rcfile", rc)))
    assert sorted(verdicts(home.delivered())) == expected


# in the shell


@needs["notmuch"]
def test_notmuch_tags_what_is_new(home: Home):
    inbox = home.mailbox()
    for name, message in ("1", SPAM), ("2", HAM):
        (inbox / "new" / name).write_bytes(message)
    config = f"[database]\npath={home.maildir}\n[user]\nprimary_email=ann@example.org\n[new]\ntags=inbox;new\n"
    (home.folder / ".notmuch-config").write_text(config)
    check(home.run("sh", home.file("loop", "sh notmuch")))
    tags = {query: home.run("notmuch", "count", query).stdout for query in ("tag:spam", "tag:inbox", "tag:new")}
    assert tags == {"tag:spam": b"1\n", "tag:inbox": b"1\n", "tag:new": b"0\n"}
    assert home.run("notmuch", "search", "--output=files", "tag:spam").stdout == f"{inbox}/new/1\n".encode()


@needs["notmuch"]
def test_notmuch_keeps_for_the_next_time_what_could_not_be_judged(home: Home):
    inbox = home.mailbox()
    (inbox / "new" / "1").write_bytes(SPAM)
    config = f"[database]\npath={home.maildir}\n[user]\nprimary_email=ann@example.org\n[new]\ntags=inbox;new\n"
    (home.folder / ".notmuch-config").write_text(config)
    loop = home.file("loop", "sh notmuch")
    home.program("nbtext", "#!/bin/sh\nexit 1\n")  # as where Python cannot start
    home.run("sh", loop)
    assert home.run("notmuch", "count", "tag:new").stdout == b"1\n"


@needs["formail"]
def test_formail_filters_a_box(home: Home):
    envelope = b"From ann@example.org Thu Jan  1 09:00:00 2026\n"
    box = b"".join(envelope + message + b"\n" for message in (SPAM, HAM))
    (home.folder / "old.mbox").write_bytes(box)
    check(home.run("sh", home.file("command", "sh formail")))
    new = (home.folder / "new.mbox").read_bytes()
    assert re.findall(rb"^X-Nbtext: (\w+),", new, re.MULTILINE) == [b"spam", b"ham"]
    assert re.sub(rb"^X-Nbtext: .*\n", b"", new, flags=re.MULTILINE) == box


@needs["parallel"]
def test_parallel_keeps_the_order(home: Home):
    shutil.copytree(MAIL / "ham", home.folder / "heap")
    check(home.run("sh", home.file("command", "sh parallel")))
    lines = (home.folder / "verdicts.tsv").read_text().splitlines()
    names = [line.split("\t")[2] for line in lines]
    assert names == sorted(names)
    assert len(names) == len(list((MAIL / "ham").iterdir()))


def test_the_line_for_cron_trains_from_what_people_have_looked_at(home: Home):
    for name, label in (".Known-spam", "spam"), (".Archive", "ham"):
        folder = home.mailbox(name)
        for file in (MAIL / label).iterdir():
            shutil.copy(file, folder / "cur" / f"{file.name}:2,S")
        (folder / "dovecot.index.cache").write_bytes(b"\0\1\2")
    check(home.run("sh", home.file("links", "sh corpus")))
    (home.mailbox(".Spam") / "cur" / "1:2,S").write_bytes(b"Subject: an unreviewed verdict of the filter\n\nwin\n")
    home.model.unlink()
    line = RECIPES["crontab"]
    *times, command = line.split(None, 5)
    assert len(times) == 5
    assert "%" not in command  # a new line to cron
    done = home.run("sh", "-c", command)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)  # else cron would send mail
    trained = Model.open(str(home.model))
    assert dict(zip(trained.labels, trained.documents, strict=True)) == {
        label: len(list((MAIL / label).iterdir())) for label in ("ham", "spam")
    }


@needs["crontab"]
def test_cron_takes_the_line(home: Home):
    table = home.file("table", "crontab")
    options = "-n", "-T"  # Debian's and others' names for only looking
    assert any(home.run("crontab", option, table).returncode == 0 for option in options)


def test_every_recipe_is_run():
    source = Path(__file__).read_text(encoding="utf-8")
    left_out = {"console", "sieve spam.sieve", "sieve ham.sieve", "sieve deliver.sieve"}  # run by others' names
    assert [name for name in RECIPES if name not in left_out and f'"{name}"' not in source] == []
