import Glibc
import Linux
import Synchronization
import Varlink
import WaymarkInterface

extension Waymark {
    /// Values of a subscription as an asynchronous sequence. It ends when the daemon ends the subscription or the task
    /// is cancelled.
    ///
    /// Each iteration has its own connection and thread, which are released at the end of the sequence or with the
    /// iterator. The thread reads a value only when the loop requests it, so that no values accumulate for a slow
    /// consumer. The daemon replaces messages that are not read in time, as the method's interface describes, and
    /// disconnects a consumer that has not read any message for 30 s.
    ///
    /// ```swift
    /// for try await pose in Waymark.poses(rate: 10) {
    ///     print(pose.state, pose.geo.map { "\($0.latitude), \($0.longitude)" } ?? "no position yet")
    /// }
    /// ```
    public struct Subscription<Element: Sendable>: AsyncSequence, Sendable {
        /// Reason for an early end: no daemon, a closed connection, or an error of the method.
        public typealias Failure = WaymarkError

        /// Subscribes on a new connection; the descriptor cancels the subscription.
        typealias Begin = @Sendable (_ cancel: Int32) throws(WaymarkError) -> Updates<Element>

        private let begin: Begin

        init(_ begin: @escaping Begin) { self.begin = begin }

        /// Iterator that connects when its first value is requested.
        public func makeAsyncIterator() -> Iterator { Iterator(begin) }

        /// Reads the values of one connection, which is closed when the iterator is released.
        public final class Iterator: AsyncIteratorProtocol {
            private let reader: ValueReader<Element>

            init(_ begin: @escaping Begin) { reader = ValueReader(begin) }

            deinit { reader.cancel() }

            /// Next value; nil once the daemon has ended the subscription or the task is cancelled.
            public func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(WaymarkError) -> Element? {
                let reader = reader
                let outcome = await withTaskCancellationHandler {
                    await withCheckedContinuation { reader.next($0) }
                } onCancel: {
                    reader.cancel()
                }
                return try outcome.get()
            }
        }
    }
}

/// Thread that reads one value of a subscription per request.
private final class ValueReader<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value?, WaymarkError>

    private struct State {
        var waiting: CheckedContinuation<Outcome, Never>?
        var worker: WorkerThread?
        var hasEnded = false
    }

    private let begin: Waymark.Subscription<Value>.Begin
    private let state = Mutex(State())
    private let asked = EventDescriptor()

    init(_ begin: @escaping Waymark.Subscription<Value>.Begin) { self.begin = begin }

    /// Resumes with the next value, or immediately with nil if the sequence is over.
    func next(_ continuation: CheckedContinuation<Outcome, Never>) {
        let isOver = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.waiting = continuation
            if state.worker == nil { state.worker = WorkerThread(name: "waymark") { self.run($0) } }
            return false
        }
        if isOver { continuation.resume(returning: .success(nil)) } else { asked.signal() }
    }

    /// Ends the sequence and the thread, even while it waits.
    func cancel() {
        let worker = state.withLock { state in
            state.hasEnded = true
            return state.worker
        }
        resume(.success(nil))
        worker?.requestStop()
    }

    /// Body of the thread. The connection is closed when this function returns.
    private func run(_ stop: StopFlag) {
        do throws(WaymarkError) {
            let updates = try begin(stop.descriptor)
            while isAsked(stop), let value = try updates.next() { resume(.success(value)) }
            end(.success(nil))
        } catch {
            end(.failure(error))
        }
    }

    /// Waits until the consumer requests a value; returns false if it has cancelled.
    private func isAsked(_ stop: StopFlag) -> Bool {
        let outcome = try? Waiting.wait(asked.descriptor, events: POLLIN, until: nil, cancel: stop.descriptor)
        asked.clear()
        return outcome == .ready
    }

    private func resume(_ outcome: Outcome) { state.withLock { $0.waiting.take() }?.resume(returning: outcome) }

    private func end(_ outcome: Outcome) {
        state.withLock { $0.hasEnded = true }
        resume(outcome)
    }
}

/// Subscriptions, each with its own connection.
extension Waymark {
    /// Replies of any method that sends several replies.
    ///
    /// - Parameter socket: the daemon's socket.
    public static func replies<Method: InterfaceMethod>(
        to method: Method, socket: String = Client.defaultPath
    ) -> Subscription<Method.Reply> {
        Subscription { (cancel) throws(WaymarkError) in
            try Client(path: socket, cancel: cancel).stream(method)
        }
    }

    /// Poses as they are published.
    ///
    /// - Parameters:
    ///   - rate: maximum rate, 1 to 1000; nil for the daemon's default (60). Unit: hertz.
    ///   - predictAhead: prediction time, up to 0.1; nil for no prediction. Unit: seconds.
    ///   - socket: the daemon's socket.
    public static func poses(
        rate: Double? = nil, predictAhead: Double? = nil, socket: String = Client.defaultPath
    ) -> Subscription<Pose> {
        Subscription { (cancel) throws(WaymarkError) in
            try Client(path: socket, cancel: cancel).poses(rate: rate, predictAhead: predictAhead).compactMap(\.pose)
        }
    }

    /// Corrections of the scene frame. The latest correction is sent immediately, and each later one when it is made.
    ///
    /// - Parameter socket: the daemon's socket.
    public static func frames(socket: String = Client.defaultPath) -> Subscription<Frame> {
        Subscription { (cancel) throws(WaymarkError) in try Client(path: socket, cancel: cancel).frames() }
    }

    /// Scene as it changes; `SceneState` collects the changes.
    ///
    /// - Parameters:
    ///   - rate: maximum rate of messages, 1 to 60; nil for the daemon's default (10). Unit: hertz.
    ///   - camera: display for which `visible` and `hint` are computed; nil for the daemon's default.
    ///   - radar: radar around the wearer; nil for none.
    ///   - labels: size of labels as drawn; nil for the configured size.
    ///   - hints: maximum number of hints, 0 to 16; nil for the daemon's default (3).
    ///   - hintTexts: size of hint texts as drawn; nil for the daemon's default.
    ///   - socket: the daemon's socket.
    public static func scenes(
        rate: Double? = nil, camera: Camera? = nil, radar: RadarView? = nil, labels: LabelSize? = nil,
        hints: Int? = nil, hintTexts: HintTextSize? = nil, socket: String = Client.defaultPath
    ) -> Subscription<Scene> {
        Subscription { (cancel) throws(WaymarkError) in
            try Client(path: socket, cancel: cancel)
                .scenes(
                    rate: rate, camera: camera, radar: radar, labels: labels, hints: hints, hintTexts: hintTexts)
        }
    }

    /// Items ahead of the wearer, once per second.
    ///
    /// - Parameters:
    ///   - limit: maximum number, 1 to 100; nil for the daemon's default (10).
    ///   - radius: radius of the search; nil for the daemon's default (500). Unit: metres.
    ///   - socket: the daemon's socket.
    public static func ahead(
        limit: Int? = nil, radius: Double? = nil, socket: String = Client.defaultPath
    ) -> Subscription<[Item]> {
        Subscription { (cancel) throws(WaymarkError) in
            try Client(path: socket, cancel: cancel).aheadUpdates(limit: limit, radius: radius)
        }
    }

    /// Health of the daemon, requested periodically on one connection.
    ///
    /// - Parameters:
    ///   - interval: time between two calls.
    ///   - socket: the daemon's socket.
    public static func statuses(
        every interval: Duration = .seconds(1), socket: String = Client.defaultPath
    ) -> Subscription<Status> {
        Subscription { (cancel) throws(WaymarkError) in
            let client = try Client(path: socket, cancel: cancel)
            var due = Reactor.now
            return Updates { (_) throws(WaymarkError) in
                guard (try? Waiting.wait(cancel, events: POLLIN, until: due)) == .timedOut else { throw .cancelled }
                due = Reactor.now + interval.nanoseconds
                return try client.status()
            }
        }
    }
}
