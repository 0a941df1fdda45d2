import Geometry
import Model

/// Guides a user who turns a board from pose to pose. It is updated with each block. The stillest window of the whole
/// record is not known until the end. Until then, a window counts as still if it is nearly as still as the stillest one
/// so far, or, in SI units, as still as a hand can hold the board. The final fit chooses the limit anew.
struct PoseGuidance: Sendable {
    private let settings: CalibrationSettings
    private(set) var poses: [StillPose] = []
    private(set) var fit: AccelerometerFit?
    private(set) var predictedTiltError: Double?
    /// Up direction of each pose so far. Frame: the board's axes.
    private(set) var directions: [Vector3] = []
    /// Up directions of the distinct poses.
    private(set) var distinct: [Vector3] = []
    /// Direction farthest from all poses so far. Frame: the board's axes.
    private(set) var missing = Vector3(0, 1, 0)
    private(set) var direction: Vector3?
    private(set) var isComplete = false
    /// For each axis of the box, whether a rotation about it was detected.
    private(set) var turnedAxes: [Bool] = [false, false, false]

    private var stillest = StillWindows.Scatter(force: .infinity, rate: nil)
    private var runBegin: Int?
    private var hasTaken = false
    private var lastHeld: BootTime?
    private var now: BootTime?
    /// Largest number of poses that guidance uses. Only the final fit uses later poses.
    private static let maximumPoses = 200

    init(_ settings: CalibrationSettings) { self.settings = settings }

    var instruction: CalibrationProgress.Instruction {
        if isComplete { return .done }
        guard let now else { return .waitForSamples }
        if runBegin != nil { return hasTaken ? .turnToNextPose : .keepPose }
        guard let lastHeld else { return .holdStill }
        let moving = now.seconds(since: lastHeld)
        if moving > AccelerometerLimits.patienceSeconds { return .movesTooMuch }
        return hasTaken ? .turnToNextPose : .holdStill
    }

    /// Progress towards completion, from 0 to 1.
    var fraction: Double {
        if isComplete { return 1 }
        if settings.usesFaces {
            let faces = Set(directions.compactMap { BoxFace(up: $0) }).count
            let turns = settings.faceTurn == nil ? 0 : turnedAxes.filter(\.self).count
            return min(0.99, Double(faces + turns) / (settings.faceTurn == nil ? 6 : 9))
        }
        let poses = min(1, Double(distinct.count) / Double(AccelerometerLimits.goodPoses))
        let quality = predictedTiltError.map { min(1, AccelerometerLimits.goodTilt / $0) } ?? 0
        return min(0.99, 0.8 * poses + 0.2 * quality)
    }

    /// Processes the newest completed block.
    mutating func update(_ record: InertialRecord) {
        let blocks = record.blocks
        guard let last = blocks.last else { return }
        if lastHeld == nil { lastHeld = last.begins }
        now = last.ends
        if last.force.count > 0 { direction = up(last.force.mean) ?? direction }
        let window = blocks.suffix(StillnessLimits.windowBlocks)
        guard window.count == StillnessLimits.windowBlocks, let scatter = StillWindows.scatter(window) else {
            runBegin = nil
            return
        }
        stillest.force = min(stillest.force, scatter.force)
        if let rate = scatter.rate { stillest.rate = min(stillest.rate ?? .infinity, rate) }
        guard scatter.isWithin(limit(record)) else {
            finishRun(record)
            return
        }
        follow(record, window: window)
    }

    private func limit(_ record: InertialRecord) -> StillWindows.Scatter {
        var limit = stillest.times(StillnessLimits.liveMultiplier)
        if record.forceQuantum.isFinite { limit.force = max(limit.force, 2 * record.forceQuantum) }
        if settings.unit == .standard {
            // With more than three times the scatter of a hand, the board is not still, even if no smaller scatter was
            // measured.
            limit.force = min(max(limit.force, StillnessLimits.handForce), 3 * StillnessLimits.handForce)
            limit.rate = limit.rate.map {
                min(max($0, StillnessLimits.handRate), 3 * StillnessLimits.handRate)
            }
        }
        return limit
    }

    private mutating func follow(_ record: InertialRecord, window: ArraySlice<InertialRecord.Block>) {
        let blocks = record.blocks
        if let begin = runBegin, let last = blocks.last {
            let apart = (last.force.mean - blocks[begin].force.mean).norm
            if apart > 2 * StillnessLimits.drift * record.gravity(settings) { finishRun(record) }
        }
        let isNew = runBegin == nil
        let begin = runBegin ?? window.startIndex
        runBegin = begin
        if isNew { hasTaken = false }
        let held = blocks[blocks.count - 1].ends.seconds(since: blocks[begin].begins)
        guard !hasTaken, held >= AccelerometerLimits.holdSeconds, poses.count < Self.maximumPoses else { return }
        hasTaken = true
        take(StillPose(blocks[(begin + min(StillnessLimits.trimmedBlocks, blocks.count - begin - 2))...]), record)
    }

    /// Ends the run of still blocks. If a pose was taken from this run, it is extended to all blocks of the run.
    private mutating func finishRun(_ record: InertialRecord) {
        guard let begin = runBegin else { return }
        runBegin = nil
        lastHeld = now
        let end = record.blocks.count - 1 - StillnessLimits.trimmedBlocks
        let start = begin + StillnessLimits.trimmedBlocks
        if hasTaken, end - start >= StillnessLimits.minimumBlockCount, !poses.isEmpty {
            poses[poses.count - 1] = StillPose(record.blocks[start..<end])
        }
    }

    private mutating func take(_ pose: StillPose, _ record: InertialRecord) {
        poses.append(pose)
        let isStandard = settings.unit == .standard
        fit = AccelerometerFit(poses, isStandard: isStandard, gravity: settings.gravity)
        predictedTiltError = fit?.predictedTiltError
        directions = poses.compactMap { up($0.force) }
        distinct = directions.distinct(by: AccelerometerLimits.distinctAngle)
        missing = settings.usesFaces ? missingFace : distinct.farthestDirection
        if settings.usesFaces {
            lookForTurns(record)
        } else if let error = predictedTiltError, let fit {
            let isGood =
                distinct.count >= AccelerometerLimits.goodPoses && error <= AccelerometerLimits.goodTilt
                || distinct.count >= AccelerometerLimits.enoughPoses && error <= AccelerometerLimits.maximumTilt
            isComplete = isGood && fit.residualRMS <= AccelerometerLimits.maximumResidual
        }
    }

    private mutating func lookForTurns(_ record: InertialRecord) {
        let faces = poses.compactMap { pose in
            up(pose.force).flatMap { BoxFace(up: $0) }.map { (face: $0, pose: pose) }
        }
        let all = Set(faces.map(\.face)).count == 6
        guard let angle = settings.faceTurn else {
            isComplete = all
            return
        }
        turnedAxes = BoxTurns.axesTurned(
            faces, rates: record.rates, angle: angle, isStandard: settings.unit == .standard)
        isComplete = all && turnedAxes.allSatisfy(\.self)
    }

    private var missingFace: Vector3 {
        let seen = Set(directions.compactMap { BoxFace(up: $0) })
        if let face = BoxFace.all.first(where: { !seen.contains($0) }) { return face.up }
        let axis = turnedAxes.firstIndex(of: false) ?? 0
        return BoxFace(axis: axis, isPositive: true).up
    }

    /// Up direction from the fit so far, or from the raw force if its unit is known.
    private func up(_ force: Vector3) -> Vector3? {
        if let fit { return fit.up(force) }
        return settings.unit == .standard ? force.normalized : nil
    }
}

extension [Vector3] {
    /// Unit vectors of this array that differ from all previously kept ones by at least an angle. Unit: radians.
    func distinct(by angle: Double) -> [Vector3] {
        reduce(into: []) { kept, direction in
            if !kept.contains(where: { $0.isWithin(angle, of: direction) }) { kept.append(direction) }
        }
    }

    /// Direction that is farthest from all vectors of this array, among the faces, edges and corners of a cube. Faces
    /// win a tie.
    var farthestDirection: Vector3 {
        var best = (direction: Vector3(0, 1, 0), cosine: Double.infinity)
        for candidate in Self.cube {
            let nearest = reduce(-1) { Swift.max($0, $1.dot(candidate)) }
            if nearest < best.cosine - 1e-3 { best = (candidate, nearest) }
        }
        return best.direction
    }

    private static var cube: [Vector3] {
        let steps = [0.0, 1, -1]
        let all = steps.flatMap { y in steps.flatMap { x in steps.map { Vector3(x, y, $0) } } }
        return (1...3).flatMap { count in
            all.filter { $0.squaredNorm.rounded() == Double(count) }.compactMap(\.normalized)
        }
    }
}

extension Vector3 {
    /// Whether this unit vector and another one are within an angle of each other. The chord between them is compared
    /// with `angle`, from which it hardly differs if the angle is small. Unit: radians, up to a quarter turn.
    func isWithin(_ angle: Double, of other: Vector3) -> Bool { (self - other).norm < angle }
}
