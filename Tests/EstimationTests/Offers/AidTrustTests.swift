import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Trust in sources of offers")
struct AidTrustTests {
    private static let liar = SourceName("liar")!
    private static let marker = SourceName("marker")!

    /// Positions at an interval: the truth with noise, moved by an offset.
    private static func positions(
        _ walk: Walk, of source: SourceName, from start: Double, by interval: Double = 1, offset: Vector3 = .zero,
        accuracy: Double = 1
    ) -> [(Double, Measurement)] {
        var random = Seeded(walk.seed + 50)
        return stride(from: start, to: walk.seconds, by: interval).map { t in
            let point = walk.truth(t).position + offset + random.vector(accuracy / PoseAccuracy.radius68)
            let position = OfferedPosition(
                position: Walk.plane.position(ofENU: point)!, hasHeight: false, horizontalAccuracy: accuracy,
                verticalAccuracy: 2 * accuracy)
            let aid = AidMeasurement(
                source: source, time: Fixture.time(t), arrival: Fixture.time(t), content: .position(position))
            return (t, .aid(aid))
        }
    }

    private static func together(_ own: [Measurement], _ offers: [(Double, Measurement)]) -> [Measurement] {
        let timed = own.map { ($0.arrival.seconds(since: Fixture.start), $0) } + offers
        return timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { $0.element.1 }
    }

    private static func feed(
        _ own: [Measurement], _ offers: [(Double, Measurement)]
    ) -> (poses: [PoseEstimate], trust: [OfferTrust]) {
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for measurement in together(own, offers) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        return (poses, odometry.aidTrust)
    }

    @Test("positions that claim 1 m and are 50 m off move the pose by less than 1 m, and are named within 10 s")
    func liar() throws {
        let walk = Walk(seconds: 60)
        let begin = 20.2
        let plain = Walk.poses(walk.measurements())
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        var named: Double?
        let offers = Self.positions(walk, of: Self.liar, from: begin, offset: Vector3(40, 30, 0))
        for measurement in Self.together(walk.measurements(), offers) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            guard named == nil, let trust = odometry.aidTrust.first, trust.state == .refused else { continue }
            named = poses.last?.seconds
            #expect(trust.source == Self.liar && trust.kind == .place && trust.cause == .contradictsEstimate)
        }
        #expect(try #require(named) - begin < 10)
        #expect(poses.count == plain.count)
        let farthest = zip(poses, plain).map { ($0.positionInScene - $1.positionInScene).norm }.max()
        #expect(try #require(farthest) < 1)
        let trust = try #require(odometry.aidTrust.first)
        #expect(trust.state == .refused && trust.applied == 0 && trust.refused > 30 && trust.accuracyScale == nil)
    }

    @Test("beside a trusted source, one that is off moves nothing while the heading and so the way are unknown")
    func vague() throws {
        let walk = Walk(seconds: 60, seed: 4, hasMagnetometer: false)
        let own = walk.measurements().filter { if case .fix = $0 { false } else { true } }
        let marks = Self.positions(walk, of: Self.marker, from: 1.01, by: 10, accuracy: 2)
        let wrong = Self.positions(walk, of: Self.liar, from: 38.3, offset: Vector3(20, -15, 0))
        let (plain, _) = Self.feed(own, marks)
        let (poses, found) = Self.feed(own, (marks + wrong).sorted { $0.0 < $1.0 })
        #expect(poses.count == plain.count)
        let farthest = zip(poses, plain).compactMap { here, there in
            guard let here = here.geodetic, let there = there.geodetic else { return nil as Double? }
            return (Walk.plane.pointENU(of: here) - Walk.plane.pointENU(of: there)).norm
        }.max()
        #expect(try #require(farthest) < 1)
        let trust = try #require(found.first)
        #expect(trust.source == Self.liar && trust.state == .refused && trust.applied == 0)
    }

    @Test("a correct source beside one that is 50 m off is trusted, and its accuracy scale stays near 1")
    func correct() throws {
        let walk = Walk(seconds: 60, seed: 2)
        let offers =
            Self.positions(walk, of: Self.marker, from: 15.3)
            + Self.positions(walk, of: Self.liar, from: 20.2, offset: Vector3(0, -50, 0))
        let (_, found) = Self.feed(walk.measurements(), offers.sorted { $0.0 < $1.0 })
        #expect(found.map(\.source) == [Self.liar, Self.marker])
        #expect(found.map(\.state) == [.refused, .trusted] && found[1].cause == nil)
        #expect(try #require(found[1].accuracyScale) < 1.5)
    }
}
