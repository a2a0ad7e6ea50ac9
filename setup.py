"""Settings that pyproject.toml cannot express: the description on the package page, without links into the source."""

import re
from pathlib import Path

from setuptools import setup

LINK = re.compile(r"\[([^]]+)\]\(([^):#]+)(#[^)]*)?\)")  # with the path of a file, not an address

readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
setup(long_description=LINK.sub(r"\1 (`\2`)", readme), long_description_content_type="text/markdown")
