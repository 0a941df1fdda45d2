import Geometry

/// Named point on the earth.
public struct Place: Hashable, Sendable {
    /// Identifier given by the source; unique.
    public var id: String
    /// Name for display; empty if there is none.
    public var name: String
    /// Kind by which filters select places, such as `cafe` or `stop`. It is free text.
    public var kind: String
    /// Geodetic position. `height` decides whether its height is used.
    public var position: GeodeticPosition
    /// Height and its reference. If the reference is not the ellipsoid, the `ellipsoidalHeight` of `position` is 0.
    public var height: PlacementHeight
    /// Further properties from the source, by name. Properties that were given as text are parsed on each access.
    public var tags: [String: String] {
        get { sourceTags.table }
        set { sourceTags = PlaceTags(newValue) }
    }
    /// Properties, either parsed or as text.
    private(set) var sourceTags: PlaceTags
    /// Whether the wearer has marked the place as a favourite.
    public var isFavorite: Bool

    package init(
        id: String, name: String, kind: String, position: GeodeticPosition, height: PlacementHeight = .unstated,
        tags: [String: String] = [:], isFavorite: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.position = position
        self.height = height
        sourceTags = PlaceTags(tags)
        self.isFavorite = isFavorite
    }

    /// Sets the properties as text that is parsed only when needed.
    public mutating func setTags(text: String, read: @escaping @Sendable (String) -> [String: String]) {
        sourceTags = PlaceTags(text: text, read: read)
    }
}

/// Further properties of a place by name, as a table or as text that is parsed only when needed.
struct PlaceTags: Hashable, Sendable {
    private enum Form: Sendable {
        case table([String: String])
        case text(String, read: @Sendable (String) -> [String: String])
    }

    private var form: Form

    init(_ table: [String: String]) { form = .table(table) }

    init(text: String, read: @escaping @Sendable (String) -> [String: String]) { form = .text(text, read: read) }

    var table: [String: String] {
        switch form {
        case .table(let table): table
        case .text(let text, let read): read(text)
        }
    }

    /// Equal texts are recognised as equal without being parsed.
    static func == (left: PlaceTags, right: PlaceTags) -> Bool {
        if case .text(let one, _) = left.form, case .text(let other, _) = right.form, one == other { return true }
        return left.table == right.table
    }

    /// Hashes nothing, so that no text has to be parsed. The identifiers of places give them different hashes.
    func hash(into hasher: inout Hasher) {}
}

/// Place with its distance and bearing from the wearer.
public struct NearbyPlace: Hashable, Sendable {
    package var place: Place
    /// Horizontal distance. Unit: metres.
    public var distance: Double
    /// Bearing clockwise from true north, radians in [0, 2π); 0 at the wearer's position.
    public var bearing: Double

    package init(place: Place, distance: Double, bearing: Double) {
        self.place = place
        self.distance = distance
        self.bearing = bearing
    }
}
