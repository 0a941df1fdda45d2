/// A place that the daemon knows.
public struct Place: Codable, Equatable, Sendable {
    /// Degrees, and metres above what `heightKind` says.
    public struct Geo: Codable, Equatable, Sendable {
        public var latitude: Double
        public var longitude: Double
        public var height: Double?

        public init(latitude: Double, longitude: Double, height: Double? = nil) {
            self.latitude = latitude
            self.longitude = longitude
            self.height = height
        }
    }

    public var id: String
    public var name: String
    /// Such as `cafe`; what filters go by.
    public var kind: String
    public var geo: Geo
    /// `eye`, `ground`, `ellipsoid` or `sea`.
    public var heightKind: String
    public var favorite: Bool
    /// From where it was looked for, metres; nil while that is not known.
    public var distance: Double?
    /// Degrees clockwise from true north.
    public var bearing: Double?
    /// What else its source says.
    public var properties: [String: String]?
    /// The same under names of our own, as far as it is known what it means.
    public var details: PlaceDetails?
}

/// Which places are shown.
public struct PlaceFilter: Codable, Equatable, Sendable {
    /// Under which it is saved.
    public var name: String?
    /// None lets all through.
    public var kinds: [String]
    /// Metres.
    public var radius: Double
    public var favoritesOnly: Bool
}

/// How far an import has come, or what came of it.
public struct PlaceImport: Codable, Equatable, Sendable {
    /// A part of the document that was left out, and why.
    public struct Problem: Codable, Equatable, Sendable {
        public var path: String
        public var reason: String
    }

    /// Places taken in; those of them that were not known before; and those that went.
    public var imported: Int
    public var added: Int
    public var removed: Int
    /// Features left out.
    public var flawed: Int
    /// Problems of the first few of these.
    public var problems: [Problem]
    /// Size of the part of the document that was read.
    public var bytes: Int
}
