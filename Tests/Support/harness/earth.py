"""Positions on WGS84 in metres."""
import math

import numpy


def earth(position):
    """A position on WGS84 in the axes of the earth, metres."""
    latitude, longitude = math.radians(position["latitude"]), math.radians(position["longitude"])
    squared = 6.69437999014e-3
    radius = 6378137 / math.sqrt(1 - squared * math.sin(latitude)**2)
    across = (radius + position["height"]) * math.cos(latitude)
    return numpy.array([
        across * math.cos(longitude), across * math.sin(longitude),
        (radius * (1 - squared) + position["height"]) * math.sin(latitude)])


def in_plane_of_earth(origin, position):
    """A position in metres east, north and up of an origin."""
    latitude, longitude = math.radians(origin["latitude"]), math.radians(origin["longitude"])
    east = [-math.sin(longitude), math.cos(longitude), 0]
    up = [math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)]
    return numpy.array([east, numpy.cross(up, east), up]) @ (earth(position) - earth(origin))
