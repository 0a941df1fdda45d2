import Estimation
import Model
import PlanMatching

/// State of the estimator, stored as words. An estimator restored from it computes the same poses from the same
/// measurements, to the last bit.
///
/// The state does not contain settings, the model of the magnetic field or plans, because the restoring estimator has
/// its own. If that estimator lacks a plan that was being followed, it starts to follow plans anew.
public struct EstimatorState: Hashable, Sendable {
    /// Hash of the names and kinds of all members. A state with another layout cannot be restored.
    public var layout: UInt64
    /// Members in sequence, each as 64-bit words.
    public var words: [UInt64]
    /// UTC since 1970 minus boot time; nil while unknown. Poses do not depend on it but are published with it. Unit:
    /// nanoseconds.
    public var utcOffset: Int64?

    /// Makes a state from its parts, as stored in a recording.
    public init(layout: UInt64, words: [UInt64], utcOffset: Int64? = nil) {
        self.layout = layout
        self.words = words
        self.utcOffset = utcOffset
    }

    /// Upper limit, with ample margin, of the number of words in a state. Unit: words of eight bytes.
    public static let maximumWordCount = 1 << 19
}

/// Reason why a state could not be restored.
public enum EstimatorStateProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The estimator that wrote the state had other members.
    case otherLayout
    /// A member has an impossible value.
    case impossible(member: String)
    /// The state ends too early or too late.
    case otherLength

    /// Description of the problem.
    public var description: String {
        switch self {
        case .otherLayout: "it is of an estimator with another layout, by another version of waymark"
        case .impossible(let member): "its member \(member) has an impossible value"
        case .otherLength: "it has another length than its members"
        }
    }
}

extension Odometry {
    /// Layout of the states of this estimator.
    public static let stateLayout: UInt64 = {
        var odometry = Odometry(magneticModel: nil)
        let reader = StateReader.describing()
        do { try odometry.read(reader) } catch { preconditionFailure("a blank state cannot be read: \(error)") }
        return reader.layout
    }()

    /// Returns the complete state that influences later poses and frames; nil if a part cannot be written.
    public func state() -> EstimatorState? {
        let writer = StateWriter(capacity: Self.usualWords)
        do { try write(to: writer) } catch { return nil }
        return EstimatorState(layout: Self.stateLayout, words: writer.words)
    }

    /// Creates an estimator that continues from a saved state with the settings of this estimator.
    ///
    /// - Parameter timeShift: offset to add to times in the state to get the times of later measurements. Unit:
    ///   nanoseconds.
    /// - Throws: if the state has another layout or impossible values; it is safe to pass any words.
    public func restored(
        _ state: EstimatorState, timeShift: Int64 = 0
    ) throws(EstimatorStateProblem) -> Odometry {
        guard state.layout == Self.stateLayout else { throw .otherLayout }
        guard state.words.count <= EstimatorState.maximumWordCount else { throw .otherLength }
        var odometry = Odometry(
            settings: settings, publication: publication, intake: intake, magneticModel: magneticModel)
        odometry.use(library)
        let reader = StateReader(state.words, timeShift: timeShift)
        do {
            try odometry.read(reader)
        } catch StateFlaw.tooShort {
            throw .otherLength
        } catch {
            throw .impossible(member: reader.member)
        }
        guard reader.isComplete else { throw .otherLength }
        return odometry
    }

    /// Capacity for a state without hypotheses. Unit: words.
    private static let usualWords = 1 << 16

    private func write(to writer: StateWriter) throws {
        try writer.write(counters)
        try writer.write(generation)
        try writer.write(lastPoseTime)
        try writer.write(hasSteppedBack)
        try writer.write(corrections)
        try writer.write(input)
        try writer.write(localizer)
        try writer.write(announcer)
        try writer.write(plausibility)
        try writer.write(prepared)
        try writer.write(warmReport)
        try writer.write(plans)
        try writer.write(paths)
        try writer.write(running?.withoutOldSteps)
    }

    /// Reads the output of `write` member by member, because a non-copyable estimator cannot be decoded as a whole.
    private mutating func read(_ reader: StateReader) throws {
        reader.unsaved = [
            settings, settings.inertial, settings.initial, intake, publication.hardIron, publication,
            publication.tracking,
            publication.scene, FieldModel(model: magneticModel), SensorCorrection(), Regime().rules, UpdateStatistics(),
            library, PathsAtHand(network: library.paths), PlanMatchingSettings(),
        ]
        counters = try reader.read("counters")
        generation = try reader.read("generation")
        lastPoseTime = try reader.readIfPresent("lastPoseTime")
        hasSteppedBack = try reader.read("hasSteppedBack")
        corrections = try reader.read("corrections")
        // The filter settings are derived from the calibrations, and every filter read below needs them.
        filterSettings = corrections.filterSettings
        input = try reader.read("input")
        localizer = try reader.read("localizer")
        announcer = try reader.read("announcer")
        plausibility = try reader.read("plausibility")
        prepared = try reader.readIfPresent("prepared")
        warmReport = try reader.readIfPresent("warmReport")
        plans = try reader.read("plans")
        paths = try reader.read("paths")
        reader.unsaved.insert(filterSettings, at: 0)
        running = try reader.readIfPresent("running")
    }
}

extension RunningOdometry {
    /// Estimator without the inertial samples that will never be integrated again.
    fileprivate var withoutOldSteps: RunningOdometry {
        var running = self
        running.timeline.forgetOldSteps()
        return running
    }
}

extension PublicationSettings: Unsaved {}
extension PublicationSettings.HardIron: Unsaved {}
extension PublicationSettings.Scene: Unsaved {}
extension PublicationSettings.Tracking: Unsaved {}
