import Geometry

/// A face of a box with right angles: which axis of the board is up, and whether its positive or its negative end.
struct BoxFace: Hashable, Sendable {
    /// 0 to 2.
    var axis: Int
    var isPositive: Bool

    static let all = (0..<3).flatMap { [BoxFace(axis: $0, isPositive: true), BoxFace(axis: $0, isPositive: false)] }

    /// The face that lies nearest to a direction; nil for one that is none.
    init?(up: Vector3) {
        let parts = [up.x, up.y, up.z]
        guard let axis = parts.firstIndex(where: { $0.magnitude >= MoveLimits.faceCosine }) else { return nil }
        self.init(axis: axis, isPositive: parts[axis] > 0)
    }

    init(axis: Int, isPositive: Bool) {
        self.axis = axis
        self.isPositive = isPositive
    }

    var up: Vector3 {
        let sign = isPositive ? 1.0 : -1
        return Vector3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0)
    }

    var name: String { (isPositive ? "+" : "−") + ["x", "y", "z"][axis] }
}
