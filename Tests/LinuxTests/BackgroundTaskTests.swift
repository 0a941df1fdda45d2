import Linux
import Testing

@Suite("Background task")
struct BackgroundTaskTests {
    private typealias Task = BackgroundTask<Int, String>

    @Test("progress and result arrive on the reactor, and then the thread has ended")
    func result() throws {
        let reactor = try Reactor()
        var events: [String] = []
        let handlers = Task.Handlers(
            progress: { events.append("\($0)") }, end: { events.append($0) },
            release: {
                events.append("released")
                reactor.stop()
            })
        _ = try Task(reactor, name: "test", patience: 60, stuck: "stuck", handlers: handlers) { context in
            context.report(1)
            return "done"
        }
        reactor.run()
        #expect(events == ["1", "done", "released"])
    }

    @Test("work in a call that does not return is given up, and its thread ends when it can")
    func stuck() throws {
        let reactor = try Reactor()
        let gate = StopFlag()
        var events: [String] = []
        let handlers = Task.Handlers(
            end: {
                events.append($0)
                gate.set()
            },
            release: {
                events.append("released")
                reactor.stop()
            })
        _ = try Task(reactor, name: "test", patience: 0.1, stuck: "stuck", handlers: handlers) { context in
            context.clock.time { _ = gate.wait(seconds: 60) }
            return context.stop.isSet ? "asked to end" : "done"
        }
        reactor.run()
        // Nothing is reported twice.
        #expect(events == ["stuck", "released"])
    }

    @Test("work that takes long outside of such calls goes on")
    func slow() throws {
        let reactor = try Reactor()
        let gate = StopFlag()
        var outcome: String?
        let handlers = Task.Handlers(end: { outcome = $0 }, release: { reactor.stop() })
        _ = try Task(reactor, name: "test", patience: 0.1, stuck: "stuck", handlers: handlers) { _ in
            _ = gate.wait(seconds: 60)
            return "done"
        }
        // Longer than the interval of looks.
        reactor.after(1_000_000_000) { gate.set() }
        reactor.run()
        #expect(outcome == "done")
    }
}
