import CLinux
import Glibc

/// Event loop of one thread over epoll. It has descriptors and timers, each with a handler that runs on this thread.
///
/// A turn calls the handlers of timers and of `first` watches, then those of the other ready descriptors, and then the
/// work in portions. During the last two steps, `first` watches are polled again whenever a millisecond has passed. A
/// single slow handler can therefore delay a measurement, but a large number of ready descriptors cannot.
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

    /// Epoll instance of only the `first` watches. The instance of all watches also waits for it. It is needed because
    /// the kernel reports only some of the ready descriptors at a time, in an order of its own.
    private let first: EventPoll
    private let all: EventPoll
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    /// Time at which `first` watches were last polled. Unit: ns, monotonic.
    private var firstAsked: Int64 = 0
    private var portions: [() -> Bool] = []
    private var running = false
    private(set) var timers = TimerQueue()
    private let timerDescriptor: Int32
    /// Time for which the timer descriptor is set. It is set again only if this time changes. Unit: ns, monotonic.
    private var armedDeadline: Int64?

    /// Time that handlers and portions may take before `first` watches are polled again. It is far shorter than the
    /// interval of samples, and far longer than the microsecond that polling takes. Unit: ns.
    private static let firstInterval: Int64 = 1_000_000
    /// Event word of the epoll instance of `first` watches, which differs from the word of any slot.
    private static let firstWord = UInt64.max

    /// Creates the epoll instances and the timer.
    public init() throws(SystemError) {
        first = try EventPoll()
        all = try EventPoll()
        timerDescriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timerDescriptor >= 0 else { throw .last("timerfd_create") }
        try all.add(first.descriptor, EPOLLIN.rawValue, word: Self.firstWord)
        try watch(timerDescriptor, .reading, precedence: .first) { [unowned self] _ in timerFired() }
    }

    deinit { close(timerDescriptor) }

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
            try poll(precedence).add(descriptor, interest.mask, word: watch.word)
        } catch {
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
        poll(slot.precedence).change(slot.descriptor, interest.mask, word: watch.word)
    }

    /// Removes a watch. This has to be called before its descriptor is closed. Does nothing if the watch was removed
    /// already.
    public func remove(_ watch: Watch) {
        guard holds(watch) else { return }
        let slot = slots[Int(watch.slot)]
        poll(slot.precedence).remove(slot.descriptor)
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
        armTimer()
        let batch = all.wait(milliseconds: portions.isEmpty ? milliseconds : 0)
        dispatchFirst()
        for event in batch where event.data.u64 != Self.firstWord {
            dispatch(event)
            if Reactor.now - firstAsked >= Self.firstInterval { dispatchFirst() }
        }
        performPortions()
    }

    private func dispatchFirst() {
        for event in first.wait(milliseconds: 0) { dispatch(event) }
        firstAsked = Reactor.now
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

    private func poll(_ precedence: Precedence) -> EventPoll { precedence == .first ? first : all }

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

    private func armTimer() {
        let deadline = timers.nextDeadline
        guard deadline != armedDeadline else { return }
        armedDeadline = deadline
        var setting = itimerspec()
        if let deadline {
            // Zero would disarm the timer.
            let time = max(1, deadline)
            setting.it_value = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        }
        timerfd_settime(timerDescriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private func timerFired() {
        var expirations: UInt64 = 0
        _ = read(timerDescriptor, &expirations, 8)
        armedDeadline = nil
        let now = Reactor.now
        while let handler = timers.takeDue(now) { handler() }
    }
}

extension Reactor.Interest {
    fileprivate var mask: UInt32 {
        var mask: UInt32 = 0
        if contains(.reading) { mask |= EPOLLIN.rawValue }
        if contains(.writing) { mask |= EPOLLOUT.rawValue }
        if contains(.halfClose) { mask |= EPOLLRDHUP.rawValue }
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
