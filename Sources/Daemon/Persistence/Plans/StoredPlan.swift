import PlanMatching

/// Properties of a stored plan that are known without reading its document.
package struct StoredPlan: Equatable, Sendable {
    /// Identifier, 1 to `maximumIDLength` bytes.
    package let id: String
    package let name: String
    package let levels: Int
    package let features: Int
    /// Number of points of all features.
    package let vertices: Int
    /// Bounding box of all points.
    package let extent: PlanBox
    /// Time of the import, since 1970 UTC. Unit: nanoseconds.
    package let imported: Int64

    /// Maximum length of an id. In a file name, each byte may take three characters, and a name is limited to 255
    /// bytes. Unit: bytes.
    package static let maximumIDLength = 80
    /// Maximum length of a name. Unit: bytes.
    package static let maximumNameLength = 200
    /// Maximum number of points: a megabyte of coordinates.
    package static let maximumVertexCount = 65_536

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
