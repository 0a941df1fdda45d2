import CLinux
import Glibc

/// Event loop of one thread over epoll. It has descriptors and timers, each with a handler that runs on this thread.
///
/// A turn calls the handlers of timers and of `first` watches, then those of the other ready descriptors, and then the
/// work in portions. Between other handlers, timers and `first` watches have another turn whenever a millisecond has
/// passed. A single slow handler can therefore delay a measurement, but a large number of ready descriptors cannot.
///
/// A handler may add, change and remove any watch, including its own, and a descriptor's number may be reused at once.
/// If the kernel reported readiness before a watch was removed, a new watch never receives it. Not thread-safe: other
/// threads wake the reactor through an `EventDescriptor`.
public final class Reactor {
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Data to read, or the end of the stream.
        package static let reading = Interest(rawValue: 1)
        /// Space for data to write.
        package static let writing = Interest(rawValue: 2)
        /// The peer has shut down its sending direction.
        package static let halfClose = Interest(rawValue: 4)
        /// Each event once when it occurs, and not until it is consumed. An eventfd then need not be read.
        package static let edges = Interest(rawValue: 8)
    }

    /// Order in which the handlers of ready descriptors are called.
    package enum Precedence: Sendable {
        /// Before all other handlers, like timers, and again between other handlers if these take long.
        case first
        /// After the `first` handlers, in the order in which the kernel reports the descriptors.
        case ordinary
    }

    /// State of a descriptor as the kernel reported it.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A read would not block.
        package static let readable = Readiness(rawValue: 1)
        /// A write would not block.
        package static let writable = Readiness(rawValue: 2)
        /// The peer has shut down its sending direction.
        package static let halfClosed = Readiness(rawValue: 4)
        /// Both directions are closed, or the descriptor has an error; reported regardless of the interest.
        package static let hangup = Readiness(rawValue: 8)
    }

    /// Registration of a descriptor, with which it is changed or removed. The generation distinguishes it from an
    /// earlier use of the same slot.
    public struct Watch: Hashable, Sendable {
        let slot: UInt32
        let generation: UInt32
        var word: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
    }

    private struct Slot {
        var generation: UInt32 = 0
        var descriptor: Int32 = -1
        var precedence = Precedence.ordinary
        var handler: ((Readiness) -> Void)?
    }

    /// Epoll instance of all watches.
    private let all: EventPoll
    /// Epoll instance of only the `first` watches. It is needed between other handlers, and if many descriptors are
    /// ready, because the kernel reports only some of them at a time, in an order of its own.
    private let first: EventPoll
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    /// Time at which timers and `first` watches last had their turn. Unit: ns, monotonic.
    private var firstServed: Int64 = 0
    private var portions: [() -> Bool] = []
    private var running = false
    private(set) var timers = TimerQueue()

    /// Time that handlers may take before timers and `first` watches have another turn. It is far shorter than the
    /// interval of samples, and far longer than the microsecond that polling takes. Unit: ns.
    private static let firstInterval: Int64 = 1_000_000

    /// Creates the epoll instances.
    public init() throws(SystemError) {
        all = try EventPoll()
        first = try EventPoll()
    }

    /// Calls `handler` whenever `descriptor` is ready for one of the events, until the watch is removed. The caller
    /// keeps ownership of the descriptor.
    @discardableResult
    package func watch(
        _ descriptor: Int32, _ interest: Interest, precedence: Precedence = .ordinary,
        handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        let index: UInt32
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = UInt32(slots.count)
            slots.append(Slot())
        }
        let watch = Watch(slot: index, generation: slots[Int(index)].generation)
        do throws(SystemError) {
            try all.add(descriptor, interest.mask, word: watch.word)
        } catch {
            freeSlots.append(index)
            throw error
        }
        do throws(SystemError) {
            if precedence == .first { try first.add(descriptor, interest.mask, word: watch.word) }
        } catch {
            all.remove(descriptor)
            freeSlots.append(index)
            throw error
        }
        slots[Int(index)].descriptor = descriptor
        slots[Int(index)].precedence = precedence
        slots[Int(index)].handler = handler
        return watch
    }

    package func change(_ watch: Watch, to interest: Interest) {
        guard holds(watch) else { return }
        let slot = slots[Int(watch.slot)]
        all.change(slot.descriptor, interest.mask, word: watch.word)
        if slot.precedence == .first { first.change(slot.descriptor, interest.mask, word: watch.word) }
    }

    /// Removes a watch. This has to be called before its descriptor is closed. Does nothing if the watch was removed
    /// already.
    public func remove(_ watch: Watch) {
        guard holds(watch) else { return }
        let slot = slots[Int(watch.slot)]
        all.remove(slot.descriptor)
        if slot.precedence == .first { first.remove(slot.descriptor) }
        slots[Int(watch.slot)].generation &+= 1
        slots[Int(watch.slot)].descriptor = -1
        slots[Int(watch.slot)].handler = nil
        freeSlots.append(watch.slot)
    }

    /// Dispatches events until a handler calls `stop()`. Calling `stop()` before this has no effect.
    public func run() {
        running = true
        while running { runOnce() }
    }

    /// Makes `run()` return after the current handler.
    public func stop() { running = false }

    /// Calls `portion` once per turn, after the handlers of all ready descriptors, until it returns false. Meanwhile
    /// the reactor does not wait for events. This is for work of any duration that must not delay measurements, timers
    /// and clients. Each portion has to end within about a millisecond.
    public func perform(inPortions portion: @escaping () -> Bool) { portions.append(portion) }

    /// Takes one turn: waits for events and dispatches a batch of them. It waits at most `milliseconds` (negative:
    /// without limit), and not at all while there is work in portions.
    public func runOnce(milliseconds: Int32 = -1) {
        let batch = all.wait(patience(milliseconds))
        fireTimers()
        for event in batch where isFirst(event) { dispatch(event) }
        if all.isFull { serveFirst() }
        firstServed = Reactor.now
        for event in batch where !isFirst(event) {
            dispatch(event)
            if Reactor.now - firstServed >= Self.firstInterval { serveFirst() }
        }
        performPortions()
    }

    /// Time to wait for events; nil without limit. Unit: ns.
    private func patience(_ milliseconds: Int32) -> Int64? {
        guard portions.isEmpty else { return 0 }
        let limit = milliseconds < 0 ? nil : Int64(milliseconds) * 1_000_000
        guard let deadline = timers.nextDeadline else { return limit }
        return min(max(0, deadline - Reactor.now), limit ?? .max)
    }

    private func serveFirst() {
        fireTimers()
        for event in first.wait(0) { dispatch(event) }
        firstServed = Reactor.now
    }

    private func fireTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = Reactor.now
        while let handler = timers.takeDue(now) { handler() }
    }

    private func isFirst(_ event: epoll_event) -> Bool {
        slots[Int(UInt32(truncatingIfNeeded: event.data.u64))].precedence == .first
    }

    private func dispatch(_ event: epoll_event) {
        let word = event.data.u64
        let slot = Int(UInt32(truncatingIfNeeded: word))
        guard slots[slot].generation == UInt32(word >> 32), let handler = slots[slot].handler else { return }
        handler(Readiness(mask: event.events))
    }

    private func performPortions() {
        guard !portions.isEmpty else { return }
        // Portions that a portion adds are called in the next turn.
        let present = portions
        portions = []
        portions = present.filter { $0() } + portions
    }

    private func holds(_ watch: Watch) -> Bool {
        Int(watch.slot) < slots.count && slots[Int(watch.slot)].generation == watch.generation
            && slots[Int(watch.slot)].handler != nil
    }
}

// MARK: timers

extension Reactor {
    /// Time on CLOCK_MONOTONIC, which the timers use. It stops while the system is suspended. Unit: ns.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Calls `handler` once, `delay` nanoseconds from now.
    @discardableResult
    public func after(_ delay: Int64, handler: @escaping () -> Void) -> TimerIdentifier {
        timers.add(deadline: Reactor.now + max(0, delay), interval: nil, handler: handler)
    }

    /// Calls `handler` every `interval` nanoseconds; missed ticks are skipped.
    @discardableResult
    public func every(_ interval: Int64, handler: @escaping () -> Void) -> TimerIdentifier {
        precondition(interval > 0, "a repeating timer needs an interval")
        return timers.add(deadline: Reactor.now + interval, interval: interval, handler: handler)
    }

    /// Cancels a timer; does nothing if the timer has fired or was cancelled already.
    public func cancel(_ timer: TimerIdentifier) { timers.cancel(timer) }
}

extension Reactor.Interest {
    fileprivate var mask: UInt32 {
        var mask: UInt32 = 0
        if contains(.reading) { mask |= EPOLLIN.rawValue }
        if contains(.writing) { mask |= EPOLLOUT.rawValue }
        if contains(.halfClose) { mask |= EPOLLRDHUP.rawValue }
        if contains(.edges) { mask |= EPOLLET.rawValue }
        return mask
    }
}

extension Reactor.Readiness {
    fileprivate init(mask: UInt32) {
        self = []
        if mask & EPOLLIN.rawValue != 0 { insert(.readable) }
        if mask & EPOLLOUT.rawValue != 0 { insert(.writable) }
        if mask & EPOLLRDHUP.rawValue != 0 { insert(.halfClosed) }
        if mask & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { insert(.hangup) }
    }
}
