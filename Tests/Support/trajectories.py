"""What geopandas and movingpandas make of exported tracks, as JSON.

Usage: trajectories.py TRACK.gpx TRACK.geojson TRACK.mfjson"""
import json
import sys

import geopandas
import movingpandas
import shapely

gpx, geojson, movement = sys.argv[1:]
points = geopandas.read_file(gpx, layer="track_points")
lines = geopandas.read_file(geojson)
[trajectory] = movingpandas.read_mf_json(movement, "part").trajectories
published = trajectory.df[["speed", "height"]].to_dict("list")
trajectory.add_speed(name="derived")
print(json.dumps({
    "points": {
        "crs": points.crs.to_epsg(), "times": [time.timestamp() for time in points["time"]],
        "positions": [[point.x, point.y, height] for point, height in zip(points.geometry, points["ele"])]},
    "lines": {"crs": lines.crs.to_epsg(), "positions": shapely.get_coordinates(lines.geometry, include_z=True).tolist()},
    "trajectory": {
        "crs": trajectory.crs.to_epsg(), "length": trajectory.get_length(),
        "duration": trajectory.get_duration().total_seconds(), "derived": trajectory.df["derived"].tolist(), **published}}))
