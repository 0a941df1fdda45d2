import Geodesy

/// A way to walk: its vertices from start to destination.
public struct Route: Hashable, Sendable {
    public var id: String
    public var name: String
    public var vertices: [GeodeticPosition]

    public init(id: String, name: String, vertices: [GeodeticPosition]) {
        self.id = id
        self.name = name
        self.vertices = vertices
    }
}
