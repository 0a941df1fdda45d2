import Scene

/// Names of the properties that mean something to us, and are no tags.
enum PlaceProperty {
    static let own = ["name", "kind", "favorite", "heightKind", "heightMetres"]
    /// Prefix of a tag that has the name of one of them.
    static let escape = "tag:"

    /// The name under which a tag is written.
    static func escaped(_ tag: String) -> String {
        own.contains(tag) || tag == "id" || tag == "@id" || tag == "@type" || tag.hasPrefix(escape) ? escape + tag : tag
    }

    /// The tag that is written under a name; nil where it is that name itself.
    static func unescaped(_ name: String) -> String? {
        name.hasPrefix(escape) ? String(name.dropFirst(escape.count)) : nil
    }

    /// Words for what a height is above.
    enum HeightKind: String, CaseIterable {
        case eye, ground, ellipsoid, sea

        func height(_ metres: Double) -> PlacementHeight {
            switch self {
            case .eye: .eyeRelative(metres)
            case .ground: .groundRelative(metres)
            case .ellipsoid: .ellipsoidal(metres)
            case .sea: .meanSeaLevel(metres)
            }
        }
    }
}
