"""The published history in a real browser, without a network."""

import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from laboratory import Laboratory

from jitkernels import settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REASON = "no Chromium here: apt-get install chromium"


@pytest.fixture(scope="module")
def page(laboratory: Laboratory) -> Iterator[object]:
    if CHROMIUM is None:
        (pytest.fail if settings.is_required("browser") else pytest.skip)(REASON)
    from playwright.sync_api import sync_playwright

    assert laboratory.asv("publish").returncode == 0
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", "site"],
        cwd=laboratory.path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout
        try:
            port = server.stdout.readline().partition(" port ")[2].split()[0]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                page = browser.new_page()
                page.problems, page.elsewhere = [], []
                page.on("pageerror", lambda error: page.problems.append(str(error)))
                page.on("request", lambda request: f":{port}/" in request.url or page.elsewhere.append(request.url))
                page.goto(f"http://127.0.0.1:{port}/history/")
                page.wait_for_selector("text=Warm.time_call", timeout=30_000)
                for _ in range(100):  # tiles come with scrolling, some at a time
                    if page.query_selector("text=philox_pi.Warm.time_call"):
                        break
                    page.mouse.move(600, 600)
                    page.mouse.wheel(0, 5_000)
                    page.wait_for_timeout(100)
                yield page
                browser.close()
        finally:
            server.kill()  # leaving the block waits for it, even where the browser failed


def test_every_benchmark_is_listed(page: object) -> None:
    text = page.inner_text("body")
    for kernel in ("monte_carlo_pi", "philox_pi"):
        for benchmark in ("Warm.time_call", "Cold.time_first_call", "Accuracy.track_error", "Accuracy.track_z"):
            assert f"{kernel}.{benchmark}" in text
    assert "philox_pi.Accuracy.track_hits" in text


def test_a_benchmark_s_page_shows_its_curves(page: object) -> None:
    page.click("text=philox_pi.Warm.time_call")
    page.wait_for_selector("text=backend='numpy', points=1000", timeout=30_000)
    page.wait_for_selector("canvas", timeout=30_000)


def test_nothing_is_asked_of_another_host_and_nothing_raises(page: object) -> None:
    assert page.elsewhere == []
    assert page.problems == []
