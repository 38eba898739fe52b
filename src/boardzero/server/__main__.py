"""`python -m boardzero.server`: the server without the command line, for work on the page."""

from pathlib import Path

import uvicorn

from boardzero.server import Settings, create_app

uvicorn.run(create_app(Settings(Path("build/web-data"))), port=8000, log_level="warning")
