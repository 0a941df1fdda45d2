import CPoseRing
import Glibc
import Linux
import Synchronization
import Testing

/// Each client has a futex of its own, at which a pose wakes a bounded number of its threads.
@Suite("Waking the clients of the pose ring")
struct RingWakingTests {
    private static let bound = Int(WAYMARK_RING_WAKES)
    private static let threads = 300

    /// Writes poses, each as soon as a thread of the client has been woken by the one before it.
    private func expectEachWakes(_ client: WaitingRingClient, _ server: RingServer, poses: UInt64 = 200) {
        let seen = Mutex<UInt64>(0)
        let sleeper = Crowd(1) { _ in
            while true {
                let known = seen.withLock { $0 }
                guard known < poses, client.sleep(after: known) == .newer else { return }
                seen.withLock { $0 = client.newest }
            }
        }
        for number in 1...poses {
            server.write([RingPoses.pose(Int(number))])
            while seen.withLock({ $0 }) < number, sleeper.running > 0 { usleep(100) }
        }
        sleeper.join()
        #expect(seen.withLock { $0 } == poses)
    }

    @Test("beside a client with hundreds of waiting threads another is woken by each pose, and they all see the last")
    func crowd() throws {
        let server = RingServer()
        let crowded = try WaitingRingClient(server)
        let last: UInt64 = 200
        let late = Mutex(0)
        let crowd = Crowd(Self.threads) { _ in
            var known: UInt64 = 0
            while known < last, crowded.wait(after: known) { known = crowded.newest }
            if known < last { late.withLock { $0 += 1 } }
        }
        expectEachWakes(try WaitingRingClient(server), server, poses: last)
        crowd.join()
        #expect(late.withLock { $0 } == 0)
    }

    @Test("a pose wakes a bounded number of threads, and the poses after it the others")
    func bound() throws {
        let server = RingServer()
        let client = try WaitingRingClient(server)
        let ready = Mutex(0)
        let overslept = Mutex(0)
        let crowd = Crowd(Self.threads) { _ in
            let before = waymark_ring_set_doorbell(client.doorbell)
            ready.withLock { $0 += 1 }
            // One sleep: no thread sets the doorbell for those that are left asleep.
            if !waymark_ring_sleep(client.doorbell, before, WaitingRingClient.patience) {
                overslept.withLock { $0 += 1 }
            }
        }
        while ready.withLock({ $0 }) < Self.threads { usleep(1000) }
        var most = 0
        while crowd.running > 0 {
            // As the daemon does with each pose.
            most = max(most, Int(waymark_ring_wake(client.doorbell)))
            usleep(1000)
        }
        #expect(most <= Self.bound && overslept.withLock { $0 } == 0)
    }

    @Test("a client that writes ones into its doorbell all the time disturbs no other")
    func scribbler() throws {
        let server = RingServer()
        let scribbler = try WaitingRingClient(server)
        let isOver = StopFlag()
        let scribbling = Crowd(1) { _ in
            while !isOver.isSet { scribbler.words.update(repeating: .max) }
        }
        expectEachWakes(try WaitingRingClient(server), server)
        isOver.set()
        scribbling.join()
    }

    @Test("the end of the daemon wakes the threads of all clients")
    func end() throws {
        let server = RingServer()
        let clients = [try WaitingRingClient(server), try WaitingRingClient(server)]
        server.write([RingPoses.pose(1)])
        let ended = Mutex(0)
        let crowd = Crowd(20) { index in
            if clients[index % 2].sleep(after: 1) == .ended { ended.withLock { $0 += 1 } }
        }
        server.end()
        crowd.join()
        #expect(ended.withLock { $0 } == 20)
    }
}
