import CAllocations
import Geodesy
import Geometry
import JSON
import Messages
import Model
import Scene
import Simulation
import Testing
import WaymarkInterface

/// The generated writers against those that are written by hand, for as long as there are both.
@Suite("Generated writers write the bytes of those written by hand") struct SameBytesTests {
    /// What both write of one value.
    private static func same(
        _ message: some JSONWritable, _ precision: NumberPrecision = .rounded, _ byHand: (inout JSONWriter) -> Void
    ) -> Bool {
        var (generated, expected) = (JSONWriter(precision: precision), JSONWriter())
        message.write(into: &generated)
        byHand(&expected)
        return generated.bytes == expected.bytes
    }

    private static func vector(_ random: inout RandomSource, _ size: Double) -> Vector3 {
        Vector3(size * random.normal(), size * random.normal(), size * random.normal())
    }

    private static func position(_ random: inout RandomSource) -> GeodeticPosition? {
        GeodeticPosition(
            latitudeDegrees: random.uniform(in: -89...89), longitudeDegrees: random.uniform(in: -179...179),
            ellipsoidalHeight: 1000 * random.normal())
    }

    /// Nil now and then, and seldom no number.
    private static func maybe(_ random: inout RandomSource, _ value: Double) -> Double? {
        let share = random.uniform()
        return share < 0.3 ? nil : share < 0.35 ? .nan : value
    }

    static func pose(_ random: inout RandomSource) -> PoseEstimate {
        let references: [HeadingReference] = [.none, .magneticNorth, .trueNorth]
        let states: [TrackingState] = [.initializing, .aligning, .localized, .limited]
        let qualities: [TrackingQuality] = [.invalid, .inferred, .tracked]
        let modes: [Motion] = [.atRest, .onFoot, .riding]
        func pick<Element>(_ list: [Element]) -> Element { list[Int(random.next() % UInt64(list.count))] }
        return PoseEstimate(
            time: BootTime(nanoseconds: Int64(truncatingIfNeeded: random.next()) / 4),
            generation: UInt32(pick([0, 7])),
            rotationSceneFromBody: Rotation3.exp(vector(&random, 1)), positionInScene: vector(&random, 1000),
            velocityInScene: vector(&random, 1), angularVelocityInBody: vector(&random, 0.1),
            rotationENUFromBody: Rotation3.exp(vector(&random, 1)),
            velocityENU: random.uniform() < 0.2 ? nil : vector(&random, 1),
            geodetic: random.uniform() < 0.2 ? nil : position(&random), headingReference: pick(references),
            accuracy: PoseAccuracy(
                horizontal: maybe(&random, 3), vertical: maybe(&random, 4.56789), yaw: maybe(&random, 0.1),
                velocityHorizontal: maybe(&random, 0.12345678), velocityVertical: maybe(&random, 0.2),
                angularVelocity: maybe(&random, 0.00123456789)),
            orientationTracking: pick(qualities), positionTracking: pick(qualities), state: pick(states),
            reasons: LimitingReasons(rawValue: UInt32(random.next() & 0xFFFF)),
            sources: AidingSources(rawValue: UInt16(random.next() & 0x7F)),
            motion: random.uniform() < 0.2
                ? nil : MotionEstimate(kind: pick(modes), probability: maybe(&random, 0.98765) ?? 1))
    }

    private static func frame(_ random: inout RandomSource) -> FrameEstimate {
        func alignment() -> SceneAlignment {
            SceneAlignment(yaw: random.normal(), translation: vector(&random, 100))
        }
        let cause = FrameCause.allCases[Int(random.next() % 15)]
        var frame = FrameEstimate(
            generation: 2, origin: random.uniform() < 0.3 ? nil : position(&random), published: alignment(),
            target: alignment(), slewEnd: random.uniform() < 0.5 ? nil : BootTime(nanoseconds: 99_000_000_001),
            before: alignment(), causes: FrameCauses(rawValue: UInt16(random.next() & 0x7FFF)),
            mainCause: random.uniform() < 0.5 ? nil : cause)
        frame.horizontalAccuracy = maybe(&random, 2.3456789)
        frame.yawAccuracy = maybe(&random, 0.1)
        return frame
    }

    private static let precisions: [(NumberPrecision, MessagePrecision)] = [(.rounded, .rounded), (.exact, .exact)]

    @Test("poses, rounded and exact") func poses() {
        var random = RandomSource(seed: 1)
        for number in 0..<2000 {
            let pose = Self.pose(&random)
            let offset: Int64? = number % 3 == 0 ? nil : 1_782_000_000_000_000_000
            for (precision, byHand) in Self.precisions {
                let message = pose.message(sequence: UInt64(number), utcOffset: offset)
                #expect(
                    Self.same(message, precision) {
                        PoseMessage.write(
                            pose, sequence: UInt64(number), utcOffset: offset, precision: byHand, into: &$0)
                    })
            }
        }
    }

    @Test("frames, rounded and exact") func frames() {
        var random = RandomSource(seed: 2)
        for number in 0..<500 {
            let frame = Self.frame(&random)
            let time = BootTime(nanoseconds: Int64(number) * 123_456_789)
            for (precision, byHand) in Self.precisions {
                #expect(
                    Self.same(frame.message(sequence: UInt64(number), time: time), precision) {
                        FrameMessage.write(frame, sequence: UInt64(number), time: time, precision: byHand, into: &$0)
                    })
            }
        }
    }

    @Test("the count of missed messages goes in at the mark") func missed() {
        var random = RandomSource(seed: 3)
        let pose = Self.pose(&random)
        var (generated, byHand) = (JSONWriter(), JSONWriter())
        pose.message(sequence: 7).write(into: &generated)
        let place = PoseMessage.write(pose, sequence: 7, into: &byHand)
        #expect(generated.marks == [place])
    }

    @Test("corrections of the frame") func corrections() {
        var random = RandomSource(seed: 4)
        var withEvidence = 0
        for number in 0..<500 {
            let time = BootTime(nanoseconds: Int64(number))
            let reading = HeadingReading(
                time: time, correction: 0.1, deviation: 0.02, pairs: 7,
                velocities: HeadingPairs(count: 4, correction: Self.maybe(&random, 0.3), deviation: 0.1),
                positions: random.uniform() < 0.5 ? nil : HeadingPairs(count: 3, correction: nil, deviation: 0.2),
                yaw: 1)
            let correction = FrameCorrection(
                Self.frame(&random), at: time, wearer: Self.vector(&random, 10),
                monitor: random.uniform() < 0.3 ? nil : reading)
            withEvidence += correction.evidence == nil ? 0 : 1
            let effect = Self.position(&random).flatMap(correction.effect)
            #expect(
                Self.same(correction.message(utcOffset: 5, effect: effect)) {
                    CorrectionMessage.write(correction, utcOffset: 5, effect: effect, into: &$0)
                })
        }
        #expect(withEvidence > 50)
    }

    @Test("the scene of a stroll along a route, and its revisions at the marks") func scenes() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0.03)
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5), radarRange: 300)
        let settings = SceneSettings().placements
        var (generated, byHand) = (JSONWriter(), JSONWriter())
        var count = 0
        for number in 0..<300 {
            if number == 20 { for event in Self.events { view.add(event) } }
            let content = try stroll.scene(number * 12)
            guard let update = view.update(to: content, settings: settings) else { continue }
            generated.removeAll()
            byHand.removeAll()
            update.message.write(into: &generated)
            let places = SceneMessage.write(update, into: &byHand)
            #expect(generated.bytes == byHand.bytes, "message \(number)")
            #expect(generated.marks == places)
            count += 1
        }
        #expect(count > 200)
    }

    private static var events: [TimedEvent] {
        var random = RandomSource(seed: 5)
        let turn = RouteTurn(alongRoute: 50, angle: 1)
        let correction = FrameCorrection(
            frame(&random), at: BootTime(nanoseconds: 7), wearer: Vector3(1, 2, 3))
        let happened: [SceneEvent] = [
            .proximity(ProximityEvent(kind: .entered, id: "a", name: "A \"b\"", distance: 12.34)),
            .proximity(ProximityEvent(kind: .left, id: "a", name: "", distance: .nan)),
            .announcement(Announcement(kind: .turn, routeID: "r", name: "Home", distance: 40, side: .left, grade: 1)),
            .announcement(Announcement(kind: .backOnRoute, routeID: "r", name: "Home")),
            .turnAhead(TurnAhead(routeID: "r", turn: turn, distance: 99)), .route(id: "r", state: .offRoute),
            .route(id: "r", state: .following), .correction(correction),
            .readiness(FrameReadiness(state: .lost, reasons: [.poorGNSS, .settling])), .anchorLost(id: "x"),
            .anchorMoved(id: "y", distance: 12.34),
        ]
        return happened.map { TimedEvent(time: BootTime(nanoseconds: 5_000_000_007), event: $0) }
    }

    @Test("every event") func eventsAlone() {
        for event in Self.events { #expect(Self.same(event.message) { EventMessage.write(event, into: &$0) }) }
    }

    @Test("a route before and after its last turn") func routes() throws {
        let stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        for (east, north) in [(0.0, 0.0), (1, 30), (60, 50), (120, -40), (120, -60), (500, 500)] {
            let status = try stroll.status(east: east, north: north)
            #expect(Self.same(status.message) { RouteMessage.write(status, into: &$0) })
        }
    }

    @Test(
        "a writer that has written a pose writes the next without the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() {
        var json = JSONWriter()
        var random = RandomSource(seed: 6)
        let pose = Self.pose(&random)
        var taken: [UInt64] = [0, 0]
        for round in 0..<2 {
            json.removeAll()
            let before = waymark_allocations()
            pose.message(sequence: 7, utcOffset: 1_782_000_000_000_000_000).write(into: &json)
            taken[round] = waymark_allocations() - before
        }
        #expect(taken[0] > 0, "the counter counts")
        #expect(taken[1] == 0)
    }
}

extension Stroll {
    func status(east: Double, north: Double) throws -> RouteStatus {
        var progress = progress
        progress.update(
            position: try #require(plane.position(ofENU: Vector3(east, north, 0))), horizontalAccuracy: 2)
        return RouteStatus(progress)
    }
}
