import Synchronization

/// The pace that is wanted of all devices of a source; set by any thread, followed by the thread of each device.
final class PaceControl: Sendable {
    /// A pace, and how many there were before it: a buffer knows by that whether it is still as wanted.
    struct Wish: Sendable {
        var pace = SamplingPace.full
        var revision = 0
    }

    private let state = Mutex(Wish())

    var wish: Wish { state.withLock { $0 } }

    /// The new wish; nil where the pace is the one that is wanted already.
    func set(_ pace: SamplingPace) -> Wish? {
        state.withLock { wish in
            guard wish.pace != pace else { return nil }
            wish = Wish(pace: pace, revision: wish.revision + 1)
            return wish
        }
    }
}
