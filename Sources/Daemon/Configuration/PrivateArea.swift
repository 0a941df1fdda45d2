import Geometry

/// A circle on the earth within which no position is published.
package struct PrivateArea: Hashable, Sendable {
    package typealias Problem = SettingProblem

    /// Name given by the user; it is never published.
    package let name: String
    package let center: GeodeticPosition
    /// Radius. Unit: metres.
    package let radius: Double

    private static let maximumCount = 64
    /// Permitted radii. Unit: metres.
    private static let radii = 10...100_000.0

    /// Ratio of the 99.8 % radius to the 68 % radius of a normal distribution in two dimensions.
    private static let certainty = 2.33

    /// Whether a wearer may be inside. The position counts as inside unless the 99.8 % circle around it is outside.
    ///
    /// - Parameter accuracy: 68 % radius. Unit: metres.
    package func mayContain(_ position: GeodeticPosition, accuracy: Double) -> Bool {
        // NaN counts as inside.
        !(Geodesic(from: center, to: position).distance >= radius + Self.certainty * max(accuracy, 0))
    }

    /// Parses areas of the form `NAME LATITUDE LONGITUDE RADIUS`, which are separated by semicolons. Units: degrees and
    /// metres.
    package static func list(_ text: String) throws(Problem) -> [PrivateArea] {
        let parts = text.split(separator: ";").filter { !$0.allSatisfy { $0 == " " } }
        guard parts.count <= maximumCount else { throw .invalid("names more than \(maximumCount) areas") }
        return try parts.map { part throws(Problem) in try area(part) }
    }

    private static func area(_ text: Substring) throws(Problem) -> PrivateArea {
        let words = text.split(separator: " ")
        guard words.count == 4, let latitude = Double(words[1]), let longitude = Double(words[2]),
            let radius = Double(words[3])
        else {
            throw .invalid(
                "must be areas of the form \"NAME LATITUDE LONGITUDE RADIUS\", separated by semicolons, such "
                    + "as \"home 52.52 13.405 200; school 52.53 13.41 150\"")
        }
        guard
            let center = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
        else { throw .invalid("has an area that is not on the earth: '\(words[0])'") }
        guard radii.contains(radius) else {
            throw .invalid("has an area whose radius is not 10 to 100000 m: '\(words[0])'")
        }
        return PrivateArea(name: String(words[0]), center: center, radius: radius)
    }
}
