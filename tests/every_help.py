"""Ask the installed nbtext for the help of every command: `python every_help.py PATH_OF_NBTEXT`.

Each help is a process of its own: a command imports what it needs when it is asked for, so one help that works says
nothing about the next. Run it where only the runtime packages are installed, and a missing one shows.
"""

import re
import subprocess
import sys


def help_of(*command: str) -> str:
    """What `--help` prints for the command; the program ends here if that fails."""
    done = subprocess.run([*command, "--help"], stdout=subprocess.PIPE, text=True)
    if done.returncode or not done.stdout.startswith("Usage: "):
        sys.exit(f"no help from: {' '.join(command)} --help (status {done.returncode})")
    return done.stdout


def commands(text: str) -> list[str]:
    """The commands a help lists, under each heading that ends in "commands".

    >>> commands("Commands:\\n  learn  Add.\\n         More.\\n\\nOther commands:\\n  show  Tell.\\n\\n  Example: x\\n")
    ['learn', 'show']
    """
    sections = re.findall(r"^(?:[\w ]+ c|C)ommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    return [name for section in sections for name in re.findall(r"^  ([a-z-]+)\b", section, re.MULTILINE)]


if __name__ == "__main__":
    program = sys.argv[1]
    found = commands(help_of(program))
    if not found:
        sys.exit("the help of nbtext lists no commands")
    for command in found:
        help_of(program, command)
