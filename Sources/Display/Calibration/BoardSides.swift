/// Directions as seen from the board, in the words of one who holds it: x is right, y the top, z the back.
public enum BoardSides {
    /// A part of less than this share of the largest does not make it an edge or a corner: 27°.
    private static let leastShare = 0.5

    /// "left side", "top left edge", "front top left corner"; nil for what is no direction.
    ///
    /// - Parameter direction: three numbers in the body's axes.
    public static func name(_ direction: [Double]) -> String? {
        guard direction.count == 3, direction.allSatisfy(\.isFinite), let largest = direction.map(\.magnitude).max(),
            largest > 0
        else { return nil }
        let words = [
            (direction[2], "back", "front"), (direction[1], "top", "bottom"), (direction[0], "right", "left"),
        ]
        let parts = words.filter { $0.0.magnitude >= leastShare * largest }.map { $0.0 > 0 ? $0.1 : $0.2 }
        let part = ["side", "edge", "corner"][parts.count - 1]
        return (parts + [part]).joined(separator: " ")
    }

    /// The six sides, with the direction of each.
    static let all: [(name: String, direction: [Double])] = [
        ("top", [0, 1, 0]), ("bottom", [0, -1, 0]), ("left", [-1, 0, 0]), ("right", [1, 0, 0]),
        ("front", [0, 0, -1]), ("back", [0, 0, 1]),
    ]

    /// Whether a direction lies within 45° of a side's.
    static func faces(_ direction: [Double], _ side: [Double]) -> Bool {
        guard direction.count == 3 else { return false }
        let product = zip(direction, side).map { $0 * $1 }.reduce(0, +)
        return product > 0.7071
    }
}
