import Geometry

/// Face of a box with right angles, by the axis of the board that points up and its sign.
struct BoxFace: Hashable, Sendable {
    /// Index of the axis, 0 to 2.
    var axis: Int
    var isPositive: Bool

    static let all = (0..<3).flatMap { [BoxFace(axis: $0, isPositive: true), BoxFace(axis: $0, isPositive: false)] }

    /// The face whose axis lies close to an up direction; nil if there is none.
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
