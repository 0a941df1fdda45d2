/// The ids of placements: what they stand for, and the own id of that, so that none is there twice.
public enum PlacementID {
    public static func place(_ id: String) -> String { "place/" + id }

    /// The place's own id; nil for a placement that is none.
    public static func placeID(in placement: String) -> String? {
        placement.hasPrefix("place/") ? String(placement.dropFirst(6)) : nil
    }

    public static func anchor(_ id: String) -> String { "anchor/" + id }

    /// Of a piece of a route, whose own id says of which route it is a part.
    public static func route(_ piece: String) -> String { "route/" + piece }
}
