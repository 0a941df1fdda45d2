import Geometry
import Model

/// Plan of a place where the wearer may be, with the positions of its levels on a tangent plane.
struct PlacedPlan: Sendable, Codable {
    /// Levels, lowest first; those without a number come last. There is at least one.
    private(set) var levels: [PlacedGrid]
    /// Storey of each level: `ground` plus twice the number of the level, because levels may have half numbers. Levels
    /// without a number are above the others.
    private let storeys: [UInt8]

    /// Maximum number of levels, as allowed in a plan.
    static let maximumLevelCount = 64
    /// Storey of the number 0.
    private static let ground = 64

    /// - Parameter levels: at least one, and at most `maximumLevelCount`.
    init(levels: [PlacedGrid]) {
        self.levels = levels
        var storeys: [UInt8] = []
        for placed in levels {
            let above = storeys.last.map { Int($0) + 2 } ?? Self.ground
            let number = placed.grid.number.flatMap { $0.magnitude < 1000 ? Int((2 * $0).rounded()) : nil }
            var storey = UInt8(clamping: number.map { Self.ground + $0 } ?? above)
            while storeys.contains(storey), storey < .max { storey += 1 }
            storeys.append(storey)
        }
        self.storeys = storeys
    }

    /// Origin of particle positions: the center of the first level. Unit: metres.
    var center: Vector2 { levels[0].center }

    /// Returns the index of the level on a storey; nil if no level is drawn there.
    @inline(__always)
    func index(of storey: UInt8) -> Int? { storeys.firstIndex(of: storey) }

    func storey(of index: Int) -> UInt8 { storeys[index] }

    /// Returns the storey that is `number` levels above another storey, or below it if `number` is negative. If no
    /// level is drawn there, a level drawn half a storey above or below is used if there is one.
    func storey(_ number: Int, above storey: UInt8) -> UInt8 {
        let exact = UInt8(clamping: Int(storey) + 2 * number)
        // These are separate checks because an array of the three storeys might be allocated on the heap for each
        // particle.
        if storeys.contains(exact) { return exact }
        if storeys.contains(exact &+ 1) { return exact &+ 1 }
        return storeys.contains(exact &- 1) ? exact &- 1 : exact
    }

    /// Returns the center of a level, relative to `center`. Frame: east and north. Unit: metres.
    @inline(__always)
    func offset(of index: Int) -> SIMD2<Float> {
        let away = levels[index].center - center
        return SIMD2(Float(away.x), Float(away.y))
    }

    /// Returns the prior probability of each level. It is highest at ground level, where wearers enter a building.
    ///
    /// - Parameter known: checksum of the level where the wearer was recently.
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

    /// Distance from the ground floor that is assumed for a level without a number, in levels.
    private static let unknownNumber = 2.0
    /// Prior probability of the level where the wearer was recently.
    private static let knownShare = 0.9

    mutating func shift(by offset: Vector2) {
        for index in levels.indices { levels[index].center = levels[index].center + offset }
    }
}

extension PlacedPlan: CheckedState {
    mutating func settle() -> Bool {
        (1...Self.maximumLevelCount).contains(levels.count) && storeys.count == levels.count
    }
}
