import Geometry
import Model

/// Finds how the board sits on the body: one stands upright and still, then walks straight ahead and stands again.
///
/// Gravity while standing tells which way is up, the walk which way is ahead. More walks, there and back, make it better.
/// Measurements are raw; what is in force for gyroscope and accelerometer is applied first.
public struct MountSession: CalibrationSession {
    public let kind = CalibrationKind.mount

    let settings: CalibrationSettings
    private let accelerometer: SensorCalibration?
    private let gyroscope: SensorCalibration?

    // What has been found.
    public private(set) var walks: [WalkDirection] = []
    public private(set) var faults: [WalkFault] = []
    /// The newest walk that went on and on.
    private var begun: WalkDirection?
    /// All stands together.
    private(set) var stands = Stand()
    private(set) var samples = 0
    /// By samples, pauses left out. Unit: seconds.
    private var covered = 0.0
    private(set) var hasStood = false
    private(set) var watch = SensorWatch()

    // What goes on.
    private var block = InertialBlock()
    private var phase = Phase.settling([])
    private var latestForce: SpecificForceSample?
    private var steps = StepCounter()

    private enum Phase: Sendable {
        /// Before a stand is long enough; the still blocks so far.
        case settling([InertialBlock])
        /// A walk may begin. The newest blocks of the stand, the last ones maybe with the first movement in them.
        case standing([InertialBlock])
        case walking(before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock])
    }

    public init(settings: CalibrationSettings) {
        self.settings = settings
        func present(_ sensor: SensorCalibration.Sensor) -> SensorCalibration? {
            settings.present.last { $0.sensor == sensor }
        }
        accelerometer = present(.accelerometer)
        gyroscope = present(.gyroscope)
    }

    var isCalibrated: Bool { accelerometer != nil }

    /// Of the accelerometer's bias in force, where it is known.
    var biasDeviation: Vector3? {
        accelerometer.flatMap { $0.biasDeviation.squaredNorm > 0 ? $0.biasDeviation : nil }
    }

    public mutating func feed(_ measurement: Measurement) {
        watch.see(measurement)
        switch measurement {
        case .specificForce(let sample):
            let force = accelerometer?.applied(to: sample.force) ?? sample.force
            guard force.isFinite, force.norm < MountSettings.largestForce else { return }
            latestForce = SpecificForceSample(time: sample.time, force: force)
        case .angularRate(let sample):
            let rate = gyroscope?.applied(to: sample.rate) ?? sample.rate
            guard rate.isFinite, rate.norm < MountSettings.largestRate, let force = latestForce,
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
            // Time that stands or goes back is no sample's.
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

    /// Samples are missing: what was going on is lost, not what was found before.
    private mutating func interrupt(by pair: InertialPair) {
        if isWalking { note(.interrupted) }
        phase = .settling([])
        block = InertialBlock()
        block.add(pair)
    }

    private mutating func digest(_ block: InertialBlock) {
        let bias = hasStood ? stands.rate : nil
        let isStill = block.isStill(bias: bias)
        switch phase {
        case .settling(let blocks): settle(isStill ? blocks + [block] : [])
        case .standing(let blocks): stand(blocks, block, isStill: isStill)
        case .walking(let before, var pairs, var still):
            // Emptied before it grows, so that the samples are not copied with each block.
            phase = .settling([])
            pairs += block.pairs
            still = isStill ? still + [block] : []
            if Double(still.count) * MountSettings.blockSeconds >= MountSettings.stopSeconds {
                arrive(before: before, pairs: pairs, still: still)
            } else if block.ends - pairs[0].seconds > MountSettings.longestWalkSeconds {
                note(.endless)
                begun = Self.begun(pairs, before: before, isCalibrated: isCalibrated) ?? begun
            } else {
                phase = .walking(before: before, pairs: pairs, still: still)
            }
        }
    }

    private mutating func settle(_ blocks: [InertialBlock]) {
        let needed = hasStood ? MountSettings.stopSeconds : MountSettings.standSeconds
        guard Double(blocks.count) * MountSettings.blockSeconds >= needed else { return phase = .settling(blocks) }
        hasStood = true
        stands.add(Stand(blocks.dropLast(MountSettings.edgeBlocks)))
        phase = .standing(blocks)
    }

    private mutating func stand(_ blocks: [InertialBlock], _ block: InertialBlock, isStill: Bool) {
        let edge = MountSettings.edgeBlocks
        if isStill {
            // What has become older than the edge belongs to the stand.
            if blocks.count >= edge { stands.add(blocks[blocks.count - edge]) }
            phase = .standing(Array((blocks + [block]).suffix(MountSettings.standBlocks)))
        } else {
            steps = StepCounter()
            phase = .walking(
                before: blocks.dropLast(edge), pairs: blocks.suffix(edge).flatMap(\.pairs) + block.pairs, still: [])
        }
    }

    private mutating func arrive(before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock]) {
        phase = .standing(Array(still.dropFirst(MountSettings.edgeBlocks)))
        switch direction(before: before, pairs: pairs, still: still) {
        case .success(let walk):
            // Put on anew between two walks: what was found before is of another mount.
            walks.removeAll { $0.stand.angle(to: walk.stand) > MountSettings.largestSlip }
            // Hours of walking are no use beyond the first hundred times.
            if walks.count < 100 { walks.append(walk) }
        case .failure(let failure): note(failure.fault)
        }
    }

    /// Of a walk that has ended in a stand.
    private func direction(
        before: [InertialBlock], pairs: [InertialPair], still: [InertialBlock]
    ) -> Result<WalkDirection, WalkTrack.Fault> {
        let after = Array(still.dropFirst(MountSettings.edgeBlocks))
        // The way ends where standing begins.
        let walked = pairs.dropLast(after.reduce(0) { $0 + $1.count })
        guard let track = WalkTrack(before: before, walk: Array(walked), after: after) else {
            return .failure(WalkTrack.Fault(.inconsistent))
        }
        return track.direction(isCalibrated: isCalibrated)
    }

    private mutating func note(_ fault: WalkFault) {
        if faults.count < 100 { faults.append(fault) }
    }

    /// What counts when the session ends now, and whether the end of its only walk was not seen.
    var usedWalks: (walks: [WalkDirection], isOpen: Bool) {
        guard case .walking(let before, let pairs, let still) = phase else {
            return walks.isEmpty && begun != nil ? ([begun].compactMap(\.self), true) : (walks, false)
        }
        if still.count > MountSettings.edgeBlocks,
            case .success(let walk) = direction(before: before, pairs: pairs, still: still)
        {
            return (walks.filter { $0.stand.angle(to: walk.stand) <= MountSettings.largestSlip } + [walk], false)
        }
        guard walks.isEmpty else { return (walks, false) }
        let open = Self.begun(pairs, before: before, isCalibrated: isCalibrated) ?? begun
        return ([open].compactMap(\.self), open != nil)
    }

    /// The first seconds of a walk, for which integration needs no end.
    private static func begun(_ pairs: [InertialPair], before: [InertialBlock], isCalibrated: Bool) -> WalkDirection? {
        guard let first = pairs.first else { return nil }
        let begun = pairs.prefix { $0.seconds - first.seconds < MountSettings.openSeconds }
        guard let track = WalkTrack(before: before, walk: Array(begun), after: []) else { return nil }
        return try? track.direction(isCalibrated: isCalibrated).get()
    }

    var isWalking: Bool { if case .walking = phase { true } else { false } }

    /// Walked, and has come to stand.
    var isStopping: Bool { if case .walking(_, _, let still) = phase { !still.isEmpty } else { false } }

    var isStanding: Bool { if case .standing = phase { true } else { false } }

    /// Stands, but not yet long enough.
    var isSettling: Bool { settledSeconds > 0 }

    var settledSeconds: Double {
        if case .settling(let blocks) = phase { Double(blocks.count) * MountSettings.blockSeconds } else { 0 }
    }

    /// Since the walk that goes on began. Unit: metres, roughly.
    var walkedByNow: Double { Double(steps.count) * MountSettings.stepLength }

    var latestUp: Vector3? { latestForce?.force.normalized }

    /// Of pairs while samples came. Unit: Hz.
    var rate: Double { Double(samples) / max(1, covered > 1 ? covered : seconds) }

    /// Since the first sample. Unit: seconds.
    var seconds: Double { watch.seconds }

    func estimate(walks: [WalkDirection]) -> MountEstimate? {
        MountEstimate(walks: walks, isCalibrated: isCalibrated, biasDeviation: biasDeviation)
    }

    public var isComplete: Bool {
        guard let estimate = estimate(walks: walks) else { return false }
        return estimate.headingDeviation <= MountSettings.goodHeadingError
    }
}
