"""Changes what the daemon keeps, as fast as it confirms, and counts in a file what was confirmed.

    writer.py CONFIRMED COUNT

Change k takes in the calibration whose bias is k nrad/s above the true one, and makes place k modulo PLACES a
favourite or not one. It goes on from COUNT, for as long as the daemon lives.
"""
import json
import sys

from wire import Connection, Refused

PLACES = 5
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
# Of the drill's gyroscope.
BIAS = (0.002, -0.001, 0.0015)


def places():
    return json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": f"drill/{k}", "properties": {"name": f"Place {k}", "kind": "cafe"},
         "geometry": {"type": "Point", "coordinates": [11.5 + k * 1e-4, 48.1]}} for k in range(PLACES)]})


def calibration(k):
    parameters = {"bias": [BIAS[0] + k * 1e-9, *BIAS[1:]], "matrix": IDENTITY}
    present = {"time": 1.7e9, "origin": "calibrate", "kind": "gyro", "waymark": "1", "parameters": parameters}
    sensors = [{"sensor": "gyroscope", "present": present, "history": []}]
    return json.dumps({"format": "waymark calibration", "version": 1, "devices": [{"sensors": sensors}]})


def main(path, count):
    connection = Connection()
    connection.call("org.waymark.Scene.ImportPlaces", {"document": places(), "source": "drill"})
    with open(path, "w", buffering=1) as confirmed:
        confirmed.write("0\n")
        while True:
            count += 1
            favorite = {"id": f"drill/{count % PLACES}", "favorite": count // PLACES % 2 == 0}
            try:
                connection.call("org.waymark.Scene.SetFavorite", favorite)
                connection.call("org.waymark.Calibration.Import", {"document": calibration(count), "force": True})
            except Refused as refusal:
                # A full disk: nothing was changed.
                count -= 1
                print(refusal, flush=True)
                continue
            confirmed.write(f"{count}\n")


try:
    main(sys.argv[1], int(sys.argv[2]))
except OSError:
    pass  # the daemon was killed
