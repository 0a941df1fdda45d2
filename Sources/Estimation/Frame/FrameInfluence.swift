import Geometry
import Model

/// How far each kind of measurement has turned and moved the body against what the inertial sensors felt, summed up since
/// the filter began: hence how far it has moved the scene frame against the earth.
///
/// A part of the filter, so that a late measurement, after which all is integrated again, leaves the sums as they would
/// be had it come in time.
package struct FrameInfluence: Sendable {
    /// Of what is corrected from now on.
    package var cause = FrameCause.rest
    /// East, north, up in metres and the yaw in radians.
    private var sums = InlineArray<11, SIMD4<Double>>(repeating: .zero)

    package init() {}

    /// Frame of `shift`: ENU. Units: metres; radians, counter-clockwise.
    @inline(__always)
    mutating func add(shift: Vector3, yaw: Double) {
        sums[Int(cause.rawValue)] += SIMD4(shift.x, shift.y, shift.z, yaw)
    }

    /// Those that have moved the frame since an earlier moment by more than a tenth of all, and the one that did the most.
    ///
    /// - Parameters:
    ///   - shift: that counts as much as the turn `yaw`. Units: metres, radians.
    func causes(since earlier: FrameInfluence, shift: Double, yaw: Double) -> (all: FrameCauses, main: FrameCause?) {
        // By subscript each element would be a copy of the whole.
        let now = sums.span
        let before = earlier.sums.span
        var sizes = InlineArray<11, Double>(repeating: 0)
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
        for k in sums.indices where sizes[k] >= Self.leastShare * sum {
            if let cause = FrameCause(rawValue: UInt8(k)) { all.insert(FrameCauses(cause)) }
        }
        return (all, FrameCause(rawValue: UInt8(largest)))
    }

    private static let leastShare = 0.1
}
