import CCallgrind
import Estimation
import Model
import Engine
import Service

/// A part of the walk whose instructions are to be counted: callgrind counts those of `waymark_counted` alone.
enum CountedPart: String, CaseIterable {
    /// Ten seconds from the second fix on, while the walker stands and nothing speaks for any north.
    case bankOpen = "bank-open"
    /// Everything in the second and third minute, when the bank has long been closed.
    case steady
    /// The same with receivers of 5 and 10 Hz, whose fixes come 0.3 s late too.
    case fiveHertz = "receiver-5-hz"
    case tenHertz = "receiver-10-hz"
    /// As `steady`, with what the engine itself does with each pose: the history of poses and the frame's readiness.
    case engine
    /// In the same time, from each fix, which comes 0.3 s late, to the next pose.
    case lateFix = "late-fix"
    /// In the same time, what the pose ring takes of each pose: the terms of a prediction, and the slot.
    case poseRing = "pose-ring"
    /// In the same time, from each pose of a camera, 60 a second and late, to the next pose of the body.
    case camera
    /// A camera's odometry from the bytes of its call to a measurement for the estimator.
    case offer

    /// Rate of the receiver. Unit: Hz.
    private var fixRate: Int {
        switch self {
        case .fiveHertz: 5
        case .tenHertz: 10
        default: 1
        }
    }

    /// Of the walk: under callgrind all takes fifty times as long, and more of it hardly changes the counts.
    /// Unit: seconds.
    private var walkSeconds: Double { self == .bankOpen ? 15 : 180 }

    /// Unit: seconds.
    private static let openSpan = 10.0

    /// Feeds an estimator the walk, this part of it under count, or the daemon's methods their calls.
    ///
    /// - Returns: number of inertial samples, or of what else it counts, in this part.
    func feed() -> Int {
        if self == .offer { return OfferBench.feed(counted: Self.counted) }
        let camera = self == .camera ? RecordedWalk.camera : nil
        guard let walk = RecordedWalk(seconds: walkSeconds, camera: camera, fixRate: fixRate) else {
            fatalError("the magnetic model does not reach the walk")
        }
        return feed(walk)
    }

    private func feed(_ walk: RecordedWalk) -> Int {
        switch self {
        case .bankOpen: Self.feedOpen(walk)
        case .steady, .fiveHertz, .tenHertz: Self.feedSteady(walk)
        case .engine: Self.feedEngine(walk)
        case .lateFix: Self.feedLate(walk) { if case .fix = $0 { true } else { false } }
        case .poseRing: Self.feedRing(walk)
        case .camera: Self.feedLate(walk) { if case .aid = $0 { true } else { false } }
        case .offer: preconditionFailure("offers need no walk")
        }
    }

    private static func feedOpen(_ walk: RecordedWalk) -> Int {
        var odometry = Odometry()
        var index = 0
        while !odometry.hasOpenBank {
            odometry.feed(walk.measurements[index]) { _ in }
            index += 1
        }
        let end = walk.index(seconds: openSpan, after: walk.measurements[index].arrival)
        let count = feed(&odometry, walk.measurements[index..<end])
        precondition(odometry.hasOpenBank, "no motion has decided where north is")
        return count
    }

    private static func feedSteady(_ walk: RecordedWalk) -> Int {
        var odometry = Odometry()
        let begin = warmUp(&odometry, walk)
        return feed(&odometry, walk.measurements[begin...])
    }

    private static func feedEngine(_ walk: RecordedWalk) -> Int {
        var engine = Engine()
        let begin = walk.index(seconds: Round.warmUp)
        for measurement in walk.measurements[..<begin] { engine.feed(measurement) { _ in } }
        var poses = 0
        counted {
            for measurement in walk.measurements[begin...] {
                engine.feed(measurement, publish: { _ in poses += 1 }) { _ in }
            }
        }
        return poses
    }

    /// - Returns: number of late measurements.
    private static func feedLate(_ walk: RecordedWalk, isLate: (Measurement) -> Bool) -> Int {
        var odometry = Odometry()
        var index = warmUp(&odometry, walk)
        var count = 0
        while index < walk.measurements.count {
            if isLate(walk.measurements[index]) {
                counted { feedToPose(&odometry, walk, &index) }
                count += 1
            } else {
                odometry.feed(walk.measurements[index]) { _ in }
                index += 1
            }
        }
        return count
    }

    /// - Returns: number of poses.
    private static func feedRing(_ walk: RecordedWalk) -> Int {
        var odometry = Odometry()
        var predictor = PosePredictor()
        var poses: [PoseEstimate] = []
        let begin = warmUp(&odometry, walk)
        for measurement in walk.measurements[begin...] {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        guard let writer = try? PoseRingWriter() else { fatalError("memory for the pose ring") }
        for pose in poses {
            predictor.add(pose)
            counted { writer.write(pose, utcOffset: 0, terms: predictor.terms) }
        }
        return poses.count
    }

    /// - Returns: the index of the first measurement after the first minute.
    private static func warmUp(_ odometry: inout Odometry, _ walk: RecordedWalk) -> Int {
        let end = walk.index(seconds: Round.warmUp)
        for measurement in walk.measurements[..<end] { odometry.feed(measurement) { _ in } }
        precondition(odometry.filter?.heading.isSettled == true, "motion has decided where north is")
        return end
    }

    /// - Returns: number of inertial samples.
    private static func feed(_ odometry: inout Odometry, _ measurements: ArraySlice<Measurement>) -> Int {
        var poses = 0
        // Each comes with a pose, for no sensor is silent; to look into it would copy it, at the estimator's expense.
        counted { for measurement in measurements { odometry.feed(measurement) { _ in poses += 1 } } }
        return poses
    }

    private static func feedToPose(_ odometry: inout Odometry, _ walk: RecordedWalk, _ index: inout Int) {
        var hasPose = false
        while !hasPose, index < walk.measurements.count {
            odometry.feed(walk.measurements[index]) { if $0.pose != nil { hasPose = true } }
            index += 1
        }
    }

    private static func counted(_ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            var work = work
            withUnsafeMutablePointer(to: &work) {
                waymark_counted({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
            }
        }
    }
}

extension Odometry {
    /// The search for north is under way: from the second fix on, which begins a stream, until motion has decided it.
    var hasOpenBank: Bool {
        guard let filter else { return false }
        return filter.gnss.lastAiding != nil && !filter.heading.isSettled
    }
}
