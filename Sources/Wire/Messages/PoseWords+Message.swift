import Model
import WaymarkInterface

// Words of org.waymark.Pose and org.waymark.Status for the estimator's states. The bits of the core's sets have the
// same order as the interface's words; MessagesTests compares all of them.

extension TrackingState {
    package var message: PoseInterface.LocalizationState {
        switch self {
        case .initializing: .initializing
        case .aligning: .aligning
        case .localized: .localized
        case .limited: .limited
        }
    }

    /// Finds the state for a word; nil for an unknown word.
    public init?(word: String) {
        let all: [TrackingState] = [.initializing, .aligning, .localized, .limited]
        guard let state = all.first(where: { $0.message.word.description == word }) else { return nil }
        self = state
    }
}

extension TrackingQuality {
    package var message: PoseInterface.Quality {
        switch self {
        case .invalid: .invalid
        case .inferred: .inferred
        case .tracked: .tracked
        }
    }
}

extension HeadingReference {
    package var message: PoseInterface.HeadingReference {
        switch self {
        case .none: .none
        case .magneticNorth: .magneticNorth
        case .trueNorth: .trueNorth
        }
    }
}

extension Motion {
    package var message: PoseInterface.MotionMode {
        switch self {
        case .atRest: .rest
        case .onFoot: .foot
        case .riding: .vehicle
        }
    }
}

extension LimitingReasons {
    package var message: WordSet<PoseInterface.Reason> { WordSet(bits: UInt64(rawValue)) }

    /// Collects the reasons for these words; ignores unknown words.
    public init(words: some Sequence<String>) {
        self = []
        for word in words {
            guard let reason = PoseInterface.Reason(word: word) else { continue }
            insert(LimitingReasons(rawValue: 1 << UInt32(reason.rawValue)))
        }
    }
}

extension AidingSources {
    package var message: WordSet<PoseInterface.Source> { WordSet(bits: UInt64(rawValue)) }
}

extension WarmStart.Parts {
    package var message: WordSet<StatusInterface.WarmStartPart> { WordSet(bits: UInt64(rawValue)) }
}

extension FrameCause {
    /// The raw values agree, because both enumerations declare the causes in the same order.
    package var message: PoseInterface.FrameCause? { PoseInterface.FrameCause(rawValue: rawValue) }
}

extension FrameCauses {
    package var message: WordSet<PoseInterface.FrameCause> { WordSet(bits: UInt64(rawValue)) }
}
