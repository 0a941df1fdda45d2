import Geometry
import State

/// A plan whose levels may be where the wearer is, with their positions on a tangent plane.
struct PlacedPlan: Sendable, Codable {
    /// Levels, lowest first, those without a number last; at least one.
    private(set) var levels: [PlacedGrid]

    /// Maximum number of levels, as many as a plan may have.
    static let mostLevels = 64

    /// - Parameter levels: at least one, and up to `mostLevels`.
    init(levels: [PlacedGrid]) { self.levels = levels }

    /// Position that particles count from: the center of the first level. Unit: metres.
    var center: Vector2 { levels[0].center }

    /// Level of an index; nil where none is drawn.
    @inline(__always)
    func level(_ index: Int) -> PlacedGrid? { levels.indices.contains(index) ? levels[index] : nil }

    /// Center of a level, from `center`. Frame: east and north. Unit: metres.
    @inline(__always)
    func offset(of level: PlacedGrid) -> SIMD2<Float> {
        let away = level.center - center
        return SIMD2(Float(away.x), Float(away.y))
    }

    /// Shares of the levels before anything is known: one enters a building on the ground.
    ///
    /// - Parameter known: checksum of the level where the wearer was a moment ago.
    func shares(knowing known: UInt32?) -> [Double] {
        let plain = levels.map { placed in
            let number = placed.grid.number ?? Self.unknownNumber
            return 1 / (1 + number * number)
        }
        let sum = plain.reduce(0, +)
        guard let known, let index = levels.firstIndex(where: { $0.grid.checksum == known }) else {
            return plain.map { $0 / sum }
        }
        return plain.indices.map { (1 - Self.knownShare) * plain[$0] / sum + ($0 == index ? Self.knownShare : 0) }
    }

    /// Distance from the ground of a level whose number is unknown, in levels.
    private static let unknownNumber = 2.0
    /// Share of the level where the wearer was a moment ago.
    private static let knownShare = 0.9

    mutating func shift(by offset: Vector2) {
        for index in levels.indices { levels[index].center = levels[index].center + offset }
    }
}

extension PlacedPlan: CheckedState {
    mutating func settle() -> Bool { (1...Self.mostLevels).contains(levels.count) }
}
