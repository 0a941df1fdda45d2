"""The example of a floor plan: a station of two levels, as GeoJSON, as OpenStreetMap and as a picture."""
