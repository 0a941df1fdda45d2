import Synchronization

/// Requested pace of all devices of a source; set by any thread, applied by the thread of each device.
final class PaceControl: Sendable {
    /// A requested pace with a revision, by which a buffer detects that it was set up for an earlier request.
    struct Request: Sendable {
        var pace = SamplingPace.full
        var revision = 0
    }

    private let state = Mutex(Request())

    var request: Request { state.withLock { $0 } }

    /// Requests a pace; returns the new request, or nil if the pace is unchanged.
    func set(_ pace: SamplingPace) -> Request? {
        state.withLock { request in
            guard request.pace != pace else { return nil }
            request = Request(pace: pace, revision: request.revision + 1)
            return request
        }
    }
}
