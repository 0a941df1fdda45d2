import Geometry

import Glibc

/// Specific force and angular rate at one instant, each corrected by its calibration. Frame: source. Units: seconds,
/// SI.
struct InertialPair: Hashable, Sendable {
    var seconds: Double
    var force: Vector3
    var rate: Vector3
}

/// Half a second of samples, with a test of whether the body stands still.
struct InertialBlock: Hashable, Sendable {
    private(set) var pairs: [InertialPair] = []
    private var forceSum = Vector3.zero
    private var rateSum = Vector3.zero

    /// Largest number of pairs. No board delivers as many in a block.
    private static let maximumPairCount = 2000

    var begins: Double { pairs.first?.seconds ?? 0 }
    var ends: Double { pairs.last?.seconds ?? 0 }
    var count: Int { pairs.count }

    mutating func add(_ pair: InertialPair) {
        guard pairs.count < Self.maximumPairCount else { return }
        pairs.append(pair)
        forceSum += pair.force
        rateSum += pair.rate
    }

    var meanForce: Vector3 { forceSum / Double(max(1, count)) }
    var meanRate: Vector3 { rateSum / Double(max(1, count)) }

    /// Whether the body stood still.
    ///
    /// - Parameter bias: bias of the gyroscope; nil until it is known.
    func isStill(bias: Vector3?) -> Bool {
        guard count >= 5 else { return false }
        let (force, rate) = (meanForce, meanRate)
        var (forceSquares, rateSquares) = (0.0, 0.0)
        for pair in pairs {
            forceSquares += (pair.force - force).squaredNorm
            rateSquares += (pair.rate - rate).squaredNorm
        }
        let scale = 1 / Double(count)
        let limit = bias == nil ? MountSettings.stillRate : MountSettings.stillRateOverBias
        return (forceSquares * scale).squareRoot() < MountSettings.stillForceStandardDeviation
            && (rateSquares * scale).squareRoot() < MountSettings.stillRateStandardDeviation
            && (rate - (bias ?? .zero)).norm < limit
    }

    /// Whether two still blocks may belong to one stand, in which the body did not move. If the body moves slowly, each
    /// block by itself is still, but gravity or the mean rate changes from block to block.
    func isSameStand(as other: InertialBlock) -> Bool {
        meanForce.angle(to: other.meanForce) < MountSettings.maximumSway
            && (meanRate - other.meanRate).norm < 2 * MountSettings.stillRateOverBias
    }
}

extension [InertialBlock] {
    /// The newest consecutive blocks that are still and belong to the same stand as the last block.
    var newestStand: [InertialBlock] {
        guard let last else { return [] }
        let moved = lastIndex { !$0.isSameStand(as: last) }
        return moved.map { Array(self[($0 + 1)...]) } ?? self
    }
}

extension Vector3 {
    /// Angle between two directions. Unit: radians.
    fileprivate func angle(to other: Vector3) -> Double { atan2(cross(other).norm, dot(other)) }
}

/// Means over the blocks of one or more stands.
struct Stand: Hashable, Sendable {
    /// Total duration. Unit: seconds.
    private(set) var seconds = 0.0
    private var forceIntegral = Vector3.zero
    private var rateIntegral = Vector3.zero
    private var normIntegral = 0.0

    init(_ blocks: some Sequence<InertialBlock> = []) {
        for block in blocks { add(block) }
    }

    mutating func add(_ block: InertialBlock) {
        seconds += MountSettings.blockSeconds
        forceIntegral += block.meanForce * MountSettings.blockSeconds
        rateIntegral += block.meanRate * MountSettings.blockSeconds
        normIntegral += block.meanForce.norm * MountSettings.blockSeconds
    }

    mutating func add(_ other: Stand) {
        seconds += other.seconds
        forceIntegral += other.forceIntegral
        rateIntegral += other.rateIntegral
        normIntegral += other.normIntegral
    }

    /// Mean specific force. Frame: source. Unit: m/s².
    var force: Vector3 { forceIntegral / max(seconds, .leastNormalMagnitude) }
    /// Mean magnitude of the specific force. It does not depend on the rotation of the board. Unit: m/s².
    var gravity: Double { normIntegral / max(seconds, .leastNormalMagnitude) }
    /// Mean angular rate, which is the gyroscope's bias. Frame: source. Unit: rad/s.
    var rate: Vector3 { rateIntegral / max(seconds, .leastNormalMagnitude) }

    /// Angle between the directions of gravity in two stands. Unit: radians.
    func angle(to other: Stand) -> Double { force.angle(to: other.force) }
}
