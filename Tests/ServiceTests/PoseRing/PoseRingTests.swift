import Estimation
import Glibc
import JSON
import Linux
import Messages
import Model
import Engine
import Service
import Synchronization
import TestTools
import Testing
import WaymarkClient

@Suite("Pose ring")
struct PoseRingTests {
    private func json(_ message: Waymark.Pose) -> String {
        var json = JSONWriter()
        message.write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    // MARK: contents

    @Test("a pose of the ring is the message of the same sequence number")
    func contents() throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        #expect(ring.newest == nil)
        var bare = RingPoses.pose(2)
        bare.geodetic = nil
        bare.velocityENU = nil
        bare.headingReference = .none
        bare.accuracy = PoseAccuracy(horizontal: nil, vertical: .nan, yaw: .infinity)
        bare.motion = MotionEstimate(kind: .riding, probability: .nan)
        bare.reasons = []
        for (index, pose) in [RingPoses.pose(1), bare].enumerated() {
            let offset: Int64? = index == 0 ? 1_782_000_000_000_000_000 : nil
            server.perform { $0.writer?.write(pose, utcOffset: offset, terms: nil) }
            let read = try #require(ring.newest)
            let expected = pose.message(sequence: UInt64(index + 1), utcOffset: offset)
            #expect(json(read.message) == json(expected))
            #expect(read.time == pose.time.nanoseconds && read.map == nil)
        }
    }

    @Test("words have the numbers of the interface", arguments: 0..<4)
    func words(number: Int) throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        var pose = RingPoses.pose(0)
        let raw = UInt8(number)
        pose.state = try #require(TrackingState(rawValue: raw))
        pose.orientationTracking = TrackingQuality(rawValue: raw) ?? .invalid
        pose.headingReference = HeadingReference(rawValue: raw) ?? .none
        pose.motion = Motion(rawValue: raw).map { MotionEstimate(kind: $0, probability: 1) }
        pose.reasons = LimitingReasons(rawValue: 1 << UInt32(number))
        pose.sources = AidingSources(rawValue: 1 << UInt16(number))
        let sent = pose
        server.write([sent])
        let read = try #require(ring.newest)
        #expect(read.message.state.rawValue == raw && read.state == pose.state.message)
        #expect(json(read.message) == json(pose.message(sequence: 1)))
    }

    @Test("the map is that of the newest frame of the same generation")
    func map() throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        let origin = try #require(RingPoses.pose(0).geodetic)
        let frame = FrameEstimate(
            generation: 1, origin: origin, published: SceneAlignment(yaw: .pi / 6, translation: .init(1, 2, 3)),
            target: SceneAlignment(yaw: 0, translation: .zero), slewEnd: nil)
        var other = RingPoses.pose(2)
        other.generation = 2
        let last = other
        server.perform { service in
            service.writer?.take(frame)
            service.writer?.write(RingPoses.pose(1), utcOffset: nil, terms: nil)
            service.writer?.write(last, utcOffset: nil, terms: nil)
        }
        let map = try #require(ring.pose(sequence: 1)?.map)
        #expect(map.alignment == frame.published.message && map.origin == origin.message)
        #expect(ring.newest?.map == nil)
    }

    @Test("the ring has the last 64 poses, by number and by time")
    func past() throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        server.write(RingPoses.list(1..<201))
        #expect(ring.newest?.sequence == 200)
        for number in 137...200 {
            let pose = try #require(ring.pose(sequence: UInt64(number)))
            #expect(pose.time == RingPoses.pose(number).time.nanoseconds)
            #expect(ring.pose(at: pose.time)?.sequence == UInt64(number))
            #expect(ring.pose(at: pose.time + 4_999_999)?.sequence == UInt64(number))
        }
        #expect(ring.pose(sequence: 136) == nil && ring.pose(sequence: 201) == nil && ring.pose(sequence: 0) == nil)
        #expect(ring.pose(at: RingPoses.pose(136).time.nanoseconds) == nil)
    }

    @Test("without a client poses are counted and not written; the first client finds the newest")
    func unread() throws {
        let server = RingServer()
        server.perform { service in
            var asked = 0
            func terms() -> PredictionTerms? {
                asked += 1
                return nil
            }
            service.newest = { (RingPoses.pose(5), 7, nil) }
            for pose in RingPoses.list(1..<6) { service.take(pose, utcOffset: 7, terms: terms()) }
            #expect(asked == 0)
        }
        let ring = try Waymark.PoseRing(path: server.path)
        #expect(ring.newest?.sequence == 5 && ring.newest?.time == RingPoses.pose(5).time.nanoseconds)
        #expect(ring.pose(sequence: 4) == nil)
        server.perform { $0.take(RingPoses.pose(6), utcOffset: 7, terms: nil) }
        #expect(ring.newest?.sequence == 6 && ring.pose(sequence: 5) != nil)
    }

    // MARK: prediction

    @Test("a prediction is that of the daemon", arguments: [0, 1, 7, 20, 60, 99, 100, 101, 500])
    func prediction(milliseconds: Int) throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        var predictor = PosePredictor()
        for pose in RingPoses.list(1..<120) {
            predictor.add(pose)
            let terms = predictor.terms
            server.perform { $0.writer?.write(pose, utcOffset: 5, terms: terms) }
            let ahead = Double(milliseconds) * 1e-3
            let expected = try #require(predictor.predict(ahead: ahead))
            let found = try #require(ring.pose(atDisplayTime: pose.time.nanoseconds + Int64(milliseconds) * 1_000_000))
            expectEqual(found.message, expected.pose.message(sequence: found.sequence, utcOffset: 5))
            #expect(found.isClamped == expected.isClamped)
        }
        let newest = try #require(ring.newest)
        #expect(ring.pose(atDisplayTime: newest.time - 1)?.time == newest.time)
        #expect(ring.pose(atDisplayTime: .max)?.isClamped == true)
    }

    /// Position on the earth, heading and course are not predicted.
    private func expectEqual(_ found: Waymark.Pose, _ expected: Waymark.Pose) {
        func near(_ left: Double, _ right: Double) -> Bool { abs(left - right) <= 1e-9 }
        func near(_ left: Double?, _ right: Double?) -> Bool { near(left ?? -1, right ?? -1) }
        func near(_ left: Waymark.Vector, _ right: Waymark.Vector) -> Bool {
            near(left.x, right.x) && near(left.y, right.y) && near(left.z, right.z)
        }
        #expect(found.time == expected.time && found.utc == expected.utc)
        #expect(near(found.position, expected.position) && near(found.linearVelocity, expected.linearVelocity))
        #expect(near(found.angularVelocity, expected.angularVelocity))
        let (a, b) = (found.orientation, expected.orientation)
        #expect(near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z) && near(a.w, b.w))
        let (c, d) = (found.accuracy, expected.accuracy)
        #expect(near(c.horizontalAccuracy, d.horizontalAccuracy) && near(c.verticalAccuracy, d.verticalAccuracy))
        #expect(near(c.orientationYawAccuracy, d.orientationYawAccuracy))
        #expect(near(c.horizontalVelocityAccuracy, d.horizontalVelocityAccuracy))
        #expect(near(c.verticalVelocityAccuracy, d.verticalVelocityAccuracy))
        #expect(near(c.angularVelocityAccuracy, d.angularVelocityAccuracy))
    }

    // MARK: waiting, end and restart

    @Test("a thread that waits is woken by the next pose, and by each after it")
    func waiting() throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        let seen = Mutex<[UInt64]>([])
        let waiter = WorkerThread(name: "waiter") { _ in
            var last: Waymark.RingPose?
            while last?.sequence != 200, let next = ring.wait(after: last, timeout: .seconds(60)) {
                seen.withLock { $0.append(next.sequence) }
                last = next
            }
        }
        for index in 1...200 {
            server.write([RingPoses.pose(index)])
            while seen.withLock({ $0.last }) != UInt64(index), !waiter.hasEnded { usleep(100) }
        }
        #expect(seen.withLock { $0 } == Array(1...200))
        #expect(ring.wait(after: ring.newest, timeout: .milliseconds(20)) == nil)
    }

    @Test("after the daemon's end the last pose stays readable, and its successor's poses follow")
    func restart() throws {
        let folder = ScratchFolder()
        let first = RingServer(in: folder)
        let ring = try Waymark.PoseRing(path: first.path)
        first.write(RingPoses.list(1..<10))
        let last = try #require(ring.newest)
        #expect(ring.isConnected && ring.problem == nil)
        first.end()
        while ring.isConnected { usleep(1000) }
        #expect(ring.newest?.sequence == 9 && ring.problem != nil)
        #expect(ring.wait(after: last, timeout: .milliseconds(30)) == nil)
        let second = RingServer(in: folder)
        second.write([RingPoses.pose(3)])
        let next = try #require(ring.wait(after: last, timeout: .seconds(60)))
        #expect(next.sequence == 1 && next.daemonGeneration != last.daemonGeneration)
        #expect(ring.isConnected && ring.problem == nil)
    }

    // MARK: clients

    @Test("there are no more clients than the limits allow, and one that goes makes room")
    func limits() throws {
        for server in [RingServer(clients: 2), RingServer(ofUser: 2)] {
            var rings = [try Waymark.PoseRing(path: server.path), try Waymark.PoseRing(path: server.path)]
            #expect(throws: WaymarkError.ringLimitReached) { try Waymark.PoseRing(path: server.path) }
            #expect(server.clientCount == 2)
            rings.removeLast()
            while server.clientCount == 2 { usleep(1000) }
            rings.append(try Waymark.PoseRing(path: server.path))
            #expect(server.clientCount == 2)
        }
    }

    @Test("where the settings want no ring, a client gets that answer")
    func off() throws {
        let server = RingServer(isEnabled: false)
        #expect(throws: WaymarkError.ringOff) { try Waymark.PoseRing(path: server.path) }
        #expect(server.clientCount == 0)
    }

    @Test("without a daemon the error names the path")
    func unreachable() {
        let folder = ScratchFolder()
        let path = folder.path + "/none"
        #expect(throws: WaymarkError.unreachable(path: path, reason: "No such file or directory")) {
            try Waymark.PoseRing(path: path)
        }
    }

    // MARK: cost

    @Test("writing and reading poses takes nothing from the heap")
    func allocations() throws {
        let server = RingServer()
        let ring = try Waymark.PoseRing(path: server.path)
        server.write(RingPoses.list(1..<3))
        _ = ring.pose(atDisplayTime: 0)
        let poses = RingPoses.list(3..<100)
        server.perform { service in
            var predictor = PosePredictor()
            for pose in poses { predictor.add(pose) }
            let before = AllocationCount.now
            for pose in poses { service.writer?.write(pose, utcOffset: 1, terms: predictor.terms) }
            #expect(AllocationCount.now == before)
        }
        let before = AllocationCount.now
        var sum = 0.0
        for index in 0..<1000 { sum += ring.pose(atDisplayTime: 2_000_000_000 + Int64(index))?.position.x ?? 0 }
        #expect(AllocationCount.now == before && sum.isFinite)
    }
}
