"""README's picture: the top of the compilers' page, as a browser draws it from the site that lies in site/.

python website/screenshot.py docs/page.png ["#kernel=philox_pi&size=1000000"]
"""

import argparse
import functools
import http.server
import shutil
import threading
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

SIZE: ViewportSize = {"width": 1060, "height": 820}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description="take a picture of the compilers' page in site/")
    parser.add_argument("out", type=Path)
    parser.add_argument("address", nargs="?", default="", help="what stands after the page's name: its state")
    options = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory="site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/index.html{options.address}")
        page.wait_for_selector("#ranking")
        page.screenshot(path=options.out)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
