"""A real server, a real browser. Chromium is the system's own: nothing is downloaded."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from boardzero.server.app import STATIC

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
    collect_ignore_glob = ["test_*.py"]
    print("tests/web: left out, because they need chromium and a built page (make web)")


class Server:
    """`boardzero serve` in its own process, which can be stopped and started again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._port = "0"
        self.address = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "boardzero", "serve", "--port", self._port, "--json"]
        environment = os.environ | {
            "BOARDZERO_HOME": str(self._data),
            "BOARDZERO_RUNS": str(self._data / "runs"),
        }
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.address = json.loads(self._process.stdout.readline())["address"]
        self._port = self.address.rstrip("/").rpartition(":")[2]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("web"))
    yield server
    server.stop()


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
