"""Who may call which method of the interfaces: the table, and what a process with given rights meets.

Needs nothing but the standard library: it also runs in a guest as a script, with the path of the socket and the names
of the methods as arguments, and prints what each call met as JSON.
"""
import errno
import json
import socket
import sys

# Members of the socket's group may call these,
READERS = {
    "org.varlink.service.GetInfo", "org.varlink.service.GetInterfaceDescription",
    "org.waymark.Pose.GetPose", "org.waymark.Pose.Subscribe",
    "org.waymark.Status.GetStatus", "org.waymark.Status.ListDevices",
    "org.waymark.Scene.Subscribe", "org.waymark.Scene.GetScene", "org.waymark.Scene.Pick",
    "org.waymark.Scene.ListAnchors", "org.waymark.Scene.GetAhead",
    "org.waymark.Scene.SearchPlaces", "org.waymark.Scene.NearPlaces", "org.waymark.Scene.GetPlace",
    "org.waymark.Scene.ExportPlaces", "org.waymark.Scene.GetFilter", "org.waymark.Scene.ListFilters",
    "org.waymark.Scene.GetRoute", "org.waymark.Scene.SubscribeFrame", "org.waymark.Scene.Explain",
    "org.waymark.Scene.EstimateAt",
    "org.waymark.Calibration.List", "org.waymark.Calibration.Export", "org.waymark.Aid.List",
    "org.waymark.Plan.List", "org.waymark.Plan.Get", "org.waymark.Plan.GetLines",
    "org.waymark.Terrain.List", "org.waymark.Terrain.GetHeight",
}
# and these only if they are in the group of service.change_group too.
CHANGERS = {
    "org.waymark.Recording.Start", "org.waymark.Recording.Stop",
    "org.waymark.Scene.PlaceAnchor", "org.waymark.Scene.RemoveAnchor",
    "org.waymark.Scene.ImportPlaces", "org.waymark.Scene.SetFavorite",
    "org.waymark.Scene.SetFilter", "org.waymark.Scene.UseFilter", "org.waymark.Scene.RemoveFilter",
    "org.waymark.Scene.SetRoute", "org.waymark.Scene.ClearRoute",
    "org.waymark.Scene.NavigateTo", "org.waymark.Scene.Reroute",
    "org.waymark.Scene.ServeNavigation", "org.waymark.Scene.AnswerNavigation",
    "org.waymark.Calibration.Start", "org.waymark.Calibration.Finish", "org.waymark.Calibration.Reset",
    "org.waymark.Calibration.Import",
    "org.waymark.Plan.Import", "org.waymark.Plan.Remove",
    "org.waymark.Terrain.Import", "org.waymark.Terrain.ImportBuildings", "org.waymark.Terrain.Remove",
}
# These only if they are in the group waymark-aid.
AIDERS = {
    "org.waymark.Aid.Open", "org.waymark.Aid.Close", "org.waymark.Aid.OfferOdometry", "org.waymark.Aid.OfferPosition",
    "org.waymark.Aid.OfferSighting", "org.waymark.Aid.OfferRange", "org.waymark.Aid.OfferHeading",
    "org.waymark.Aid.OfferHeight", "org.waymark.Aid.OfferSamples",
}
METHODS = sorted(READERS | CHANGERS | AIDERS)

DENIED = "org.varlink.service.PermissionDenied"
# In a guest on a busy machine. Seconds.
PATIENCE = 300

# Each caller with the groups that it is in, beside one of its own.
CALLERS = {
    "stranger": (),
    "changer without reading": ("waymark-change",),
    "reader": ("waymark",),
    "changer": ("waymark", "waymark-change"),
    "aider": ("waymark", "waymark-aid"),
}


def outcome(path, method):
    """What a call without parameters meets: the name of its error, `reply`, or why there is no connection."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        try:
            connection.connect(path)
        except OSError as error:
            return errno.errorcode[error.errno]
        connection.sendall(json.dumps({"method": method, "parameters": {}}).encode() + b"\0")
        message = b""
        while not message.endswith(b"\0"):
            data = connection.recv(65536)
            if not data:
                return "closed"
            message += data
    return json.loads(message[:-1]).get("error", "reply")


def outcomes(path, methods):
    """Of each method, what a call of this process meets."""
    return {method: outcome(path, method) for method in methods}


def flaws(caller, found):
    """What in the outcomes is not as the table has it, for one of `CALLERS` or for root."""
    if caller == "root" or "waymark" in CALLERS[caller]:
        refused = (set() if caller in ("root", "changer") else CHANGERS) | (set() if caller in ("root", "aider") else AIDERS)
        # Without parameters most calls meet another error, which only those come to that may call.
        return {
            method: met for method, met in found.items()
            if met in ("EACCES", "closed") or (met == DENIED) != (method in refused)}
    return {method: met for method, met in found.items() if met != "EACCES"}


if __name__ == "__main__":
    print(json.dumps(outcomes(sys.argv[1], sys.argv[2:])))
