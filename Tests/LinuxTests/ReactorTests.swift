import Glibc
import Linux
import Testing

@Suite struct ReactorTests {
    /// Long enough for any loaded machine; only a failing test waits that long.
    static let patience: Int64 = 20_000_000_000

    /// Runs the reactor until `stop()`, or until patience ends, which fails the test.
    static func run(_ reactor: Reactor, location: SourceLocation = #_sourceLocation) {
        var timedOut = false
        let limit = reactor.after(patience) {
            timedOut = true
            reactor.stop()
        }
        reactor.run()
        reactor.cancel(limit)
        #expect(!timedOut, "nothing stopped the reactor", sourceLocation: location)
    }

    @Test("timers fire in the order of their deadlines, equal ones in the order they were added")
    func timerOrder() throws {
        let reactor = try Reactor()
        var fired: [String] = []
        reactor.after(30_000_000) {
            fired.append("third")
            reactor.stop()
        }
        reactor.after(0) { fired.append("first") }
        reactor.after(10_000_000) { fired.append("second") }
        Self.run(reactor)
        #expect(fired == ["first", "second", "third"])
    }

    @Test("a repeating timer goes on until it is cancelled, also from its own handler")
    func repeating() throws {
        let reactor = try Reactor()
        var ticks = 0
        var timer: TimerIdentifier?
        timer = reactor.every(1_000_000) {
            ticks += 1
            if ticks == 3, let timer {
                reactor.cancel(timer)
                reactor.after(20_000_000) { reactor.stop() }
            }
        }
        Self.run(reactor)
        #expect(ticks == 3)
    }

    @Test("a timer is never early, and a cancelled one never fires")
    func cancelled() throws {
        let reactor = try Reactor()
        let start = Reactor.now
        var firedAt: Int64?
        let cancelled = reactor.after(1_000_000) { Issue.record("a cancelled timer fired") }
        reactor.after(5_000_000) {
            firedAt = Reactor.now
            reactor.stop()
        }
        reactor.cancel(cancelled)
        reactor.cancel(cancelled)
        Self.run(reactor)
        #expect(try #require(firedAt) >= start + 5_000_000)
    }

    @Test("thousands of renewed timers fire as many handlers as are left")
    func renewed() throws {
        let reactor = try Reactor()
        var fired = 0
        var timers: [TimerIdentifier] = []
        for round in 0..<20_000 {
            timers.append(reactor.after(Int64(round % 7) * 1_000_000) { fired += 1 })
            if timers.count > 10 { reactor.cancel(timers.removeFirst()) }
        }
        reactor.after(50_000_000) { reactor.stop() }
        Self.run(reactor)
        #expect(fired == 10)
    }

    @Test("a handler that removes another ready descriptor keeps it from being called")
    func removalDuringDispatch() throws {
        let reactor = try Reactor()
        let events = [EventDescriptor(), EventDescriptor(), EventDescriptor()]
        var watches: [Reactor.Watch] = []
        var called = 0
        for event in events {
            watches.append(
                try reactor.watch(event.descriptor, .reading) { [unowned reactor] _ in
                    called += 1
                    for watch in watches { reactor.remove(watch) }
                })
            event.signal()
        }
        reactor.after(20_000_000) { reactor.stop() }
        Self.run(reactor)
        #expect(called == 1)
        withExtendedLifetime(events) {}
    }

    @Test("a descriptor's number used again at once does not get the readiness of the one before")
    func reusedNumber() throws {
        let reactor = try Reactor()
        let trigger = EventDescriptor()
        var first: EventDescriptor? = EventDescriptor()
        let number = first!.descriptor
        var second: EventDescriptor?
        var firstWatch: Reactor.Watch?
        // Both are ready in one batch; the first replaces the second by a new descriptor, mostly of the same number.
        try reactor.watch(trigger.descriptor, .reading) { [unowned reactor] _ in
            trigger.clear()
            reactor.remove(firstWatch!)
            first = nil
            second = EventDescriptor()
            do {
                try reactor.watch(second!.descriptor, .reading) { _ in
                    Issue.record("the new owner was called without being ready")
                }
            } catch {
                Issue.record(error)
            }
            reactor.after(20_000_000) { reactor.stop() }
        }
        trigger.signal()
        firstWatch = try reactor.watch(number, .reading) { _ in first?.clear() }
        first!.signal()
        Self.run(reactor)
        #expect(second != nil)
    }

    @Test("a handler may add a watch that is called in the next round")
    func addedDuringDispatch() throws {
        let reactor = try Reactor()
        let first = EventDescriptor()
        let second = EventDescriptor()
        second.signal()
        try reactor.watch(first.descriptor, .reading) { [unowned reactor] _ in
            first.clear()
            do {
                try reactor.watch(second.descriptor, .reading) { [unowned reactor] _ in reactor.stop() }
            } catch {
                Issue.record(error)
            }
        }
        first.signal()
        Self.run(reactor)
        withExtendedLifetime((first, second)) {}
    }

    @Test("watches that come first are called before all others that are ready")
    func precedence() throws {
        let reactor = try Reactor()
        // More than the kernel reports at a time.
        let ordinary = (0..<200).map { _ in EventDescriptor() }
        let first = EventDescriptor()
        var called = 0
        for event in ordinary {
            try reactor.watch(event.descriptor, .reading) { _ in
                event.clear()
                called += 1
            }
            event.signal()
        }
        try reactor.watch(first.descriptor, .reading, precedence: .first) { [unowned reactor] _ in
            first.clear()
            #expect(called == 0)
            reactor.stop()
        }
        first.signal()
        Self.run(reactor)
        withExtendedLifetime(ordinary) {}
    }

    @Test("what comes first and becomes ready among handlers that take long does not wait for all of them")
    func precedenceAmongLongHandlers() throws {
        let reactor = try Reactor()
        let ordinary = (0..<40).map { _ in EventDescriptor() }
        let first = EventDescriptor()
        var called = 0
        var calledAtFirst: Int?
        for event in ordinary {
            try reactor.watch(event.descriptor, .reading) { [unowned reactor] _ in
                event.clear()
                called += 1
                if called == 1 { first.signal() }
                let end = Reactor.now + 2_000_000
                while Reactor.now < end {}
                if called == ordinary.count { reactor.stop() }
            }
            event.signal()
        }
        try reactor.watch(first.descriptor, .reading, precedence: .first) { _ in
            first.clear()
            calledAtFirst = called
        }
        Self.run(reactor)
        #expect(calledAtFirst == 1)
    }

    @Test("a watch of edges is called once for each signal, though the signal is never read")
    func edges() throws {
        let reactor = try Reactor()
        let (event, level) = (EventDescriptor(), EventDescriptor())
        var (edges, levels) = (0, 0)
        try reactor.watch(event.descriptor, [.reading, .edges]) { _ in edges += 1 }
        try reactor.watch(level.descriptor, .reading) { _ in levels += 1 }
        level.signal()
        for signals in 1...3 {
            event.signal()
            // The other descriptor stays readable, so that no turn waits.
            while levels < 3 * signals { reactor.runOnce(milliseconds: 1000) }
            #expect(edges == signals)
        }
    }

    @Test("a changed interest of what comes first holds at the start of a turn and between long handlers")
    func changedPrecedence() throws {
        let reactor = try Reactor()
        let (ordinary, first) = (EventDescriptor(), EventDescriptor())
        var called = 0
        let watch = try reactor.watch(first.descriptor, [], precedence: .first) { _ in called += 1 }
        try reactor.watch(ordinary.descriptor, .reading) { _ in
            let end = Reactor.now + 2_000_000
            while Reactor.now < end {}
        }
        first.signal()
        ordinary.signal()
        func callsOfATurn() -> Int {
            defer { called = 0 }
            reactor.runOnce(milliseconds: 1000)
            return called
        }
        #expect(callsOfATurn() == 0)
        reactor.change(watch, to: .reading)
        #expect(callsOfATurn() == 2)
        reactor.change(watch, to: [])
        #expect(callsOfATurn() == 0)
    }

    @Test("a set of descriptors is readable while one of them is")
    func descriptorSet() {
        let (set, one, other) = (DescriptorSet(), EventDescriptor(), EventDescriptor())
        var entry = pollfd(fd: set.descriptor, events: Int16(POLLIN), revents: 0)
        for event in [one, other] { set.insert(event.descriptor) }
        #expect(poll(&entry, 1, 0) == 0)
        one.signal()
        other.signal()
        one.clear()
        #expect(poll(&entry, 1, 0) == 1)
        set.remove(other.descriptor)
        set.remove(other.descriptor)
        #expect(poll(&entry, 1, 0) == 0)
    }

    @Test("work in portions alternates with events and timers, and ends when it says so")
    func portions() throws {
        let reactor = try Reactor()
        let event = EventDescriptor()
        var (portions, timers, signals) = (0, 0, 0)
        try reactor.watch(event.descriptor, .reading) { _ in
            event.clear()
            signals += 1
        }
        reactor.every(1_000_000) { timers += 1 }
        reactor.perform(inPortions: {
            portions += 1
            event.signal()
            return timers < 5
        })
        reactor.after(20_000_000) {}
        while timers < 5 || signals < portions { reactor.runOnce(milliseconds: 1000) }
        #expect(portions >= 1)
        #expect(signals == portions)
        let before = portions
        reactor.after(1_000_000) { reactor.stop() }
        Self.run(reactor)
        #expect(portions == before)
    }

    @Test("signals arrive as calls on the reactor's thread")
    func signals() throws {
        let reactor = try Reactor()
        var received: [Int32] = []
        let watch = try SignalWatch(reactor, [SIGHUP, SIGTERM]) { signal in
            received.append(signal)
            if received.count == 2 { reactor.stop() }
        }
        pthread_kill(pthread_self(), SIGHUP)
        pthread_kill(pthread_self(), SIGTERM)
        Self.run(reactor)
        #expect(Set(received) == [SIGHUP, SIGTERM])
        withExtendedLifetime(watch) {}
    }

    @Test("another thread wakes the reactor through an event descriptor")
    func crossThread() throws {
        let reactor = try Reactor()
        let event = EventDescriptor()
        try reactor.watch(event.descriptor, .reading) { [unowned reactor] _ in reactor.stop() }
        var thread = pthread_t()
        let pointer = Unmanaged.passRetained(event).toOpaque()
        pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<EventDescriptor>.fromOpaque(pointer!).takeRetainedValue().signal()
                return nil
            }, pointer)
        Self.run(reactor)
        pthread_join(thread, nil)
    }

    @Test("watching a descriptor that is not open is an error that says so")
    func badDescriptor() throws {
        let reactor = try Reactor()
        #expect(throws: SystemError.self) { try reactor.watch(1_000_000, .reading) { _ in } }
    }
}
