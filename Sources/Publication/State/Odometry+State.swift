import Estimation
import Model

/// The state of the estimator as bytes: from it the same measurements give the same poses, to the last bit.
///
/// Settings and the model of the magnetic field are no part of it: they are the configuration of the estimator that
/// takes the state up.
public struct EstimatorState: Hashable, Sendable {
    /// Hash of the names and kinds of all members: a state of another layout cannot be restored.
    public var layout: UInt64
    /// Members, one after the other, each as 64 bits.
    public var words: [UInt64]
    /// UTC since 1970 less boot time, which no pose needs but by which each is published; nil while unknown.
    /// Unit: nanoseconds.
    public var utcOffset: Int64?

    /// Makes a state of its parts, as a recording holds them.
    public init(layout: UInt64, words: [UInt64], utcOffset: Int64? = nil) {
        self.layout = layout
        self.words = words
        self.utcOffset = utcOffset
    }

    /// Most words that a state can have, by far. Unit: words of eight bytes.
    public static let longest = 1 << 19
}

/// Why a state could not be restored.
public enum EstimatorStateProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The estimator that wrote it had other members.
    case otherLayout
    /// A member has a value that it cannot have.
    case impossible(member: String)
    /// It ends too early or too late.
    case otherLength

    /// The problem in words.
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
        var coder = StateCoder.describer()
        odometry.code(&coder)
        return coder.layout
    }()

    /// Everything that has an influence on later poses and frames; nil if a number in it is not what it should be.
    ///
    /// Nothing changes; `mutating`, because reading and writing are one list of members.
    public mutating func state() -> EstimatorState? {
        var coder = StateCoder.writer(capacity: Self.usualWords)
        code(&coder)
        return coder.flaw == nil ? EstimatorState(layout: Self.stateLayout, words: coder.words) : nil
    }

    /// Estimator that continues as the one of which the state is, under the settings of this one.
    ///
    /// - Parameter timeShift: what is added to the times of the measurements from here on. Unit: nanoseconds.
    /// - Throws: for a state of another layout, or one with impossible values, whatever its words are.
    public func restored(
        _ state: EstimatorState, timeShift: Int64 = 0
    ) throws(EstimatorStateProblem) -> Odometry {
        guard state.layout == Self.stateLayout else { throw .otherLayout }
        guard state.words.count <= EstimatorState.longest else { throw .otherLength }
        var odometry = Odometry(settings: settings, publication: publication, magneticModel: magneticModel)
        var coder = StateCoder.reader(state.words, timeShift: timeShift)
        odometry.code(&coder)
        if let flaw = coder.flaw { throw .impossible(member: flaw) }
        guard coder.isComplete else { throw .otherLength }
        return odometry
    }

    /// Calls a function with each value of the state and the names of its members, for a test that none is missing.
    package static func describeState(_ observer: @escaping (Any, [String]) -> Void) {
        var odometry = Odometry(magneticModel: nil)
        var coder = StateCoder.describer(observer: observer)
        odometry.code(&coder)
    }

    /// Capacity for a state without hypotheses. Unit: words.
    private static let usualWords = 1 << 16

    /// Passes every stored property, as `StateCoded` does.
    mutating func code(_ coder: inout StateCoder) {
        coder.leave("settings", "publication", "magneticModel", "updatesBefore")
        coder.code(&counters, "counters")
        coder.code(&generation, "generation")
        coder.code(&lastPoseTime, "lastPoseTime")
        coder.code(&hasSteppedBack, "hasSteppedBack")
        coder.code(&corrections, "corrections")
        // They follow from the calibrations, and every filter below has them.
        coder.leave("filterSettings")
        if coder.isReading { filterSettings = corrections.filterSettings }
        coder.code(&input, "input")
        coder.code(&localizer, "localizer")
        coder.code(&announcer, "announcer")
        coder.code(&plausibility, "plausibility")
        coder.code(&prepared, "prepared")
        coder.code(&warmReport, "warmReport")
        let filter = ErrorStateKalmanFilter(first: .blank, settings: filterSettings)
        coder.code(
            &running, "running",
            blank: RunningOdometry(filter, first: .blank, trial: nil, settings: settings, publication: publication))
    }
}
