import Scene

/// Names of the properties that have special meanings and are therefore not tags.
enum PlaceProperty {
    static let own = ["name", "kind", "favorite", "heightKind", "heightMetres"]
    /// Prefix for tags that would otherwise be mistaken for one of these properties.
    static let escape = "tag:"

    /// Name under which a tag is written.
    static func escaped(_ tag: String) -> String {
        own.contains(tag) || tag == "id" || tag == "@id" || tag == "@type" || tag.hasPrefix(escape) ? escape + tag : tag
    }

    /// Tag that an escaped name stands for; nil if the name is not escaped.
    static func unescaped(_ name: String) -> String? {
        name.hasPrefix(escape) ? String(name.dropFirst(escape.count)) : nil
    }

    /// Names of the reference surfaces of heights.
    enum HeightKind: String, CaseIterable {
        case eye, ground, roof, ellipsoid, sea

        /// Text of the problem for any other name.
        static let unknown = "no kind of height; known are \(allCases.map(\.rawValue).joined(separator: ", "))"

        func height(_ metres: Double) -> PlacementHeight {
            switch self {
            case .eye: .eyeRelative(metres)
            case .ground: .groundRelative(metres)
            case .roof: .roofRelative(metres)
            case .ellipsoid: .ellipsoidal(metres)
            case .sea: .meanSeaLevel(metres)
            }
        }
    }
}
