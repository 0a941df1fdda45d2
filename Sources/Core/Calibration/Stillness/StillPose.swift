import Geometry
import Model

/// A period in which the board was held still.
struct StillPose: Hashable, Sendable {
    /// Mean of forces, and the mean time of their samples.
    struct Anchor: Hashable, Sendable {
        var time: BootTime
        var force: Vector3
    }

    var begins: BootTime
    var ends: BootTime
    /// Mean specific force. Measured units.
    var force: Vector3
    /// Number of specific forces in the mean.
    var forces: Double
    /// Half the difference between the means of the pose's two halves, as a sample of the error of `force`. Unlike the
    /// scatter of short blocks, it also covers an oscillating hand, whose mean acceleration is zero.
    var halfDifference: Vector3
    /// Covariance of `force` that follows from the scatter of the block means about a straight line. Measured units,
    /// squared.
    var forceCovariance: Matrix<3, 3>
    /// Mean angular rate; nil without angular rates. Measured units.
    var rate: Vector3?
    /// Mean force in the pose's first half second, where the move before the pose ends.
    var head: Anchor
    /// Mean force in the pose's last half second, where the next move begins.
    var tail: Anchor

    /// Duration. Unit: seconds.
    var seconds: Double { ends.seconds(since: begins) }

    /// Makes a pose from at least two consecutive blocks.
    init(_ blocks: ArraySlice<InertialRecord.Block>) {
        let (force, rate) = (blocks.force, VectorMoments(blocks.lazy.map(\.rate)))
        begins = blocks[blocks.startIndex].begins
        ends = blocks[blocks.endIndex - 1].ends
        self.force = force.mean
        forces = force.count
        let half = blocks.count / 2
        halfDifference = 0.5 * (blocks.suffix(half).force.mean - blocks.prefix(half).force.mean)
        forceCovariance = Self.covarianceOfMean(Array(blocks))
        self.rate = rate.count > 0 ? rate.mean : nil
        head = Self.anchor(blocks.prefix(StillnessLimits.windowBlocks))
        tail = Self.anchor(blocks.suffix(StillnessLimits.windowBlocks))
    }

    private static func anchor(_ blocks: ArraySlice<InertialRecord.Block>) -> Anchor {
        let force = blocks.force
        var offset = 0.0
        let origin = blocks[blocks.startIndex].begins.nanoseconds
        for block in blocks {
            let middle = Double(block.begins.nanoseconds - origin) / 2 + Double(block.ends.nanoseconds - origin) / 2
            offset += block.force.count * middle
        }
        let time = BootTime(nanoseconds: origin + Int64(offset / max(1, force.count)))
        return Anchor(time: time, force: force.mean)
    }

    /// Covariance of the mean, from the residuals of the block means about a straight line. A line is used because a
    /// drift is not noise.
    private static func covarianceOfMean(_ blocks: [InertialRecord.Block]) -> Matrix<3, 3> {
        let count = Double(blocks.count)
        var covariance = Matrix<3, 3>()
        guard count > 2 else { return covariance }
        let middle = (count - 1) / 2
        var (mean, slope, spread) = (Vector3.zero, Vector3.zero, 0.0)
        for block in blocks { mean += block.force.mean / count }
        for (index, block) in blocks.enumerated() {
            let at = Double(index) - middle
            slope += at * (block.force.mean - mean)
            spread += at * at
        }
        slope = slope / spread
        for (index, block) in blocks.enumerated() {
            let left = block.force.mean - mean - (Double(index) - middle) * slope
            covariance = covariance + Matrix(left.x * left, left.y * left, left.z * left)
        }
        return (1 / ((count - 2) * count)) * covariance
    }

    /// Standard deviation of the mean, RMS over the three axes.
    var forceStandardDeviation: Double {
        ((forceCovariance[0, 0] + forceCovariance[1, 1] + forceCovariance[2, 2]) / 3).squareRoot()
    }
}

extension StillPose {
    /// Finds the poses of a record. They are trimmed runs of still blocks that are long enough and do not drift. If the
    /// board has the same pose before and after a short interruption, the pose counts only once.
    ///
    /// - Parameter gravity: approximate gravity in measured units, to which the drift limit is scaled.
    static func all(in record: InertialRecord, still: [Bool], gravity: Double) -> [StillPose] {
        let blocks = record.blocks
        var poses: [[Range<Int>]] = []
        var first = 0
        while first < still.count {
            guard still[first] else {
                first += 1
                continue
            }
            let run = first..<runEnd(in: blocks, still: still, from: first, gravity: gravity)
            first = run.upperBound
            if let last = poses.last?.last, blocks.isOnePose(last, run, gravity: gravity) {
                poses[poses.count - 1].append(run)
            } else {
                poses.append([run])
            }
        }
        return poses.compactMap { trimmed($0.flatMap { blocks[$0] }) }
    }

    /// Index of the end of the run of still blocks that starts at `first`.
    private static func runEnd(
        in blocks: [InertialRecord.Block], still: [Bool], from first: Int, gravity: Double
    ) -> Int {
        var sum = blocks[first].force
        var end = first + 1
        while end < still.count, still[end], blocks[end].follows(blocks[end - 1]),
            (blocks[end].force.mean - sum.mean).norm <= StillnessLimits.drift * gravity
        {
            sum.add(blocks[end].force)
            end += 1
        }
        return end
    }

    private static func trimmed(_ blocks: [InertialRecord.Block]) -> StillPose? {
        let seconds = blocks.reduce(0) { $0 + $1.ends.seconds(since: $1.begins) }
        let minimum = StillnessLimits.minimumBlockCount
        // At 10 Hz, a block has a single sample and no duration, so that the number of blocks has to give the duration.
        guard blocks.count >= minimum,
            max(seconds, StillnessLimits.blockSeconds * Double(blocks.count - 1)) >= StillnessLimits.minimumSeconds
                - 1e-3
        else { return nil }
        let trim = min(StillnessLimits.trimmedBlocks, (blocks.count - minimum) / 2)
        return StillPose(blocks[trim..<blocks.count - trim])
    }
}

extension [InertialRecord.Block] {
    /// Whether two runs belong to one pose, because they are close in time and in direction.
    fileprivate func isOnePose(_ first: Range<Int>, _ second: Range<Int>, gravity: Double) -> Bool {
        let pause = self[second.lowerBound].begins.seconds(since: self[first.upperBound - 1].ends)
        guard pause >= 0, pause <= StillnessLimits.maximumInterruption else { return false }
        return (self[second].force.mean - self[first].force.mean).norm <= StillnessLimits.samePose * gravity
    }
}

extension ArraySlice<InertialRecord.Block> {
    /// Moments of the forces of all blocks.
    var force: VectorMoments { VectorMoments(lazy.map(\.force)) }
}
