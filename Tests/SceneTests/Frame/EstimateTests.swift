import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("Estimates")
struct EstimateTests {
    private let settings = SceneSettings.Frame()

    /// A wearer who walks east at 1.4 m/s for ten seconds, 100 poses a second.
    private func walked() -> SceneTrack {
        var track = SceneTrack()
        for k in 0...1000 { track.add(FrameSamples.pose(Double(k) / 100, at: Vector3(0.014 * Double(k), 0, 0))) }
        return track
    }

    @Test(
        "behaviour 5: a late fix is paired with where the wearer was at its epoch", arguments: [0.0, 0.2, 0.5, 1, 2.9])
    func epoch(late: Double) throws {
        let fix = FrameSamples.fix(epoch: 10 - late, arrival: 10, at: try FrameSamples.zurich())
        let estimate = try #require(PositionFixEstimate(fix, on: walked()))
        // Between two moments that are kept 0.04 s apart the line is straight here.
        #expect((estimate.positionInScene - Vector3(1.4 * (10 - late), 0, 0)).norm < 1e-6)
        #expect(abs(estimate.distance - 1.4 * (10 - late)) < 1e-6)
        #expect(estimate.epoch == FrameSamples.time(10 - late) && estimate.generation == 1)
        #expect(abs(try #require(estimate.accuracy) - 1.51 * 2) < 1e-9)
    }

    @Test("behaviour 5: the estimate is of the antenna, of which the fix speaks")
    func antenna() throws {
        let fix = FrameSamples.fix(epoch: 5, arrival: 5, at: try FrameSamples.zurich(), arm: Vector3(0, 0.3, 0.1))
        let estimate = try #require(PositionFixEstimate(fix, on: walked()))
        #expect((estimate.positionInScene - Vector3(7, 0.3, 0.1)).norm < 1e-6)
    }

    @Test("behaviour 5: a fix from before the frame, or from the future, makes no estimate")
    func beyond() throws {
        let place = try FrameSamples.zurich()
        let track = walked()
        #expect(PositionFixEstimate(FrameSamples.fix(epoch: 1, arrival: 10, at: place), on: track) == nil, "too old")
        #expect(PositionFixEstimate(FrameSamples.fix(epoch: 12, arrival: 12, at: place), on: track) == nil)
        #expect(PositionFixEstimate(FrameSamples.fix(epoch: 10.05, arrival: 10, at: place), on: track) != nil)
        var anew = track
        anew.add(FrameSamples.pose(11, generation: 2))
        #expect(PositionFixEstimate(FrameSamples.fix(epoch: 10, arrival: 11, at: place), on: anew) == nil)
    }

    @Test("behaviour 6: the position is the best estimate and the way since, with a deviation that grows")
    func current() throws {
        let origin = try FrameSamples.zurich()
        let map = FrameSamples.map(yaw: 0, origin: origin)
        let estimate = FrameSamples.estimate(0, at: origin, accuracy: 1.51 * 2, inScene: Vector3(10, 0, 5))
        let now = SceneTrack.Moment(
            time: FrameSamples.time(30), position: Vector3(50, 0, -25), rotationSceneFromBody: .identity, distance: 60)
        let current = try #require(
            CurrentPosition(
                estimate, at: now, generation: 1, map: map, yawStandardDeviation: 0.1, settings: settings))
        let point = map.pointInScene(of: current.position)
        #expect((point - Vector3(40, 0, -30)).norm < 1e-6)
        #expect(abs(current.travel - 50) < 1e-9)
        let variance = 2.0 * 2 + (0.05 * 60) * (0.05 * 60) + (50 * 0.1) * (50 * 0.1)
        #expect(abs(current.horizontalAccuracy - 1.51 * variance.squareRoot()) < 1e-9)
        #expect(current.horizontalAccuracy > 1.51 * 2, "never the accuracy of the fix as it was")
        let lost = try #require(
            CurrentPosition(estimate, at: now, generation: 1, map: map, yawStandardDeviation: nil, settings: settings))
        #expect(lost.horizontalAccuracy > 100, "an unknown yaw leads anywhere")
        #expect(
            CurrentPosition(estimate, at: now, generation: 2, map: map, yawStandardDeviation: 0.1, settings: settings)
                == nil)
    }

    @Test("behaviour 7: the smallest accuracy is the best, the newest among equal ones")
    func best() throws {
        let here = try FrameSamples.zurich()
        var buffer = EstimateBuffer(capacity: settings.estimateCount)
        for (time, accuracy) in [(1.0, 5.2), (2, 3.7), (3, 3.1), (4, 3.9), (5, 4.0), (6, 9)] {
            buffer.add(FrameSamples.estimate(time, at: here, accuracy: accuracy))
        }
        var best = BestEstimate(settings: settings)
        best.choose(from: buffer, here: here, at: FrameSamples.time(6))
        // 3.7, 3.1 and 3.9 are equal in buckets of 1 m.
        #expect(best.estimate?.epoch == FrameSamples.time(4))
    }

    @Test("behaviour 7: an accuracy that is missing, negative or no number is never the best")
    func unknown() throws {
        let here = try FrameSamples.zurich()
        var buffer = EstimateBuffer(capacity: 10)
        let accuracies: [Double?] = [nil, -1, 0, .nan, .infinity]
        for accuracy in accuracies { buffer.add(FrameSamples.estimate(1, at: here, accuracy: accuracy)) }
        var best = BestEstimate(settings: settings)
        best.choose(from: buffer, here: here, at: FrameSamples.time(2))
        #expect(best.estimate == nil)
        buffer.add(FrameSamples.estimate(2, at: here, accuracy: 80))
        best.choose(from: buffer, here: here, at: FrameSamples.time(2))
        #expect(best.estimate?.accuracy == 80)
    }

    @Test("behaviour 7: what has been left more than 100 m behind is the best no more")
    func leftBehind() throws {
        let start = try FrameSamples.zurich()
        var buffer = EstimateBuffer(capacity: 10)
        buffer.add(FrameSamples.estimate(1, at: start, accuracy: 1))
        let on = try #require(start.destination(bearing: 0, distance: 101))
        buffer.add(FrameSamples.estimate(60, at: on, accuracy: 15))
        var best = BestEstimate(settings: settings)
        best.choose(from: buffer, here: start.destination(bearing: 0, distance: 99), at: FrameSamples.time(60))
        #expect(best.estimate?.accuracy == 1)
        best.choose(from: buffer, here: on, at: FrameSamples.time(63))
        #expect(best.estimate?.accuracy == 15)
    }

    @Test("behaviour 7: it is chosen anew every 3 s without a fix")
    func timer() throws {
        let start = try FrameSamples.zurich()
        var observer = FrameObserver(settings: settings)
        func walk(to metres: Double, at seconds: Double) throws {
            let here = try #require(start.destination(bearing: 0, distance: metres))
            _ = observer.add(
                FrameSamples.pose(seconds, at: Vector3(0, 0, -metres), geodetic: here), walked: nil, remaining: (0, 0))
        }
        try walk(to: 0, at: 0)
        observer.add(FrameSamples.fix(epoch: 0, arrival: 0, at: start), here: start)
        #expect(observer.best.estimate != nil)
        try walk(to: 150, at: 2.9)
        #expect(observer.best.estimate != nil, "not yet looked at again")
        try walk(to: 150, at: 3)
        #expect(observer.best.estimate == nil)
    }

    @Test("a buffer is bounded and holds one frame's estimates only")
    func bounded() throws {
        let here = try FrameSamples.zurich()
        var buffer = EstimateBuffer(capacity: settings.estimateCount)
        for k in 0..<250 { buffer.add(FrameSamples.estimate(Double(k), at: here, accuracy: 3)) }
        #expect(buffer.count == 100 && buffer[0].epoch == FrameSamples.time(150))
        buffer.add(FrameSamples.estimate(300, at: here, accuracy: 3, generation: 2))
        #expect(buffer.count == 1)
    }
}
