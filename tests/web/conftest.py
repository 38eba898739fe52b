"""A real server, a real browser. Chromium is the system's own: nothing is downloaded."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from served import Server

from boardzero.server.app import STATIC
from tests.training.tiny import tiny

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

if CHROMIUM is None or not (STATIC / "index.html").exists():
    raise pytest.UsageError(
        "tests/web need chromium and a built page (make web); --ignore=tests/web does without"
    )


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[Server]:
    server = Server(data)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def trained(data: Path) -> str:
    """The name of a small run that was really trained: gomoku on 5x5, three versions."""
    pytest.importorskip("torch")
    from boardzero.training.train import train

    return train(tiny(gate__threshold=0.01), run=data / "runs" / "first", cores=1).name


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A fresh visitor; an error in the console or a request to elsewhere fails the test."""
    context = browser.new_context(
        base_url=server.address, viewport={"width": 1280, "height": 900}, locale="en-GB"
    )
    page = context.new_page()
    trouble: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            trouble.append(message.text)

    page.on("console", console)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((server.address, "data:", "blob:"))
            else trouble.append(request.url)
        ),
    )
    yield page
    context.close()
    assert trouble == []
