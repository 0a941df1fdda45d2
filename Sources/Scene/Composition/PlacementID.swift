/// Identifiers of placements: a prefix for the kind and the object's own identifier, so that they are unique.
public enum PlacementID {
    /// Identifier of the placement of a place.
    public static func place(_ id: String) -> String { "place/" + id }

    /// Place's own identifier; nil for other placements.
    public static func placeID(in placement: String) -> String? {
        placement.hasPrefix("place/") ? String(placement.dropFirst(6)) : nil
    }

    /// Identifier of the placement of an anchor.
    public static func anchor(_ id: String) -> String { "anchor/" + id }

    /// Identifier of the placement of a route's element, whose own identifier contains that of the route.
    public static func route(_ piece: String) -> String { "route/" + piece }
}
