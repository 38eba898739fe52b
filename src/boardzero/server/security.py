"""Who may talk to the server: this machine's own page, or someone who has the token.

A page of another site, opened in the same browser, must not be able to play or to start anything:
so the Host header must name this server (no DNS rebinding), and whatever is asked of `/api` must
come from the server's own page: an answer that nobody may read still costs time.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from time import monotonic
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardzero.server.settings import Settings, is_loopback

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Bucket:
    """So many requests a second, with some room for a burst."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._last = monotonic()

    @property
    def is_empty(self) -> bool:
        now = monotonic()
        self._level = min(self._burst, self._level + (now - self._last) * self._rate)
        self._last = now
        return self._level < 1

    def take(self) -> bool:
        if self.is_empty:
            return False
        self._level -= 1
        return True


class Buckets:
    """One for each address that was heard of lately."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._known: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, scope: Scope) -> Bucket:
        address = scope["client"][0] if scope.get("client") else ""
        bucket = self._known.pop(address, None) or Bucket(rate=self._rate, burst=self._burst)
        self._known[address] = bucket
        while len(self._known) > 1000:
            self._known.popitem(last=False)
        return bucket


class RefusalError(Exception):
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """Stands before the application and refuses what has no business there."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._requests = Buckets(rate=100, burst=400)
        self._guesses = Buckets(rate=0.2, burst=20)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        try:
            if self._arrives_with_token(scope):
                await self._welcome(scope, receive, send)
                return
            self._check(scope)
            await self._app(scope, self._limited(scope, receive), send)
        except RefusalError as refusal:
            await _refuse(scope, receive, send, refusal)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _name(host)
        if name is None:
            raise RefusalError(400, "the Host header names no host")
        if self._settings.token is None and not is_loopback(name):
            raise RefusalError(403, f"this server does not answer for the host '{name}'")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes or scope["path"].startswith("/api"):
            self._check_origin(headers, host)
        if changes and not self._requests.of(scope).take():
            raise RefusalError(429, "too many requests; wait a moment")
        self._check_token(scope, headers)
        if scope["type"] == "http" and changes:
            self._check_body(headers)

    def _check_origin(self, headers: Headers, host: str) -> None:
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host:
            raise RefusalError(403, "only the page of this server may do that")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise RefusalError(403, "only the page of this server may do that")

    def _check_body(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18:
            raise RefusalError(400, "the Content-Length is not a number")
        if int(length) > self._settings.max_body:
            raise RefusalError(413, f"at most {self._settings.max_body} bytes can be sent at once")
        kind = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise RefusalError(415, "send application/json")

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Counts a body that came without its length."""
        if scope["type"] != "http":
            return receive
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self._settings.max_body:
                raise RefusalError(
                    413, f"at most {self._settings.max_body} bytes can be sent at once"
                )
            return message

        return counted

    # The token comes once in the address, and from then on its digest as a cookie that no script
    # can read. Cookies know no ports: the name tells the servers of one machine apart.

    @property
    def _cookie(self) -> str:
        return f"boardzero_{self._settings.port}"

    def _arrives_with_token(self, scope: Scope) -> bool:
        if self._settings.token is None or scope["type"] != "http" or scope["path"] != "/":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return bool(given) and self._is_right(scope, given.encode(), self._settings.token.encode())

    async def _welcome(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = RedirectResponse("/", 303)
        response.set_cookie(self._cookie, self._digest(), httponly=True, samesite="strict")
        await response(scope, receive, send)

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        if self._settings.token is None:
            return
        scheme, _, value = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            given, right = value.strip().encode("latin-1"), self._settings.token.encode()
        else:
            given, right = _cookie(headers, self._cookie).encode(), self._digest().encode()
        if not given or not self._is_right(scope, given, right):
            raise RefusalError(401, "this server needs its token: open it with ?token=...")

    def _is_right(self, scope: Scope, given: bytes, right: bytes) -> bool:
        """Whether it is; who guesses wrong too often is not even listened to for a while."""
        guesses = self._guesses.of(scope)
        if guesses.is_empty:
            raise RefusalError(429, "too many wrong tokens; wait a minute")
        if secrets.compare_digest(given, right):
            return True
        guesses.take()
        return False

    def _digest(self) -> str:
        assert self._settings.token is not None
        return hashlib.sha256(f"boardzero {self._settings.token}".encode()).hexdigest()


def _name(host: str) -> str | None:
    """The host without its port, an IPv6 address without its brackets; None if it is neither."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return None


def _place(origin: str) -> str | None:
    """The host and port of an origin; None if it has no such form."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _cookie(headers: Headers, name: str) -> str:
    """A cookie's value, whatever other programs of the same host have put beside it."""
    pairs = (pair.partition("=") for pair in headers.get("cookie", "").split(";"))
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sender


async def _refuse(scope: Scope, receive: Receive, send: Send, refusal: RefusalError) -> None:
    if scope["type"] == "websocket":
        await receive()  # the connection request, which must be taken before it can be closed
        await send({"type": "websocket.close", "code": 4000 + refusal.status, "reason": ""})
        return
    response = JSONResponse({"detail": str(refusal)}, refusal.status)
    await response(scope, receive, send)
