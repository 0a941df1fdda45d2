import CLinux
import Glibc

/// One thread's event loop over epoll: descriptors, timers and signals, each with a handler that runs on this thread.
///
/// A handler may add, change and remove anything, its own watch included, and a descriptor's number may be used again at
/// once: readiness the kernel reported before a removal never reaches the new owner. Not for use from other threads; they
/// wake the reactor through an `EventDescriptor`.
public final class Reactor {
    /// What a watch waits for.
    public struct Interest: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let reading = Interest(rawValue: 1)
        public static let writing = Interest(rawValue: 2)
        /// The other end has shut down its sending half.
        public static let halfClose = Interest(rawValue: 4)
    }

    /// What the kernel reported about a descriptor.
    public struct Readiness: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let readable = Readiness(rawValue: 1)
        public static let writable = Readiness(rawValue: 2)
        public static let halfClosed = Readiness(rawValue: 4)
        /// Both directions are closed, or the descriptor has an error; reported whatever the interest.
        public static let hangup = Readiness(rawValue: 8)
    }

    /// A registered descriptor.
    public struct Watch: Hashable, Sendable {
        let slot: UInt32
        let generation: UInt32
        var word: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
    }

    private struct Slot {
        var generation: UInt32 = 0
        var descriptor: Int32 = -1
        var handler: ((Readiness) -> Void)?
    }

    private let epoll: Int32
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 64)
    private var running = false
    private(set) var timers = TimerQueue()
    private let timerDescriptor: Int32
    /// When the timer descriptor will fire, so that it is set only when that changes.
    private var armedDeadline: Int64?

    public init() throws(SystemError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .last("epoll_create1") }
        timerDescriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timerDescriptor >= 0 else { throw .last("timerfd_create") }
        try watch(timerDescriptor, .reading) { [unowned self] _ in timerFired() }
    }

    deinit {
        close(timerDescriptor)
        close(epoll)
    }

    /// Calls `handler` whenever `descriptor` is ready as asked, until the watch is removed; the reactor never closes it.
    @discardableResult
    public func watch(
        _ descriptor: Int32, _ interest: Interest, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        let index: UInt32
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = UInt32(slots.count)
            slots.append(Slot())
        }
        let watch = Watch(slot: index, generation: slots[Int(index)].generation)
        var event = epoll_event(events: interest.mask, data: epoll_data_t(u64: watch.word))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let error = SystemError.last("watch descriptor \(descriptor)")
            freeSlots.append(index)
            throw error
        }
        slots[Int(index)].descriptor = descriptor
        slots[Int(index)].handler = handler
        return watch
    }

    /// Waits for something else from now on.
    public func change(_ watch: Watch, to interest: Interest) {
        guard holds(watch) else { return }
        var event = epoll_event(events: interest.mask, data: epoll_data_t(u64: watch.word))
        let result = epoll_ctl(epoll, EPOLL_CTL_MOD, slots[Int(watch.slot)].descriptor, &event)
        precondition(result == 0, "a watched descriptor was closed before its watch was removed")
    }

    /// Ends a watch; must come before its descriptor is closed. A watch removed already is no error.
    public func remove(_ watch: Watch) {
        guard holds(watch) else { return }
        var event = epoll_event()
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, slots[Int(watch.slot)].descriptor, &event)
        slots[Int(watch.slot)].generation &+= 1
        slots[Int(watch.slot)].descriptor = -1
        slots[Int(watch.slot)].handler = nil
        freeSlots.append(watch.slot)
    }

    /// Dispatches until `stop()`; an early `stop()`, before this call, has no effect.
    public func run() {
        running = true
        while running { runOnce() }
    }

    /// Makes `run()` return once the handler that is running ends.
    public func stop() { running = false }

    /// Waits for one batch of events, at most `milliseconds` (negative: for ever), and dispatches it.
    public func runOnce(milliseconds: Int32 = -1) {
        armTimer()
        let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        guard count > 0 else {
            precondition(count == 0 || errno == EINTR, "epoll_wait failed for a reason of our own making")
            return
        }
        // A handler may run the reactor itself (a blocking wait in a test): the batch is its own copy then.
        let batch = events
        for index in 0..<Int(count) { dispatch(batch[index]) }
    }

    private func dispatch(_ event: epoll_event) {
        let word = event.data.u64
        let slot = Int(UInt32(truncatingIfNeeded: word))
        guard slots[slot].generation == UInt32(word >> 32), let handler = slots[slot].handler else { return }
        handler(Readiness(mask: event.events))
    }

    private func holds(_ watch: Watch) -> Bool {
        Int(watch.slot) < slots.count && slots[Int(watch.slot)].generation == watch.generation
            && slots[Int(watch.slot)].handler != nil
    }
}

// MARK: timers

extension Reactor {
    /// The monotonic clock that timers follow, in nanoseconds; it stands still while the system is suspended.
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

    /// Calls `handler` every `interval` nanoseconds; ticks that were missed are not made up for.
    @discardableResult
    public func every(_ interval: Int64, handler: @escaping () -> Void) -> TimerIdentifier {
        precondition(interval > 0, "a repeating timer needs an interval")
        return timers.add(deadline: Reactor.now + interval, interval: interval, handler: handler)
    }

    /// Ends a timer; one that has fired or was cancelled already is no error.
    public func cancel(_ timer: TimerIdentifier) { timers.cancel(timer) }

    private func armTimer() {
        let deadline = timers.nextDeadline
        guard deadline != armedDeadline else { return }
        armedDeadline = deadline
        var setting = itimerspec()
        if let deadline {
            // A zero value would disarm it.
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
