import Geometry
import Model

/// Calibration of the mount, which is the rotation from the board's axes to the body's axes. The wearer stands upright
/// and still, walks straight ahead and stands still again. Gravity during a stand gives the up direction, and the walk
/// gives the forward direction. Further walks back and forth improve the result. The active calibrations of gyroscope
/// and accelerometer are first applied to the raw measurements.
package struct MountSession: CalibrationSession {
    package let kind = CalibrationKind.mount

    let settings: CalibrationSettings
    private let accelerometer: SensorCalibration?
    private let gyroscope: SensorCalibration?

    // Results so far.

    /// Accepted walks, in order of time.
    package private(set) var walks: [WalkDirection] = []
    /// Reasons for rejecting walks, in order of time.
    private(set) var faults: [WalkFault] = []
    /// First seconds of the newest walk, if that walk has not ended in a stand.
    private var begun: WalkDirection?
    private(set) var stands = Stand()
    private(set) var samples = 0
    /// Time covered by samples, without pauses. Unit: seconds.
    private var covered = 0.0
    private(set) var hasStood = false
    private(set) var watch = SensorWatch()
    private(set) var sign: SignCheck

    // Current state.
    private var block = InertialBlock()
    /// Newest consecutive blocks that would count as still, except that their mean rate differs from that of the stands
    /// so far.
    private var turning: [InertialBlock] = []
    private var phase = Phase.settling([])
    private var latestForce: SpecificForceSample?
    private var steps = StepCounter()

    private enum Phase: Sendable {
        /// Waiting until the wearer has stood still for long enough. Holds the still blocks so far.
        case settling([InertialBlock])
        /// Standing. Holds the newest blocks of the stand; the last of them may contain the first movement.
        case standing([InertialBlock])
        /// Walking. Holds the stand before the walk, the samples of the walk, and the still blocks at its end so far.
        case walking(before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock])
    }

    package init(settings: CalibrationSettings) {
        self.settings = settings
        accelerometer = settings.activeCalibration(of: .accelerometer)
        gyroscope = settings.activeCalibration(of: .gyroscope)
        sign = SignCheck(settings)
    }

    var isCalibrated: Bool { accelerometer != nil }

    /// Standard deviation of the accelerometer's bias in the active calibration, if known. Unit: m/s².
    var biasStandardDeviation: Vector3? {
        accelerometer.flatMap { $0.biasStandardDeviation.squaredNorm > 0 ? $0.biasStandardDeviation : nil }
    }

    package mutating func feed(_ measurement: Measurement) {
        watch.see(measurement)
        sign.feed(measurement)
        switch measurement {
        case .specificForce(let sample):
            let force = accelerometer?.applied(to: sample.force) ?? sample.force
            guard force.isFinite, force.norm < MountSettings.maximumForce else { return }
            latestForce = SpecificForceSample(time: sample.time, force: force)
        case .angularRate(let sample):
            let rate = gyroscope?.applied(to: sample.rate) ?? sample.rate
            guard rate.isFinite, rate.norm < MountSettings.maximumRate, let force = latestForce,
                abs(sample.time.seconds(since: force.time)) < MountSettings.gapSeconds
            else { return }
            take(
                InertialPair(
                    seconds: sample.time.seconds(since: BootTime(nanoseconds: 0)), force: force.force, rate: rate))
        default: break
        }
    }

    private mutating func take(_ pair: InertialPair) {
        samples += 1
        if block.count > 0 {
            let step = pair.seconds - block.ends
            // If a pair has the same time as the previous one, or a slightly earlier time, it is not a new sample.
            guard step > 0 || step < -MountSettings.gapSeconds else { return }
            if step < 0 || step > MountSettings.gapSeconds { return interrupt(by: pair) }
            covered += step
            if pair.seconds - block.begins >= MountSettings.blockSeconds {
                let full = block
                block = InertialBlock()
                digest(full)
            }
        }
        steps.see(pair, isWalking: isWalking)
        block.add(pair)
    }

    /// Discards the current stand or walk after a gap in the samples. Earlier results are kept.
    private mutating func interrupt(by pair: InertialPair) {
        if isWalking { note(.interrupted) }
        turning = []
        phase = .settling([])
        block = InertialBlock()
        block.add(pair)
    }

    private mutating func digest(_ block: InertialBlock) {
        let bias = hasStood ? stands.rate : nil
        let isStill = block.isStill(bias: bias)
        if isStill { turning = [] } else if seesOtherStand(block) { return }
        switch phase {
        case .settling(let blocks): settle(isStill ? blocks + [block] : [])
        case .standing(let blocks): stand(blocks, block, isStill: isStill)
        case .walking(let before, var pairs, var still):
            // The phase is emptied first. Otherwise appending would copy the array for each block.
            phase = .settling([])
            pairs += block.pairs
            still = isStill ? still + [block] : []
            if Double(still.count) * MountSettings.blockSeconds >= MountSettings.stopSeconds {
                arrive(before: before, pairs: pairs, still: still)
            } else if block.ends - pairs[0].seconds > MountSettings.maximumWalkSeconds {
                note(.noStop)
                begun = Self.begun(pairs, before: before, isCalibrated: isCalibrated) ?? begun
            } else {
                phase = .walking(before: before, pairs: pairs, still: still)
            }
        }
    }

    private mutating func settle(_ blocks: [InertialBlock]) {
        let needed = hasStood ? MountSettings.stopSeconds : MountSettings.standSeconds
        let stand = blocks.newestStand
        guard Double(stand.count) * MountSettings.blockSeconds >= needed else { return phase = .settling(stand) }
        hasStood = true
        stands.add(Stand(stand.dropLast(MountSettings.edgeBlocks)))
        phase = .standing(stand)
    }

    /// Whether the first stand was actually a slow turn, which gravity does not show. This is assumed if no walk has
    /// confirmed that stand yet, and the body has now stood for as long at another mean rate. The session then
    /// continues with the new stand.
    private mutating func seesOtherStand(_ block: InertialBlock) -> Bool {
        guard hasStood, walks.isEmpty, block.isStill(bias: nil) else {
            turning = []
            return false
        }
        turning = (turning + [block]).newestStand
        guard Double(turning.count) * MountSettings.blockSeconds >= MountSettings.standSeconds else { return false }
        stands = Stand(turning.dropLast(MountSettings.edgeBlocks))
        begun = nil
        phase = .standing(turning)
        turning = []
        return true
    }

    private mutating func stand(_ blocks: [InertialBlock], _ block: InertialBlock, isStill: Bool) {
        let edge = MountSettings.edgeBlocks
        if isStill {
            // Blocks older than the last `edge` blocks belong to the stand.
            if blocks.count >= edge { stands.add(blocks[blocks.count - edge]) }
            phase = Self.standing(Array((blocks + [block]).suffix(MountSettings.standBlocks)))
        } else {
            steps = StepCounter()
            phase = .walking(
                before: blocks.dropLast(edge), pairs: blocks.suffix(edge).flatMap(\.pairs) + block.pairs, still: [])
        }
    }

    /// Phase after still blocks. It is a stand if the body has not moved during these blocks, otherwise the start of
    /// the next stand. The last blocks are not checked, because the first acceleration of a walk also rotates the
    /// force.
    private static func standing(_ blocks: [InertialBlock]) -> Phase {
        let edge = MountSettings.edgeBlocks
        let inner = Array(blocks.dropLast(edge))
        let stand = inner.newestStand
        guard stand.count < inner.count else { return .standing(blocks) }
        let seconds = Double(stand.count + edge) * MountSettings.blockSeconds
        return seconds < MountSettings.stopSeconds
            ? .settling(blocks.newestStand) : .standing(stand + blocks.suffix(edge))
    }

    private mutating func arrive(before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock]) {
        phase = .standing(Array(still.dropFirst(MountSettings.edgeBlocks)))
        switch direction(before: before, pairs: pairs, still: still) {
        case .success(let walk):
            // If the mounting changed between two walks, the earlier walks belong to another mount.
            walks.removeAll { $0.stand.angle(to: walk.stand) > MountSettings.maximumSlip }
            // More than a hundred walks do not improve the result.
            if walks.count < 100 { walks.append(walk) }
        case .failure(let fault): note(fault)
        }
    }

    /// Direction of a walk that has ended in a stand, or the reason for its rejection.
    private func direction(
        before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock]
    ) -> Result<WalkDirection, WalkFault> {
        let after = Array(still.dropFirst(MountSettings.edgeBlocks))
        // The walk ends where the stand begins.
        let walked = pairs.dropLast(after.reduce(0) { $0 + $1.count })
        guard let track = WalkTrack(before: before, walk: Array(walked), after: after) else {
            return .failure(.inconsistent)
        }
        return track.direction(isCalibrated: isCalibrated)
    }

    private mutating func note(_ fault: WalkFault) {
        if faults.count < 100 { faults.append(fault) }
    }

    /// Walks that are used if the session ends now, and whether the only walk has no end.
    var usedWalks: (walks: [WalkDirection], isOpen: Bool) {
        guard case .walking(let before, let pairs, let still) = phase else {
            return walks.isEmpty && begun != nil ? ([begun].compactMap(\.self), true) : (walks, false)
        }
        if still.count > MountSettings.edgeBlocks,
            case .success(let walk) = direction(before: before, pairs: pairs, still: still)
        {
            return (walks.filter { $0.stand.angle(to: walk.stand) <= MountSettings.maximumSlip } + [walk], false)
        }
        guard walks.isEmpty else { return (walks, false) }
        let open = Self.begun(pairs, before: before, isCalibrated: isCalibrated) ?? begun
        return ([open].compactMap(\.self), open != nil)
    }

    /// Direction of the first seconds of a walk. They are so short that their integration needs no stand at the end.
    private static func begun(_ pairs: [InertialPair], before: [InertialBlock], isCalibrated: Bool) -> WalkDirection? {
        guard let first = pairs.first else { return nil }
        let begun = pairs.prefix { $0.seconds - first.seconds < MountSettings.openSeconds }
        guard let track = WalkTrack(before: before, walk: Array(begun), after: []) else { return nil }
        return try? track.direction(isCalibrated: isCalibrated).get()
    }

    var isWalking: Bool { if case .walking = phase { true } else { false } }

    /// Whether a walk is ending in a stand.
    var isStopping: Bool { if case .walking(_, _, let still) = phase { !still.isEmpty } else { false } }

    var isStanding: Bool { if case .standing = phase { true } else { false } }

    /// Whether the wearer stands still, but not yet for long enough.
    var isSettling: Bool { settledSeconds > 0 }

    var settledSeconds: Double {
        if case .settling(let blocks) = phase { Double(blocks.count) * MountSettings.blockSeconds } else { 0 }
    }

    /// Approximate length of the current walk. Unit: metres.
    var walkedByNow: Double { Double(steps.count) * MountSettings.stepLength }

    var latestUp: Vector3? { latestForce?.force.normalized }

    /// Sampling rate of the pairs, not counting pauses. Unit: Hz.
    var rate: Double { Double(samples) / max(1, covered > 1 ? covered : seconds) }

    /// Time since the first sample. Unit: seconds.
    var seconds: Double { watch.seconds }

    func estimate(walks: [WalkDirection]) -> MountEstimate? {
        MountEstimate(walks: walks, isCalibrated: isCalibrated, biasStandardDeviation: biasStandardDeviation)
    }

    package var isComplete: Bool {
        guard let estimate = estimate(walks: walks) else { return false }
        return estimate.headingStandardDeviation <= MountSettings.goodHeadingError
    }
}
