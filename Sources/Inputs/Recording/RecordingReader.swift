import JSON
import Model
import PlanMatching
import Engine
import WaymarkInterface

/// Reads the measurements of an MCAP recording in the order in which they reached the engine.
///
/// The reader returns all measurements of a truncated file up to its end, and all undamaged measurements of a damaged
/// file. Either gives a warning.
public final class RecordingReader: MeasurementReader {
    /// Message of a recording.
    public enum Entry: Equatable, Sendable {
        case measurement(Measurement)
        /// Pose as it was published.
        case pose(PoseInterface.Pose)
        /// Correction of the scene frame as it was published.
        case frame(PoseInterface.Frame)
        /// Warm start with which the estimator began here.
        case warmStart(WarmStart)
        /// State of the estimator from which the recording continues here.
        case estimatorState(EstimatorState)
        /// Plans that the estimator used for all later measurements.
        case plans(PlanLibrary)
    }

    private let reader: MCAPReader
    /// Samples of the last block read, and the number of samples already returned.
    private var block: (samples: [Measurement], given: Int) = ([], 0)
    private var geoid = ReceiverGeoid()
    private var found = 0
    /// Number of measurements beyond the range of any sensor, and the position of the first of them. Unit: bytes.
    private var outOfRange = (count: 0, offset: UInt64(0))
    /// Error of the first message that does not conform to its topic, and the number of such messages.
    private var unreadable: (first: RecordingError, count: Int)?
    /// Whether the unreadable messages include the initial state of the estimator.
    private var lacksStart = false
    /// Warm start at the beginning of the recording; nil if there is none or it has not been read yet.
    public private(set) var warmStart: WarmStart?

    /// Estimator state that has not been restored yet. Only the first state in a file belongs to the recording's
    /// beginning.
    private var estimatorState: EstimatorState?
    private var hasState = false
    private var stateProblem: EstimatorStateProblem?

    private var plans = RecordedPlans()
    /// Whether the plans in use have changed since they were passed on.
    private var hasNewPlans = false

    /// - Throws: if the file cannot be read or is not an MCAP file.
    public init(path: String) throws(RecordingError) { reader = try MCAPReader(path: path) }

    /// Description of the recording; known once the first measurement is read, nil if the file has none.
    public var about: RecordingAbout? { reader.about }

    /// Warnings about damage to the file, or about a file without measurements; complete at the end.
    public var warnings: [String] {
        var warnings: [String] = []
        if outOfRange.count > 0 {
            warnings.append(
                "\(reader.path): from byte \(outOfRange.offset) on \(outOfRange.count) measurement(s) left out: beyond "
                    + "the range of any sensor or receiver")
        }
        if let stateProblem {
            warnings.append(
                "\(reader.path): the estimator's state at the beginning was not restored: \(stateProblem); the poses "
                    + "are not those that were recorded")
        }
        if let (first, count) = unreadable {
            warnings.append("\(first); \(count) such message\(count == 1 ? " is" : "s are") left out")
        }
        warnings += reader.loss.lines(reader.path)
        if let line = reader.loss.beginning(reader.path, lacksStart: lacksStart) { warnings.append(line) }
        if let line = reader.recovery?.line(reader.path) { warnings.append(line) }
        if let flaw = reader.flaw { return warnings + ["\(flaw); \(reader.loss.restBefore) was read"] }
        return found > 0 ? warnings : warnings + ["\(reader.path): the file holds no measurements of waymark"]
    }

    /// Number of bytes that were read again or in vain because the file is damaged.
    package var wasted: UInt64 { reader.wasted }

    /// Share of the file that has been read.
    public var fraction: Double? { reader.fraction }

    /// - Throws: if the file cannot be read.
    public func next() throws(RecordingError) -> Measurement? {
        while true {
            if let sample = nextSample() { return sample }
            guard let message = try reader.next() else { return nil }
            switch take(message, among: [.warmStart, .estimatorState, .plan, .plansInUse]) {
            case .measurement(let measurement): return measurement
            case .warmStart(let start): warmStart = start
            default: continue
            }
        }
    }

    /// Passes on the first state of the file, as `MeasurementReader` describes.
    public func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void) {
        guard let state = estimatorState.take() else { return }
        do throws(EstimatorStateProblem) {
            try restore(state)
            // The state contains everything that the estimator had learned until then.
            warmStart = nil
        } catch {
            stateProblem = error
        }
    }

    /// Passes on the plans in use, as `MeasurementReader` describes.
    public func usePlans(_ use: (PlanLibrary) -> Void) {
        guard hasNewPlans else { return }
        hasNewPlans = false
        use(plans.library)
    }

    /// The next message of any kind.
    public func nextEntry() throws(RecordingError) -> Entry? { try nextEntry(among: Topic.allCases) }

    /// Next message of the given topics; skips all others without decoding them.
    package func nextEntry(among topics: [Topic]) throws(RecordingError) -> Entry? {
        while true {
            if let sample = nextSample() { return .measurement(sample) }
            guard let message = try reader.next() else { return nil }
            guard topics.contains(message.topic) else {
                // Skipped messages count too, so that the file is not reported to hold no measurements.
                found += 1
                continue
            }
            if let entry = take(message, among: topics) { return entry }
        }
    }

    /// Decodes a message. Returns nil if the message has no content, or is of another topic and not a measurement. Also
    /// returns nil if it does not conform to its topic, and counts it.
    private func take(_ message: MCAPReader.Message, among topics: [Topic]) -> Entry? {
        do {
            if let measurement = try measurement(message) { return .measurement(measurement) }
            guard topics.contains(message.topic) else { return nil }
            return try content(message)
        } catch {
            let flaw = RecordingError.damaged(
                path: reader.path, offset: reader.recordOffset,
                problem: "a message of \(message.topic.name) is not as it should be: \(error)")
            unreadable = (unreadable?.first ?? flaw, (unreadable?.count ?? 0) + 1)
            if RecordingLoss.start.contains(message.topic) { lacksStart = true }
            return nil
        }
    }

    /// Decodes a message that is not a measurement.
    private func content(_ message: MCAPReader.Message) throws -> Entry? {
        try reader.withData(of: message) { data in
            switch message.topic {
            // Poses and frames are recorded as the daemon sent them to its subscribers.
            case .pose: return .pose(try PoseInterface.Pose(try JSONReader.read(Array(data))))
            case .frame: return .frame(try PoseInterface.Frame(try JSONReader.read(Array(data))))
            case .warmStart: return .warmStart(try WarmStartMessage.read(Array(data)))
            case .estimatorState:
                let state = try EstimatorStateMessage.read(data)
                if !hasState { (hasState, estimatorState) = (true, state) }
                return .estimatorState(state)
            case .plan:
                guard plans.take(try PlanMessages.readPlan(data)) else {
                    throw JSONScanner.Problem("more than \(PlanMessages.maximumKnownCount) unused plans")
                }
                return nil
            case .plansInUse:
                guard let library = plans.use(try PlanMessages.readUse(data)) else {
                    throw JSONScanner.Problem("a plan whose document was not read")
                }
                hasNewPlans = true
                return .plans(library)
            default: return nil
            }
        }
    }

    /// The next sample of the current block that is in range.
    private func nextSample() -> Measurement? {
        while block.given < block.samples.count {
            block.given += 1
            if let sample = checked(block.samples[block.given - 1]) { return sample }
        }
        return nil
    }

    /// The measurement of a message, or the first sample if the message is a block; nil if the message is not a
    /// measurement, or is out of range.
    private func measurement(_ message: MCAPReader.Message) throws -> Measurement? {
        if message.topic == .samples {
            block = (try reader.withData(of: message) { try SampleBlockScanner.samples($0) }, 0)
            return nextSample()
        }
        let measurement = try reader.withData(of: message) {
            try MeasurementScanner.measurement(message.topic, $0, geoid: &geoid)
        }
        return measurement.flatMap(checked)
    }

    /// Returns the measurement if it is in range of some sensor; otherwise counts it and returns nil.
    private func checked(_ measurement: Measurement) -> Measurement? {
        found += 1
        if measurement.isInRange { return measurement }
        if outOfRange.count == 0 { outOfRange.offset = reader.recordOffset }
        outOfRange.count += 1
        return nil
    }
}
