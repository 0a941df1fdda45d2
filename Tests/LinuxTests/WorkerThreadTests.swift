import Foundation
import Linux
import Synchronization
import Testing

@Suite struct WorkerThreadTests {
    @Test("a worker runs its body and ends when it is asked to")
    func endsOnRequest() {
        let rounds = Atomic(0)
        let worker = WorkerThread(name: "test-rounds") { flag in
            while !flag.wait(seconds: 0.001) { rounds.add(1, ordering: .relaxed) }
        }
        while rounds.load(ordering: .relaxed) < 3 { usleep(1000) }
        #expect(!worker.hasEnded)
        #expect(worker.stop(timeoutSeconds: 5))
        #expect(worker.hasEnded)
    }

    @Test("stop does not wait longer than its timeout for a body that is held up")
    func boundedStop() {
        let release = StopFlag()
        let worker = WorkerThread(name: "test-held") { _ in while !release.isSet { release.wait(seconds: 30) } }
        // The body ends only after it has returned.
        #expect(!worker.stop(timeoutSeconds: 0.05))
        release.set()
        #expect(worker.stop(timeoutSeconds: 5))
    }

    @Test("a wait ends early when the other descriptor becomes readable")
    func waitsOnDescriptor() {
        let flag = StopFlag()
        let event = EventDescriptor()
        #expect(!flag.wait(seconds: 0.001, orReadable: event.descriptor))
        event.signal()
        #expect(flag.wait(seconds: 30, orReadable: event.descriptor))
        flag.set()
        #expect(flag.wait(seconds: 30))
    }

    @Test("a write into a broken pipe is an error in a worker, not the end of the process")
    func brokenPipe() {
        let result = Atomic<Int32>(0)
        let worker = WorkerThread(name: "test-pipe") { _ in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return }
            close(ends[0])
            let count = write(ends[1], "x", 1)
            result.store(count < 0 ? errno : -1, ordering: .releasing)
            close(ends[1])
        }
        #expect(worker.stop(timeoutSeconds: 5))
        #expect(result.load(ordering: .acquiring) == EPIPE)
    }

    @Test("the name is cut to what the kernel takes")
    func longName() {
        let name = Mutex("")
        let worker = WorkerThread(name: "a-very-long-thread-name") { _ in
            let text = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
            name.withLock { $0 = text }
        }
        #expect(worker.stop(timeoutSeconds: 5))
        #expect(name.withLock { $0 } == "a-very-long-thr\n")
    }
}
