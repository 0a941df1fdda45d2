import WaymarkInterface

extension Waymark {
    /// Values of a subscription, which are read one at a time. Each call of `next` blocks until there is one.
    ///
    /// The daemon replaces messages that are not read in time, as the method's interface describes, and disconnects a
    /// client that has not read any for 30 s.
    ///
    /// ```swift
    /// let client = try Waymark.Client()
    /// let updates = try client.poses(rate: 10, frames: true)
    /// while let update = try updates.next(timeout: .seconds(5)) {
    ///     switch update {
    ///     case .pose(let pose): print(pose.position)
    ///     case .frame(let frame): print("generation \(frame.generation)")
    ///     }
    /// }
    /// ```
    public final class Updates<Value> {
        private let take: (Duration?) throws(WaymarkError) -> Value?

        init(_ take: @escaping (Duration?) throws(WaymarkError) -> Value?) { self.take = take }

        /// Next value; nil if the daemon has ended the subscription. The call can be repeated after a timeout.
        ///
        /// - Parameter timeout: longest wait; zero to return only a value that has already arrived, nil to wait without
        ///   limit.
        public func next(timeout: Duration? = nil) throws(WaymarkError) -> Value? { try take(timeout) }

        /// Values returned by `transform`, which skips a value by returning nil.
        func compactMap<New>(_ transform: @escaping (Value) -> New?) -> Updates<New> {
            Updates<New> { [take] (timeout) throws(WaymarkError) in
                while let value = try take(timeout) {
                    if let new = transform(value) { return new }
                }
                return nil
            }
        }
    }

    /// Message of a subscription to poses.
    public enum PoseUpdate: Equatable, Sendable {
        /// Pose as published.
        case pose(Pose)
        /// Correction of the scene frame.
        case frame(Frame)

        /// Pose; nil for a correction of the frame.
        public var pose: Pose? {
            if case .pose(let pose) = self { pose } else { nil }
        }
    }

    /// Message of a running calibration.
    public enum CalibrationUpdate: Equatable, Sendable {
        /// Progress, for the user who moves the board.
        case progress(CalibrationProgress)
        /// Result, the last message.
        case result(CalibrationResult)
    }

    /// Whole scene, kept up to date by the messages of one subscription.
    ///
    /// ```swift
    /// var state = Waymark.SceneState()
    /// for try await message in Waymark.scenes(rate: 10) {
    ///     try state.apply(message)
    ///     for placement in state.drawn { print(placement.id, placement.position) }
    /// }
    /// ```
    public struct SceneState: Equatable, Sendable {
        /// Reason why a message cannot be applied to the state.
        public enum Break: Error, Equatable, Sendable {
            /// The message contains changes, but the message before it is missing.
            case revision(known: Int?, received: Int)
        }

        /// Newest message, which gives the status, time and events. Its `changed` and `removed` have already been
        /// applied to `placements`.
        public private(set) var newest: Scene?
        /// Placements by id.
        public private(set) var placements: [String: Placement] = [:]

        /// Makes a state that waits for the first message, a snapshot.
        public init() {}

        /// Applies the next message.
        public mutating func apply(_ scene: Scene) throws(Break) {
            if scene.snapshot {
                placements.removeAll()
            } else if scene.revision != newest.map({ $0.revision + 1 }) {
                throw .revision(known: newest?.revision, received: scene.revision)
            }
            for id in scene.removed { placements[id] = nil }
            for placement in scene.changed { placements[placement.id] = placement }
            newest = scene
        }

        /// Placements in the order in which they are drawn.
        public var drawn: [Placement] { placements.values.sorted { ($0.order, $0.id) < ($1.order, $1.id) } }

        /// Placements, nearest first.
        public var nearest: [Placement] {
            placements.values.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
        }
    }
}
