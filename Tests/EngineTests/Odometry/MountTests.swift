import Estimation
import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("Boards mounted any way round")
struct MountTests {
    /// The 24 rotations that bring axes onto axes.
    static let axisAligned: [Rotation3] = {
        let faces = [Vector3.zero] + [1.0, 2, 3].map { Vector3($0 * .pi / 2, 0, 0) }
        let turned = faces.map(Rotation3.exp) + [1.0, -1].map { Rotation3.exp(Vector3(0, $0 * .pi / 2, 0)) }
        return turned.flatMap { face in (0..<4).map { face * Rotation3.exp(Vector3(0, 0, Double($0) * .pi / 2)) } }
    }()

    static let random: [Rotation3] = {
        var random = Seeded(11)
        return (0..<6).map { _ in random.rotation() }
    }()

    /// What a board would measure that is turned in the body.
    private func measured(_ measurements: [Measurement], boardFromBody: Rotation3) -> [Measurement] {
        measurements.map {
            switch $0 {
            case .angularRate(var sample):
                sample.rate = boardFromBody * sample.rate
                return .angularRate(sample)
            case .specificForce(var sample):
                sample.force = boardFromBody * sample.force
                return .specificForce(sample)
            case .magneticField(var sample):
                sample.field = boardFromBody * sample.field
                return .magneticField(sample)
            default: return $0
            }
        }
    }

    @Test("there are 24 ways to bring axes onto axes")
    func ways() {
        for (i, a) in Self.axisAligned.enumerated() {
            for b in Self.axisAligned[..<i] { #expect((a.inverse * b).log.norm > 1) }
        }
        #expect(Self.axisAligned.count == 24)
    }

    @Test("a board whose mount is known gives the poses of one that is not turned", arguments: axisAligned + random)
    func knownMount(boardFromBody: Rotation3) throws {
        let walk = Walk(seconds: 12).measurements()
        let mounted = measured(
            measured(walk, boardFromBody: boardFromBody), boardFromBody: boardFromBody.inverse)
        let expected = try #require(Walk.poses(walk).last)
        let pose = try #require(Walk.poses(mounted).last)
        #expect((pose.rotationENUFromBody.inverse * expected.rotationENUFromBody).log.norm < 1e-6)
        #expect((pose.positionInScene - expected.positionInScene).norm < 1e-6)
        #expect((pose.velocityInScene - expected.velocityInScene).norm < 1e-6)
    }

    @Test("a board that is turned any way has the same place, velocity and north", arguments: axisAligned + random)
    func unknownMount(boardFromBody: Rotation3) throws {
        // Without steps, and with a gyroscope of known scale, nothing in the filter prefers a direction of the board.
        var settings = EstimatorSettings.calibrated
        settings.initial.gyroScaleStandardDeviation = 0
        settings.inertial.gyroScaleWalk = 0
        let walk = Walk(seconds: 30).measurements()
        let expected = try #require(Walk.poses(walk, settings).last)
        let pose = try #require(Walk.poses(measured(walk, boardFromBody: boardFromBody), settings).last)
        let attitude = pose.rotationENUFromBody * boardFromBody
        #expect((attitude.inverse * expected.rotationENUFromBody).log.norm < 1e-3)
        let (here, there) = (try #require(pose.geodetic), try #require(expected.geodetic))
        #expect((Walk.plane.pointENU(of: here) - Walk.plane.pointENU(of: there)).norm < 0.02)
        let (velocity, other) = (try #require(pose.velocityENU), try #require(expected.velocityENU))
        #expect((velocity - other).norm < 0.01)
        #expect(pose.state == expected.state)
    }

    @Test("a walker whose board is turned any way finds place and north", arguments: random[..<4])
    func walker(boardFromBody: Rotation3) throws {
        let walk = try StreetWalk(seconds: 90)
        let poses = StreetWalk.poses(measured(walk.measurements, boardFromBody: boardFromBody))
        let errors = try walk.errors(poses, from: 50, mount: boardFromBody.inverse)
        #expect(errors.yaw < 0.07 && errors.tilt < 0.02 && errors.horizontal < 7, "\(errors)")
    }
}
