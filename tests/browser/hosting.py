"""The page as plain files at any web server, below an address of their own."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from grognard import site

BELOW = "games/grognard"


class Host:
    """A web server that knows nothing of grognard; `asked` lists the paths that it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[str]()
        self.has_engine = threading.Event()
        """Unless it is set, the engine's largest file does not arrive."""
        self.has_engine.set()
        asked, has_engine = self.asked, self.has_engine

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if ".wasm" in self.path:
                    has_engine.wait(60)
                super().do_GET()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002, it is called so
                asked.append(self.path)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}/{BELOW}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def put(self, page: Path = site.BUILT) -> None:
        """Replace what it has by the site made from this page."""
        target = self.folder / BELOW
        shutil.rmtree(target, ignore_errors=True)
        for name, content in site.files(page).items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
