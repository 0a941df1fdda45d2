import Geometry

/// Validation of anchors from clients.
extension Anchor {
    /// Maximum length of an identifier, in bytes of UTF-8.
    static let idBytes = 128
    /// Maximum length of a name or category, in bytes of UTF-8.
    static let nameBytes = 256
    /// Maximum total length of all properties, in bytes of UTF-8.
    static let propertyBytes = 4096
    /// Maximum number of properties.
    static let mostProperties = 32
    /// Greatest distance from the scene's origin; beyond it the single precision of renderers is worse than a
    /// centimetre. Unit: metres.
    static let reach = 100_000.0
    /// Greatest size. Unit: metres.
    static let largest = 10_000.0

    /// Throws if the anchor is invalid.
    ///
    /// - Parameter routeLength: length of the present route, metres; nil without one.
    func check(routeLength: Double?) throws(AnchorProblem) {
        try Self.require(!id.isEmpty, "id", "is empty")
        try Self.check(id, "id", Self.idBytes)
        try Self.check(name, "name", Self.nameBytes)
        try Self.check(category, "category", Self.nameBytes)
        try checkProperties()
        try checkSize()
        try checkSite(routeLength)
        if policy == .hold {
            guard case .earth = site else {
                throw .invalid(
                    field: "policy",
                    reason: "hold is for anchors on the earth (geo or way): leave it out, the others stay as they are")
            }
        }
        if lifetime == .kept {
            guard case .earth = site else { throw .cannotBeKept }
        }
    }

    private func checkSite(_ routeLength: Double?) throws(AnchorProblem) {
        switch site {
        case .earth(_, let height):
            try Self.require(height.metres.isFinite, "height", "is no number")
            try Self.require(height.metres.magnitude <= Self.reach, "height", "is farther than anything is seen")
        case .scene(let point): try Self.checkPoint(point, "position")
        case .head(let point): try Self.checkPoint(point, "head")
        case .route(let along):
            guard let routeLength else { throw .noRoute }
            try Self.require(
                (0...routeLength).contains(along), "alongRoute",
                "is not on the route, which is \(Int(routeLength)) m long")
        }
    }

    private static func checkPoint(_ point: Vector3, _ field: String) throws(AnchorProblem) {
        try require(point.isFinite, field, "has a part that is no number")
        try require(point.norm <= reach, field, "is beyond \(Int(reach)) m from the origin")
    }

    private func checkSize() throws(AnchorProblem) {
        switch size {
        case .fading: return
        case .angular(let angle):
            try Self.require(angle > 0 && angle < .pi, "sizeDegrees", "is not above 0° and below 180°")
        case .metric(let metres):
            try Self.require(metres > 0 && metres <= Self.largest, "sizeMetres", "is not above 0 m and at most 10 km")
        }
    }

    private func checkProperties() throws(AnchorProblem) {
        try Self.require(
            properties.count <= Self.mostProperties, "properties", "are more than \(Self.mostProperties)")
        let bytes = properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        try Self.require(
            bytes <= Self.propertyBytes, "properties", "are longer than \(Self.propertyBytes) bytes together")
    }

    private static func check(_ text: String, _ field: String, _ most: Int) throws(AnchorProblem) {
        try require(text.utf8.count <= most, field, "is longer than \(most) bytes")
    }

    private static func require(_ holds: Bool, _ field: String, _ reason: String) throws(AnchorProblem) {
        if !holds { throw .invalid(field: field, reason: reason) }
    }
}

extension PlacementHeight {
    /// Height above the reference of its kind. Unit: metres.
    var metres: Double {
        switch self {
        case .eyeRelative(let metres), .groundRelative(let metres), .ellipsoidal(let metres), .meanSeaLevel(let metres):
            metres
        }
    }
}
