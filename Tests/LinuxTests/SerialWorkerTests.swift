import Linux
import Synchronization
import Testing

@Suite("Serial worker")
struct SerialWorkerTests {
    @Test("work is done in order, off the reactor, and its results are delivered on it")
    func order() throws {
        let reactor = try Reactor()
        let worker = try SerialWorker(reactor, name: "test")
        var outcomes: [Int] = []
        for number in 0..<100 {
            worker.perform {
                number
            } then: {
                outcomes.append($0)
                if $0 == 99 { reactor.stop() }
            }
        }
        #expect(worker.waiting == 100)
        reactor.run()
        #expect(outcomes == Array(0..<100))
        #expect(worker.waiting == 0)
        #expect(worker.end(timeoutSeconds: 5))
    }

    @Test("slow work does not hold up the reactor")
    func slow() throws {
        let reactor = try Reactor()
        let worker = try SerialWorker(reactor, name: "test")
        let gate = StopFlag()
        var ticks = 0
        worker.perform {
            _ = gate.wait(seconds: 60)
        } then: {
            reactor.stop()
        }
        reactor.every(1_000_000) {
            ticks += 1
            if ticks == 20 { gate.set() }
        }
        reactor.run()
        #expect(ticks >= 20)
    }

    @Test("what waits when the end is asked for is still done")
    func end() throws {
        let reactor = try Reactor()
        let worker = try SerialWorker(reactor, name: "test")
        let count = Counter()
        for _ in 0..<50 {
            worker.perform {
                count.add()
            } then: {
            }
        }
        worker.requestEnd()
        #expect(worker.end(timeoutSeconds: 5))
        #expect(count.value == 50)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }
}
