"""A plain file server, which serves a folder and nothing else."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

__all__ = ["FileServer"]


class FileServer:
    """Serves a folder, remembers what was asked for, and may hand out damaged files."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        self.damaged: tuple[str, ...] = ()  # parts of the paths of files that are handed out so
        server = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                if any(part in self.path for part in server.damaged):
                    self.send_response(200)
                    self.send_header("Content-Length", "9")
                    self.end_headers()
                    self.wfile.write(b"nonsense\n")
                else:
                    super().do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """From now on nobody answers: there is no network."""
        self._server.shutdown()
        self._server.server_close()
