"""Changes what the daemon keeps, as fast as it confirms, and counts in a file what was confirmed.

    writer.py CONFIRMED COUNT

Change k takes in the calibration whose bias is k nrad/s above the true one, and makes place k modulo PLACES a
favourite or not one. It goes on from COUNT, for as long as the daemon lives.
"""
import json
import sys

from harness import calibration as calibrations
from harness.varlink import SERVICE_SOCKET, CallFailed, Closed, Connection

PLACES = 5
# Of the drill's gyroscope.
BIAS = (0.002, -0.001, 0.0015)


def places():
    return json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": f"drill/{k}", "properties": {"name": f"Place {k}", "kind": "cafe"},
         "geometry": {"type": "Point", "coordinates": [11.5 + k * 1e-4, 48.1]}} for k in range(PLACES)]})


def calibration(k):
    return json.dumps(calibrations.document(calibrations.sensor("gyroscope", (BIAS[0] + k * 1e-9, *BIAS[1:]))))


def main(path, count):
    connection = Connection(SERVICE_SOCKET, timeout=None)
    connection.call("org.waymark.Scene.ImportPlaces", {"document": places(), "source": "drill"})
    with open(path, "w", buffering=1) as confirmed:
        confirmed.write("0\n")
        while True:
            count += 1
            favorite = {"id": f"drill/{count % PLACES}", "favorite": count // PLACES % 2 == 0}
            try:
                connection.call("org.waymark.Scene.SetFavorite", favorite)
                connection.call("org.waymark.Calibration.Import", {"document": calibration(count), "force": True})
            except CallFailed as refusal:
                # A full disk: nothing was changed.
                count -= 1
                print(refusal, flush=True)
                continue
            confirmed.write(f"{count}\n")


try:
    main(sys.argv[1], int(sys.argv[2]))
except (OSError, Closed):
    pass  # the daemon was killed
