import PlanMatching

/// What is known of a stored plan without reading its document.
package struct StoredPlan: Equatable, Sendable {
    /// Identifier, 1 to `longestID` bytes.
    package let id: String
    /// Name for people.
    package let name: String
    /// Number of levels.
    package let levels: Int
    /// Number of features of all levels.
    package let features: Int
    /// Number of points of all features.
    package let vertices: Int
    /// Box around all points.
    package let extent: PlanBox
    /// Time of the import, since 1970 UTC. Unit: nanoseconds.
    package let imported: Int64

    /// Maximum length of an id: as part of a file's name, in which three characters stand for one byte, it has to stay
    /// below the 255 bytes of a name. Unit: bytes.
    package static let longestID = 80
    /// Unit: bytes.
    package static let longestName = 200
    /// Maximum number of points: a megabyte of coordinates.
    package static let mostVertices = 65_536

    package init(
        id: String, name: String, levels: Int, features: Int, vertices: Int, extent: PlanBox, imported: Int64
    ) {
        self.id = id
        self.name = name
        self.levels = levels
        self.features = features
        self.vertices = vertices
        self.extent = extent
        self.imported = imported
    }
}
