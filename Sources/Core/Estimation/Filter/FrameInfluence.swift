import Geometry
import Model

/// Sums of the corrections of position and yaw since the filter started, for each cause. They show what has moved the
/// scene frame relative to the earth.
///
/// The sums are a part of the filter, so that a late measurement, after re-integration, gives the same sums as a
/// measurement on time.
package struct FrameInfluence: Sendable, Codable {
    /// Cause of the next corrections.
    package var cause = FrameCause.rest
    /// Sum for each cause: east, north and up in metres, and yaw in radians.
    private var sums = InlineArray<15, SIMD4<Double>>(repeating: .zero)

    package init() {}

    /// Adds a correction. Frame of `shift`: ENU. Units: metres; radians, counter-clockwise.
    @inline(__always)
    mutating func add(shift: Vector3, yaw: Double) {
        sums[Int(cause.rawValue)] += SIMD4(shift.x, shift.y, shift.z, yaw)
    }

    /// Returns the sums plus the correction that paths make outside the filter. Frame: ENU. Unit: metres.
    package func adding(path shift: Vector3) -> FrameInfluence {
        var sum = self
        sum.cause = .path
        sum.add(shift: shift, yaw: 0)
        return sum
    }

    /// Returns the causes that contributed at least a tenth of the frame's motion since an earlier moment, and the
    /// largest of these causes.
    ///
    /// - Parameters:
    ///   - shift: shift that counts as much as the rotation `yaw`. Units: metres, radians.
    package func causes(since earlier: FrameInfluence, shift: Double, yaw: Double) -> (
        all: FrameCauses, main: FrameCause?
    ) {
        // A subscript would copy the whole array at each access.
        let now = sums.span
        let before = earlier.sums.span
        var sizes = InlineArray<15, Double>(repeating: 0)
        var sum = 0.0
        var largest = 0
        for k in sums.indices {
            let change = now[k] - before[k]
            let move = Vector3(change.x, change.y, change.z).norm
            sizes[k] = move / shift + change.w.magnitude / yaw
            sum += sizes[k]
            if sizes[k] > sizes[largest] { largest = k }
        }
        var all = FrameCauses()
        guard sum > 0 else { return (all, nil) }
        for k in sums.indices where sizes[k] >= Self.minimumShare * sum {
            if let cause = FrameCause(rawValue: UInt8(k)) { all.insert(FrameCauses(cause)) }
        }
        return (all, FrameCause(rawValue: UInt8(largest)))
    }

    /// Smallest share of the total for which a cause is reported.
    private static let minimumShare = 0.1
}

extension FrameInfluence: CheckedState {
    package mutating func settle() -> Bool { sums.indices.contains(Int(cause.rawValue)) }
}
