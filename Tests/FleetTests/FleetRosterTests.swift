import Fleet
import Glibc
import Geometry
import JSON
import Testing
import WaymarkInterface

@Suite("Fleet roster")
struct FleetRosterTests {
    /// 2026-06-21T00:00:00Z. Unit: ns.
    private static let midsummer: Int64 = 1_782_000_000_000_000_000
    private static let second: Int64 = 1_000_000_000

    private static func time(_ seconds: Int64) -> UTCTime { UTCTime(nanoseconds: midsummer + seconds * second) }

    /// A pose as a board publishes it, made of a wearer who walks.
    private static func pose(
        _ sequence: Int64, at seconds: Int64, sent: Int64? = nil, change: (inout PoseInterface.Pose) -> Void = { _ in }
    ) throws -> [UInt8] {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400))
        let walk = SimulatedWearer(number: 0, origin: origin)
        var pose = walk.pose(at: seconds * second)
        change(&pose)
        let geo = try #require(pose.geo)
        let position = try #require(
            GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height))
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let permitted = privacy.publish(position, horizontalAccuracy: 2, verticalAccuracy: 3, at: seconds * second)
        let published = try #require(permitted)
        var json = JSONWriter(capacity: 1024)
        let body = PoseMessage.members(pose, at: published, isCoarse: false, into: &json)
        return MessageHead(
            sequence: sequence, time: seconds * second, clock: ClockReading(offset: midsummer, quality: .gnss),
            sent: midsummer + (sent ?? seconds) * second
        ).message(body)
    }

    private static func roster(_ messages: [(String, String)], isRetained: Bool = false) -> FleetRoster {
        var roster = FleetRoster(root: "waymark")
        for (topic, payload) in messages {
            _ = roster.take(topic: topic, payload: Array(payload.utf8), isRetained: isRetained, now: time(100))
        }
        return roster
    }

    @Test("A pose that a board publishes is found with position, heading, accuracy, state and time")
    func poseFound() throws {
        var roster = FleetRoster(root: "waymark")
        let message = try Self.pose(7, at: 90)
        #expect(
            roster.take(topic: "waymark/ada/pose", payload: message, isRetained: false, now: Self.time(91)) == "ada")
        let wearer = try #require(roster.wearers["ada"])
        let pose = try #require(wearer.pose)
        // 126 m along blocks of 100 m by 60 m: eastwards, 26 m from the corner in the north.
        #expect(abs(try #require(pose.heading) - 90) < 0.01)
        #expect(abs(pose.position.latitudeDegrees - 47 - 100 / 111_170) < 1e-5)
        #expect(pose.sequence == 7 && pose.time == Self.time(90) && pose.clock == "gnss" && pose.delay == nil)
        #expect(pose.horizontalAccuracy == 2 && pose.headingAccuracy == 3 && pose.state == .localized)
        #expect(wearer.isOnline && wearer.lastSeen(now: Self.time(99)) == Self.time(91))
    }

    @Test(
        "The heading is that of the line of sight, and is missing for one along the vertical",
        arguments: [0.0, 1, 2, -3])
    func headingIsOfSight(turn: Double) throws {
        var roster = FleetRoster(root: "waymark")
        let message = try Self.pose(1, at: 0) { pose in
            pose.orientation = .init(x: 0, y: sin(-turn / 2), z: 0, w: cos(turn / 2))
            pose.heading = turn * 180 / .pi
        }
        _ = roster.take(topic: "waymark/ada/pose", payload: message, isRetained: false, now: Self.time(0))
        let heading = try #require(roster.wearers["ada"]?.pose?.heading)
        #expect(abs((heading - turn * 180 / .pi).remainder(dividingBy: 360)) < 1e-5)
        let upwards = try Self.pose(2, at: 1) { pose in
            pose.orientation = .init(x: 0.5.squareRoot(), y: 0, z: 0, w: 0.5.squareRoot())
        }
        _ = roster.take(topic: "waymark/ada/pose", payload: upwards, isRetained: false, now: Self.time(1))
        #expect(roster.wearers["ada"]?.pose?.sequence == 2)
        #expect(roster.wearers["ada"]?.pose?.heading == nil)
    }

    @Test("What comes again or out of order does not replace what is newer")
    func repetitions() throws {
        var roster = FleetRoster(root: "waymark")
        for (sequence, seconds) in [(5, 50), (4, 40), (5, 50), (6, 60), (5, 50)] as [(Int64, Int64)] {
            let message = try Self.pose(sequence, at: seconds)
            _ = roster.take(topic: "waymark/ada/pose", payload: message, isRetained: false, now: Self.time(70))
        }
        #expect(roster.wearers["ada"]?.pose?.sequence == 6)
        #expect(roster.wearers["ada"]?.track.count == 2)
    }

    @Test("A board that counts from 1 again is followed, since its time goes on")
    func newQueue() throws {
        var roster = FleetRoster(root: "waymark")
        for (sequence, seconds) in [(500, 50), (1, 60)] as [(Int64, Int64)] {
            let message = try Self.pose(sequence, at: seconds)
            _ = roster.take(topic: "waymark/ada/pose", payload: message, isRetained: false, now: Self.time(70))
        }
        #expect(roster.wearers["ada"]?.pose?.sequence == 1)
    }

    @Test("The way is bounded, and ends at the newest pose")
    func track() throws {
        var roster = FleetRoster(root: "waymark")
        for number in 1...500 as ClosedRange<Int64> {
            let message = try Self.pose(number, at: number * 10)
            _ = roster.take(topic: "waymark/ada/pose", payload: message, isRetained: false, now: Self.time(0))
        }
        let wearer = try #require(roster.wearers["ada"])
        #expect(wearer.track.count == 48)
        #expect(wearer.track.last == wearer.pose?.position)
    }

    @Test("A wearer whom the broker has lost differs from one who has left")
    func lostAndLeft() throws {
        let will = String(decoding: StateMessage.will, as: UTF8.self)
        let clock = ClockReading(offset: Self.midsummer, quality: .system)
        let farewell = String(decoding: StateMessage.farewell(time: 0, clock: clock), as: UTF8.self)
        let roster = Self.roster([("waymark/ada/state", will), ("waymark/bob/state", farewell)], isRetained: true)
        #expect(roster.wearers["ada"]?.isOnline == false && roster.wearers["ada"]?.state?.time == nil)
        #expect(roster.wearers["bob"]?.isOnline == false && roster.wearers["bob"]?.state?.time == Self.time(0))
        // A kept state is no sign of life: only the time in it counts.
        #expect(roster.wearers["ada"]?.lastSeen(now: Self.time(5)) == nil)
        #expect(roster.wearers["bob"]?.lastSeen(now: Self.time(5)) == Self.time(0))
        #expect(roster.wearers["bob"]?.lastSeen(now: Self.time(-5)) == Self.time(-5))
    }

    @Test("State, events and health are found as boards publish them")
    func others() throws {
        var state = StateMessage()
        (state.state, state.motion, state.readiness, state.hasDaemon, state.isWithheld) =
            (.limited, .foot, .ready, true, true)
        state.reasons.insert(.noGNSSData)
        let clock = ClockReading(offset: Self.midsummer, quality: .gnss)
        var health = HealthMessage()
        (health.counts.poses, health.counts.events, health.counts.droppedPoses, health.counts.lostEvents) = (3, 4, 5, 6)
        var json = JSONWriter(capacity: 1024)
        let event = SceneInterface.Event(
            time: PoseInterface.Time(nanoseconds: 0), kind: OpenWord(.arrived), id: "p/1", text: "Inn", distance: 0)
        let eventBody = EventMessage.members(event, at: nil, isCoarse: false, into: &json)
        let head = MessageHead(sequence: 9, time: Self.second, clock: clock, sent: Self.midsummer + Self.second)
        var roster = FleetRoster(root: "site/north")
        for (topic, payload) in [
            ("state", state.message(version: "1.2", time: 0, clock: clock)),
            ("health", health.message(time: 0, clock: clock)), ("event", head.message(eventBody)),
        ] {
            let taken = roster.take(
                topic: "site/north/ada/\(topic)", payload: payload, isRetained: false, now: Self.time(1))
            #expect(taken == "ada", "\(roster.lastRefusal ?? "")")
        }
        let wearer = try #require(roster.wearers["ada"])
        #expect(
            wearer.state?.state?.known == .limited && wearer.state?.motion?.known == .foot
                && wearer.state?.isWithheld == true)
        #expect(wearer.state?.reasons == WordSet([.noGNSSData]) && wearer.state?.version == "1.2")
        #expect(wearer.health?.waiting == 7 && wearer.health?.droppedPoses == 5 && wearer.health?.lostEvents == 6)
        #expect(wearer.event?.kind.known == .arrived && wearer.event?.text == "Inn" && wearer.event?.sequence == 9)
        var text = JSONWriter(capacity: 1024)
        wearer.write(into: &text)
        let read = try JSONReader.read(text.bytes)
        #expect(read["id"]?.string == "ada" && read["event"]?["text"]?.string == "Inn")
        #expect(read["health"]?["waiting"]?.number == 7 && read["state"]?["withheld"]?.bool == true)
    }

    @Test(
        "What is no message of a wearer is refused with a reason and changes nothing",
        arguments: [
            ("waymark/ada/pose", "", "ada/pose"), ("waymark/ada/pose", "{", "ada/pose"),
            ("waymark/ada/pose", "[]", "an object"), ("waymark/ada/pose", "{}", "\"time\" is missing"),
            ("waymark/ada/state", "{\"online\":1}", "true or false"),
            ("waymark/ada/event", "{\"time\":\"yesterday\",\"sequence\":1,\"kind\":\"arrived\"}", "a time in UTC"),
            ("waymark/ada/event", "{\"time\":\"2026-06-21T00:00:00Z\",\"sequence\":-1,\"kind\":\"x\"}", "a count"),
            ("waymark/ada/health", "{\"time\":\"2026-06-21T00:00:00Z\"}", "\"queue\" is missing"),
            ("waymark/ada/other", "{}", "a topic"), ("waymark/ada", "{}", "a topic"), ("", "", "a topic"),
            ("waymark/a b/state", "{}", "a topic"), ("waymark//state", "{}", "a topic"),
            ("waymark/ada/pose/x", "{}", "a topic"), ("waymarks/ada/pose", "{}", "a topic"),
            ("waymark/ada/state", String(repeating: "[", count: 50), "ada/state"),
            ("waymark/ada/state", "{\"online\":true,\"version\":\"" + String(repeating: "x", count: 70_000), "longer"),
        ])
    func refusals(topic: String, payload: String, reason: String) {
        let roster = Self.roster([(topic, payload)])
        #expect(roster.wearers.isEmpty && roster.refused == 1 && roster.taken == 0)
        #expect(roster.lastRefusal?.contains(reason) == true, "\(roster.lastRefusal ?? "")")
    }

    @Test(
        "A pose that cannot be one is refused",
        arguments: [
            (#""lat":47"#, #""lat":91"#), (#""lat":47"#, #""lat":"47""#), (#""w":"#, #""v":"#),
            (#""sequence":7"#, #""sequence":1e300"#), (#""horizontal":2"#, #""horizontal":-2"#),
            (#""sequence":7"#, #""sequence":7.5"#), (#""state":"localized""#, #""state":7"#),
        ])
    func poseRefused(part: String, replacement: String) throws {
        let text = String(decoding: try Self.pose(7, at: 0), as: UTF8.self)
        let changed = text.replacing(part, with: replacement)
        #expect(changed != text)
        let roster = Self.roster([("waymark/ada/pose", changed)])
        #expect(roster.refused == 1 && roster.wearers.isEmpty)
    }

    @Test("what was left out for its length is refused, and is no state that is forgotten")
    func leftOut() {
        var roster = FleetRoster(root: "waymark")
        let taken = roster.take(
            topic: "waymark/ada/state", payload: [], length: 1 << 28, isRetained: false, now: Self.time(1))
        #expect(taken == nil && roster.lastRefusal?.contains("longer than") == true)
    }

    @Test("An empty state removes a wearer of whom nothing else is known")
    func emptyState() {
        let state = ("waymark/ada/state", #"{"online":false}"#)
        #expect(Self.roster([state], isRetained: true).wearers.count == 1)
        #expect(Self.roster([state, ("waymark/ada/state", "")], isRetained: true).wearers.isEmpty)
    }

    @Test("The number of wearers is bounded, and those beyond it are counted")
    func bounded() {
        var roster = FleetRoster(root: "waymark")
        let state = Array(#"{"online":true}"#.utf8)
        for number in 0..<FleetRoster.maximumWearerCount + 10 {
            _ = roster.take(topic: "waymark/w\(number)/state", payload: state, isRetained: true, now: Self.time(0))
        }
        #expect(roster.wearers.count == FleetRoster.maximumWearerCount && roster.leftOut == 10)
        #expect(roster.take(topic: "waymark/w0/state", payload: state, isRetained: false, now: Self.time(1)) == "w0")
    }
}
