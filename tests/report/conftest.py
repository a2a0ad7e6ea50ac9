"""The browser that pages are looked at with."""

import pytest

from .. import browser


@pytest.fixture(scope="session")
def program() -> str:
    found = browser.browser()
    if found is None:
        pytest.skip(f"no browser here ({', '.join(browser.NAMES)}): the page is not looked at")
    return found
