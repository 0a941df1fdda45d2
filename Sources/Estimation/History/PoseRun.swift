import Geometry
import Measurements

/// Successive poses that share a base and a context.
struct PoseRun: Sendable {
    let generation: UInt32
    /// Number of knots after the first.
    var following: UInt16 = 0
    let base: PoseBase
    let context: PoseContext
    /// Sequence numbers of its first pose and of the pose in its last knot, counted from the first pose ever.
    let firstSequence: UInt64
    var lastSequence: UInt64
    /// Number of its first knot, counted from the first knot ever.
    let firstKnot: Int

    @inline(__always)
    init(_ pose: PoseEstimate, sequence: UInt64, firstKnot: Int) {
        generation = pose.generation
        base = PoseBase(time: pose.time, position: pose.positionInScene, velocity: pose.velocityInScene)
        context = PoseContext(pose)
        firstSequence = sequence
        lastSequence = sequence
        self.firstKnot = firstKnot
    }

    /// Number of its last knot.
    var lastKnot: Int { firstKnot + Int(following) }

    /// Sequence number of the pose in a knot. Approximate where poses came faster than they are kept.
    func sequence(ofKnot number: Int) -> UInt64 {
        guard following > 0 else { return firstSequence }
        return firstSequence + (lastSequence - firstSequence) * UInt64(number - firstKnot) / UInt64(following)
    }
}
