import Linux
import Messages
import Model
import Service
import Testing
import WaymarkInterface

@Suite("Sources of aiding measurements")
struct AidSourcesTests {
    /// Client, and user, of a source.
    private static let client: UInt64 = 7
    private static let user: UInt32 = 1000
    private static let start: Int64 = 1_000_000_000_000

    /// An instant of the tests.
    private func time(_ milliseconds: Int64) -> BootTime {
        BootTime(nanoseconds: Self.start + milliseconds * 1_000_000)
    }

    private func source(
        _ name: String, _ kinds: WordSet<AidInterface.AidKind> = [.odometry, .height], latency: Double? = nil,
        client: UInt64 = client, user: UInt32 = user
    ) throws -> AidSourceRecord {
        let request = AidInterface.Open(source: name, kinds: kinds, bodyFromSensor: nil, latency: latency)
        return try AidSourceRecord(
            request, name: try #require(SourceName(name)), client: client, user: user, at: time(0))
    }

    private func sources(_ opened: AidSourceRecord...) throws -> AidSources {
        var sources = AidSources()
        for source in opened { try sources.open(source) }
        return sources
    }

    private func pose(at stamp: BootTime, x: Double = 0) -> AidInterface.OfferOdometry {
        AidInterface.OfferOdometry(
            source: "camera", time: stamp.message, position: AidInterface.Vector(x: x, y: 0, z: 0),
            orientation: AidInterface.Quaternion(x: 0, y: 0, z: 0, w: 1), reset: nil, tracking: nil)
    }

    private func height(of source: String = "camera", at stamp: BootTime) -> AidInterface.OfferHeight {
        AidInterface.OfferHeight(source: source, time: stamp.message, height: 450, accuracy: 1)
    }

    /// Why an offer is refused; nil where it is not.
    private func refusal(
        _ sources: inout AidSources, _ offer: some AidOffer, client: UInt64 = client, at now: BootTime
    ) -> AidInterface.Failure? {
        do throws(AidInterface.Failure) {
            _ = try sources.take(offer, client: client, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("an accepted offer has the source, the time of the exposure and the time at which it came")
    func accepted() throws {
        var sources = try sources(source("camera", latency: 0.02))
        let measurement = try sources.take(pose(at: time(-30)), client: Self.client, at: time(1))
        #expect(measurement.source == .camera && measurement.time == time(-50) && measurement.arrival == time(1))
        let shown = try #require(sources.messages(at: time(50)).first)
        #expect(shown.source == "camera" && shown.user == 1000 && shown.accepted == 1 && shown.refused.isEmpty)
        #expect(shown.age == time(50).seconds(since: time(-50)) && shown.kinds == [.odometry, .height])
    }

    @Test("a latency of more than a second is refused")
    func latency() {
        #expect(throws: AidInterface.Failure.outOfRange(field: "latency")) { try source("camera", latency: 1.1) }
    }

    @Test("what is wrong with an offer has a name, and is counted by cause with the most recent first")
    func refused() throws {
        var sources = try sources(source("camera", [.odometry]))
        let now = time(0)
        #expect(refusal(&sources, height(at: now), at: now) == .kindNotDeclared(kind: OpenWord(.height)))
        #expect(refusal(&sources, pose(at: time(51)), at: now) == .timeInFuture(ahead: time(51).seconds(since: now)))
        #expect(
            refusal(&sources, pose(at: time(-2600)), at: now)
                == .tooOld(age: now.seconds(since: time(-2600)), maximum: 2.5))
        #expect(refusal(&sources, pose(at: now, x: 1.1e5), at: now) == .outOfRange(field: "position"))
        #expect(refusal(&sources, pose(at: now, x: .infinity), at: now) == .outOfRange(field: "position"))
        #expect(refusal(&sources, pose(at: time(50)), at: now) == nil)
        #expect(refusal(&sources, pose(at: time(50)), at: now) == .outOfOrder(newest: time(50).message))
        #expect(refusal(&sources, pose(at: time(49)), at: now) == .outOfOrder(newest: time(50).message))
        var wrong = pose(at: now)
        wrong.time.nsec = -1
        #expect(refusal(&sources, wrong, at: now) == .outOfRange(field: "time"))
        wrong = pose(at: now)
        wrong.orientation.w = 1.02
        #expect(refusal(&sources, wrong, at: now) == .invalidRotation(field: "orientation"))
        let shown = try #require(sources.messages(at: now).first)
        #expect(
            shown.refused.map { "\($0.error.split(separator: ".").last ?? "") \($0.number)" } == [
                "InvalidRotation 1", "OutOfRange 3", "OutOfOrder 2", "TooOld 1", "TimeInFuture 1", "KindNotDeclared 1",
            ])
        #expect(shown.accepted == 1)
    }

    @Test("only odometry has to come in the order of its times")
    func order() throws {
        var sources = try sources(source("camera"))
        #expect(refusal(&sources, height(at: time(0)), at: time(0)) == nil)
        #expect(refusal(&sources, height(at: time(-100)), at: time(0)) == nil)
        #expect(refusal(&sources, pose(at: time(-50)), at: time(0)) == nil)
    }

    @Test("a source belongs to its connection, and ends with it or when it is closed")
    func ownership() throws {
        var sources = try sources(source("camera"), source("floor"))
        let notOpen = AidInterface.Failure.sourceNotOpen(source: "camera")
        #expect(refusal(&sources, pose(at: time(0)), client: 8, at: time(0)) == notOpen)
        #expect(throws: notOpen) { try sources.close("camera", client: 8) }
        #expect(throws: AidSources.Refusal.alreadyOpen) { try sources.open(try source("camera", client: 8)) }
        try sources.close("camera", client: Self.client)
        #expect(refusal(&sources, pose(at: time(0)), at: time(0)) == notOpen)
        try sources.open(try source("camera", client: 8))
        sources.closeAll(of: Self.client)
        #expect(sources.messages(at: time(0)).map(\.source) == ["camera"])
        #expect(refusal(&sources, height(of: "No name", at: time(0)), at: time(0)) == .sourceNotOpen(source: "No name"))
    }

    @Test("no user has more than half of the sources, the last are for root, and a closed one is free again")
    func shares() throws {
        var sources = AidSources()
        func open(_ prefix: String, user: UInt32) -> (number: Int, refusal: AidSources.Refusal?) {
            for number in 0..<20 {
                do {
                    try sources.open(try source("\(prefix)\(number)", user: user))
                } catch {
                    return (number, error as? AidSources.Refusal)
                }
            }
            return (20, nil)
        }
        #expect(open("a", user: 1000) == (8, .limit(.ofUser(8))))
        #expect(open("b", user: 1001) == (6, .limit(.all(14))))
        #expect(open("c", user: 0) == (2, .limit(.all(16))))
        try sources.close("a3", client: Self.client)
        try sources.open(try source("d", user: 0))
        sources.closeAll(of: Self.client)
        #expect(open("e", user: 1001).number == 8)
    }

    @Test("a source offers at most 250 a second, whatever it sends, and another is not affected")
    func rate() throws {
        var sources = try sources(source("camera"), source("floor"))
        func accepted(_ number: Int64, at now: BootTime) -> Int {
            (0..<number).count { _ in refusal(&sources, height(at: now), at: now) == nil }
        }
        #expect(accepted(400, at: time(0)) == 250)
        #expect(refusal(&sources, height(at: time(0)), at: time(0)) == .tooManyOffers(maximum: 250))
        #expect(refusal(&sources, height(of: "floor", at: time(0)), at: time(0)) == nil)
        // A tenth of a second later a tenth of them is there again, and never more than all.
        #expect(accepted(400, at: time(100)) == 25)
        #expect(accepted(400, at: time(60_000)) == 250)
    }

    @Test("nothing is refused of a steady 240 offers a second")
    func steady() throws {
        var sources = try sources(source("camera"))
        for number in 0..<2400 as Range<Int64> {
            let now = time(number * 1000 / 240)
            #expect(refusal(&sources, pose(at: now), at: now) == nil)
        }
    }
}
