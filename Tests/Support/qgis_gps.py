"""What QGIS reads of a gpsd, by the class behind its GPS panel: the first position with a height, as JSON.

Usage: qgis_gps.py PORT SECONDS, by the Python that has Debian's python3-qgis"""
import json
import math
import sys

from qgis.core import QgsGpsdConnection
from qgis.PyQt.QtCore import QCoreApplication, QTimer


def take(information):
    """A sentence that it cannot use leaves zeros and no height."""
    if information.latitude and math.isfinite(information.elevation):
        members = "latitude", "longitude", "elevation", "quality", "satellitesUsed"
        print(json.dumps({name: getattr(information, name) for name in members}))
        app.quit()


app = QCoreApplication([])
# It keeps the port as a signed number of 16 bits, and would ask for a device by a name without quotes, which is no JSON.
port = (int(sys.argv[1]) + 0x8000) % 0x10000 - 0x8000
connection = QgsGpsdConnection("127.0.0.1", port, "")
connection.stateChanged.connect(take)
QTimer.singleShot(int(1000 * float(sys.argv[2])), app.quit)
app.exec_()
