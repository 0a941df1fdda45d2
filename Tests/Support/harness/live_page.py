"""What the page of `waymark serve` says of itself in a browser."""
from .waiting import PATIENCE, wait_until


class LivePage:
    """The page of a server in a browser."""

    def __init__(self, browser, url):
        self.browser = browser
        browser.size(1280, 800)
        browser.open_url(url)
        browser.wait("window.waymark")

    def text(self, selector):
        """Text of an element as it is shown, on one line."""
        return " ".join(self.browser.evaluate(f"document.querySelector({selector!r}).innerText").split())

    def facts(self, panel):
        """Values of a panel by their names."""
        return self.browser.evaluate(
            f"Object.fromEntries([...document.querySelectorAll('#{panel} dl div')]"
            ".map((row) => [row.firstChild.textContent, row.lastChild.textContent]))")

    def shown(self):
        """What the last frame shows."""
        return self.browser.evaluate("window.waymark.shown()")

    def freeze(self, is_frozen=True):
        self.browser.evaluate(f"window.waymark.freeze({str(is_frozen).lower()})")

    def wait_for(self, condition, what="the page shows it"):
        """The first true value of `condition()`."""
        return wait_until(condition, PATIENCE, lambda: f"{what}; it shows {self.text('body')[:2000]!r}")
