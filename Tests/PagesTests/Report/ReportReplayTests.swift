import Engine
import Geometry
import Messages
import Model
import Pages
import Simulation
import Testing
import WaymarkInterface

@Suite("The data of a report")
struct ReportReplayTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func measurements(seconds: Double) throws -> [Measurement] {
        var walk = try #require(
            CityWalk(settings: CityWalkSettings(seed: 3), start: start, magneticModel: WorldMagneticModel.wmm2025))
        var list: [Measurement] = []
        while true {
            let next = walk.next()
            guard next.arrival.seconds(since: start) < seconds else { return list }
            list.append(next)
        }
    }

    /// Report of a recording whose poses were published every `step`-th, each changed by `change`.
    private static func report(
        _ measurements: [Measurement], step: Int = 5, hasFrames: Bool = false,
        _ change: (inout PoseInterface.Pose) -> Void = { _ in },
        changeFrame: (inout PoseInterface.Frame) -> Void = { _ in }
    ) -> WalkReport {
        var engine = Engine()
        var replay = ReportReplay(title: "walk")
        var sequence: UInt64 = 0
        for measurement in measurements {
            replay.feed(measurement)
            var poses: [PoseEstimate] = []
            var frames: [FrameEstimate] = []
            engine.feed(measurement) { event in
                if case .pose(let pose) = event { poses.append(pose) }
                if case .frame(let frame) = event { frames.append(frame) }
            }
            for frame in frames where hasFrames {
                var message = frame.message(sequence: 1, time: engine.pose?.time ?? start)
                changeFrame(&message)
                replay.feed(published: message)
            }
            for pose in poses {
                sequence += 1
                guard sequence % UInt64(step) == 0 else { continue }
                var message = pose.message(sequence: sequence, utcOffset: nil)
                change(&message)
                replay.feed(published: message)
            }
        }
        return replay.finish()
    }

    @Test("poses that stand before the samples they came of are drawn and compared at their own times")
    func early() throws {
        let measurements = try Self.measurements(seconds: 6)
        var engine = Engine()
        var replay = ReportReplay(title: "walk")
        var held: [Measurement] = []
        var published = 0
        for (index, measurement) in measurements.enumerated() {
            engine.feed(measurement) { event in
                guard case .pose(let pose) = event else { return }
                published += 1
                replay.feed(published: pose.message(sequence: UInt64(published), utcOffset: nil))
            }
            held.append(measurement)
            // As a recording holds samples: half a second of them in one message.
            guard held.count >= 200 || index == measurements.count - 1 else { continue }
            for measurement in held { replay.feed(measurement) }
            held.removeAll()
        }
        let report = replay.finish()
        #expect(report.published.count == published && report.agreement.pairs == published && published > 500)
        #expect(Self.fact("Replay minus published", report) == "equal to rounding")
        #expect(
            String(decoding: ReportPage(report).bytes(), as: UTF8.self).contains(
                "all \(published) published poses agree"))
    }

    private static func fact(_ name: String, _ report: WalkReport) -> String? {
        report.facts.first { $0.name == name }?.value
    }

    @Test(
        "poses published by this estimator are those of the replay, at whatever rate they were recorded",
        arguments: [1, 5])
    func agreement(step: Int) throws {
        let report = Self.report(try Self.measurements(seconds: 40), step: step)
        #expect(report.published.count == report.replayed.count / step)
        #expect(report.agreement.pairs == report.published.count)
        #expect(report.agreement.isExact)
        let page = String(decoding: report.page(), as: UTF8.self)
        #expect(page.contains("agree with the replay to rounding"))
        #expect(page.contains("heading, replay"))
    }

    @Test("a pose published elsewhere is named with its distance and yaw, and drawn as it was published")
    func difference() throws {
        var number = 0
        let report = Self.report(try Self.measurements(seconds: 40)) { pose in
            number += 1
            guard number == 300, var geo = pose.geo else { return }
            geo.latitude += 100 / 111_200
            pose.geo = geo
            pose.heading = pose.heading.map { ($0 + 350).truncatingRemainder(dividingBy: 360) }
        }
        #expect(!report.agreement.isExact)
        #expect(try #require(report.agreement.largestDistance) > 99)
        #expect((try #require(report.agreement.largestYaw) - 10).magnitude < 0.01)
        let page = String(decoding: report.page(), as: UTF8.self)
        #expect(page.contains("differs from what was published: the largest distance is "))
        #expect(
            try #require(report.published.track.points.map(\.position.latitudeDegrees).max())
                > #require(report.replayed.track.points.map(\.position.latitudeDegrees).max()))
    }

    @Test("published poses with numbers beyond all measure are left out")
    func hostilePoses() throws {
        let changes: [(inout PoseInterface.Pose) -> Void] = [
            { $0.time = PoseInterface.Time(sec: .max, nsec: 0) }, { $0.time = PoseInterface.Time(sec: 1, nsec: -1) },
            { $0.geo = PoseInterface.Geo(latitude: 91, longitude: 0, height: 0) },
            { $0.geo = PoseInterface.Geo(latitude: 0, longitude: 1e300, height: 0) },
            { $0.geo = PoseInterface.Geo(latitude: 0, longitude: 0, height: .infinity) },
        ]
        let measurements = try Self.measurements(seconds: 3)
        for change in changes { #expect(Self.report(measurements, change).published.count == 0) }
        let odd = Self.report(measurements) {
            $0.heading = 1e300
            $0.accuracy.horizontalAccuracy = -1
        }
        #expect(odd.published.count > 0 && odd.published.heading.isEmpty && odd.published.horizontalAccuracy.isEmpty)
    }

    @Test("without published poses the page shows the replay alone and says so")
    func replayAlone() throws {
        var replay = ReportReplay(title: "x")
        for measurement in try Self.measurements(seconds: 5) { replay.feed(measurement) }
        let page = String(decoding: replay.finish().page(), as: UTF8.self)
        #expect(page.contains("This recording has no published poses"))
        #expect(!page.contains("heading, replay"))
    }

    @Test("each gap of a sensor is listed, and no usual interval is one")
    func gaps() throws {
        let silent = 12.0...15.5
        let measurements = try Self.measurements(seconds: 30).filter { measurement in
            guard case .magneticField = measurement else { return true }
            return !silent.contains(measurement.time.seconds(since: Self.start))
        }
        let report = Self.report(measurements)
        let gaps = report.rates.flatMap { rate in rate.gaps.map { (rate.name, $0) } }
        #expect(gaps.map(\.0) == ["magnetometer"])
        let gap = try #require(gaps.first?.1)
        #expect((gap.duration - 3.5).magnitude < 0.2)
        #expect(Self.fact("Gaps", report) == "1")
        #expect(String(decoding: report.page(), as: UTF8.self).contains("<td>magnetometer</td>"))
    }

    @Test("rates of other programs are drawn where they offered something")
    func offers() throws {
        let measurements = try Self.measurements(seconds: 5)
        let pose = OdometryPose(position: .zero, rotationOwnFromBody: .identity, reset: 0, tracking: 1)
        let offered = measurements.flatMap { measurement -> [Measurement] in
            guard case .angularRate(let sample) = measurement else { return [measurement] }
            let (time, content) = (sample.time, AidMeasurement.Content.odometry(pose))
            return [measurement, .aid(AidMeasurement(source: .camera, time: time, arrival: time, content: content))]
        }
        let report = Self.report(offered)
        #expect(report.offers.map(\.count) == [report.rates[0].count, 0, 0, 0, 0, 0])
        let title = "Poses, positions and sightings of other programs"
        #expect(String(decoding: report.page(), as: UTF8.self).contains(title))
        #expect(!String(decoding: Self.report(measurements).page(), as: UTF8.self).contains(title))
    }

    @Test("the calibrated field is near that of the model in strength and dip")
    func magneticField() throws {
        let report = Self.report(try Self.measurements(seconds: 60))
        func last(_ series: PeakSeries) throws -> Double { try #require(series.samples.last).value }
        // The walk's own magnetometer has errors of a calibration: 5 % and some degrees.
        #expect((try last(report.magnetic.strength) / last(report.magnetic.modelStrength) - 1).magnitude < 0.1)
        #expect((try last(report.magnetic.dip) - last(report.magnetic.modelDip)).magnitude < 5)
    }

    @Test("innovations count each fix once an estimate has come before it")
    func innovations() throws {
        let report = Self.report(try Self.measurements(seconds: 60))
        #expect(report.innovations.count >= report.fixes.count - 2)
        #expect(report.innovations.within <= report.innovations.count)
        // The simulated receiver is as accurate as it says.
        #expect(try #require(report.innovations.shareWithin) > 0.5)
        #expect(try #require(report.innovations.median) < 5)
    }

    @Test("corrections are those of the published frames, which this estimator's replay repeats")
    func publishedCorrections() throws {
        let measurements = try Self.measurements(seconds: 60)
        let (replayed, published) = (
            Self.report(measurements, step: 1), Self.report(measurements, step: 1, hasFrames: true)
        )
        #expect(published.publishedFrames > 20)
        #expect(published.corrections.map(\.frame.time) == replayed.corrections.map(\.frame.time))
        for (one, other) in zip(published.corrections, replayed.corrections) {
            #expect(one.frame.causes == other.frame.causes)
            #expect((one.frame.turn - other.frame.turn).magnitude < 1e-6)
        }
        #expect(Self.fact("Corrections", published)?.hasSuffix("in the replay \(replayed.corrections.count)") == true)
    }

    @Test("a correction that goes on for long is listed in legs, each with what it has moved")
    func legs() throws {
        var replay = ReportReplay(title: "walk")
        for measurement in try Self.measurements(seconds: 1) { replay.feed(measurement) }
        func alignment(_ degrees: Double) -> SceneAlignment {
            SceneAlignment(yaw: Angle.radians(degrees: degrees), translation: .zero)
        }
        let end = Self.start.shifted(by: 30_000_000_000)
        for k in 0...150 {
            let made = Double(k) / 5
            let frame = FrameEstimate(
                generation: 1, origin: nil, published: alignment(made), target: alignment(made + 6),
                slewEnd: k < 150 ? end : nil, before: alignment(made + 5.8))
            let time = Self.start.shifted(by: 1_000_000_000 + Int64(k) * 100_000_000)
            replay.feed(published: frame.message(sequence: UInt64(k + 1), time: time))
        }
        let report = replay.finish()
        #expect(report.corrections.map { ($0.frame.turn * 180 / .pi).rounded() } == [20, 16])
    }

    @Test("published frames with numbers beyond all measure are left out")
    func hostileFrames() throws {
        let measurements = try Self.measurements(seconds: 5)
        let changes: [(inout PoseInterface.Frame) -> Void] = [
            { $0.time.sec = .min }, { $0.generation = -1 }, { $0.target.yaw = .infinity }, { $0.before.up = 1e300 },
            { $0.published.east = .nan }, { $0.origin = PoseInterface.Geo(latitude: 0, longitude: 0, height: 1e9) },
        ]
        for change in changes {
            let report = Self.report(measurements, hasFrames: true, changeFrame: change)
            #expect(report.publishedFrames == 0)
            #expect(report.corrections.count == report.replayedCorrections)
        }
    }
}
