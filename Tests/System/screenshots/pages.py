"""The live page of the simulated walk, in a browser that draws three dimensions."""
from harness.live_server import LiveServer

from .terminals import demonstration

PICTURES = ("tour-page.png",)
WIDTH, HEIGHT = 1280, 800
# The wearer is on foot and sees arrows of the route, a turn and places, with labels.
WALKING = ("(() => { const shown = globalThis.waymark?.shown(); return shown?.pose?.motion?.mode === 'foot' && "
           "shown.pose.state === 'localized' && waymark.labels().length > 2 && "
           "['arrow', 'turn', 'place'].every((kind) => shown.placements.some((each) => each.kind === kind)); })()")


def take(sheet):
    with demonstration() as daemon:
        server = LiveServer(daemon)
        try:
            sheet.chromium.size(WIDTH, HEIGHT)
            sheet.chromium.open_url(server.url)
            sheet.chromium.wait(WALKING)
            sheet.save(*PICTURES)
            # A page that is open while the server ends complains of it.
            sheet.chromium.open_url("about:blank")
        finally:
            server.end()
