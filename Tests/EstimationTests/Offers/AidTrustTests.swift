import Estimation
import EstimatorFixtures
import Geometry
import Model
import Publication
import Testing

@Suite("Trust in sources of offers")
struct AidTrustTests {
    private static let liar = SourceName("liar")!
    private static let marker = SourceName("marker")!

    /// A position every second: the truth with noise, moved by an offset.
    private static func positions(
        _ walk: Walk, of source: SourceName, from start: Double, offset: Vector3 = .zero, accuracy: Double = 1
    ) -> [(Double, Measurement)] {
        var random = Seeded(walk.seed + 50)
        return stride(from: start, to: walk.seconds, by: 1).map { t in
            let point = walk.truth(t).position + offset + random.vector(accuracy / PoseAccuracy.radius68)
            let position = OfferedPosition(
                position: Walk.plane.position(ofENU: point)!, hasHeight: false, horizontalAccuracy: accuracy,
                verticalAccuracy: 2 * accuracy)
            let aid = AidMeasurement(
                source: source, time: Fixture.time(t), arrival: Fixture.time(t), content: .position(position))
            return (t, .aid(aid))
        }
    }

    private static func together(_ walk: Walk, _ offers: [(Double, Measurement)]) -> [Measurement] {
        let timed = walk.measurements().map { ($0.arrival.seconds(since: Fixture.start), $0) } + offers
        return timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { $0.element.1 }
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
        for measurement in Self.together(walk, offers) {
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

    @Test("a correct source beside one that is 50 m off is trusted, and its accuracy scale stays near 1")
    func correct() throws {
        let walk = Walk(seconds: 60, seed: 2)
        var odometry = Walk.odometry()
        let offers =
            Self.positions(walk, of: Self.marker, from: 15.3)
            + Self.positions(walk, of: Self.liar, from: 20.2, offset: Vector3(0, -50, 0))
        for measurement in Self.together(walk, offers.sorted { $0.0 < $1.0 }) { odometry.feed(measurement) { _ in } }
        let found = odometry.aidTrust
        #expect(found.map(\.source) == [Self.liar, Self.marker])
        #expect(found.map(\.state) == [.refused, .trusted] && found[1].cause == nil)
        #expect(try #require(found[1].accuracyScale) < 1.5)
    }
}
