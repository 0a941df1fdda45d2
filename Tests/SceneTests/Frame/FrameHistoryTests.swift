import Geodesy
import Geometry
import Model
import Scene
import Testing

@Suite("History of the frame")
struct FrameHistoryTests {
    private func frame(
        from before: Double, to target: Double, causes: FrameCauses = FrameCauses(.gnssVelocity),
        main: FrameCause? = .gnssVelocity, end: Double? = nil, shift: Vector3 = .zero, generation: UInt32 = 1,
        origin: GeodeticPosition? = nil
    ) throws -> FrameEstimate {
        let old = SceneAlignment(yaw: Angle.radians(degrees: before), translation: .zero)
        return FrameEstimate(
            generation: generation, origin: try origin ?? FrameSamples.zurich(), published: old,
            target: SceneAlignment(yaw: Angle.radians(degrees: target), translation: shift),
            slewEnd: end.map(FrameSamples.time), before: old, causes: causes, mainCause: main)
    }

    @Test("is bounded to ten minutes, however often the frame is corrected")
    func bounded() throws {
        var history = FrameHistory()
        for k in 0..<9000 {
            // Every 0.1 s, for a quarter of an hour; each too small to stand alone.
            history.add(try frame(from: 0, to: 0.1), at: FrameSamples.time(Double(k) / 10), wearer: .zero)
        }
        #expect(history.count <= 62)
        #expect(FrameSamples.time(900).seconds(since: history[0].time) < 612)
        #expect(history.corrections(during: 60, before: FrameSamples.time(900)).count <= 7)
        for k in 0..<5000 {
            // Each a correction of its own: the oldest make room.
            let cause = k % 2 == 0 ? FrameCause.gnssVelocity : .magnetometer
            let one = try frame(from: 0, to: 10, causes: FrameCauses(cause), main: cause)
            history.add(one, at: FrameSamples.time(900 + Double(k) / 100), wearer: .zero)
        }
        #expect(history.count <= 768)
    }

    @Test("behaviour 48: small corrections of one cause are reported as one, from the first before to the last target")
    func joined() throws {
        var history = FrameHistory()
        history.add(try frame(from: 0, to: 1), at: FrameSamples.time(5), wearer: .zero)
        history.add(try frame(from: 1, to: 2.5), at: FrameSamples.time(5.4), wearer: .zero)
        history.add(try frame(from: 2.5, to: 2.5, causes: [], main: nil), at: FrameSamples.time(14), wearer: .zero)
        #expect(history.count == 1)
        let one = history[0]
        #expect(abs(one.turn - Angle.radians(degrees: 2.5)) < 1e-12)
        #expect(!one.isLarge && one.causes.list == [.gnssVelocity] && one.duration == 9)
        let other = try frame(from: 2.5, to: 3, causes: FrameCauses(.magnetometer), main: .magnetometer)
        history.add(other, at: FrameSamples.time(14.5), wearer: .zero)
        #expect(history.count == 2, "of another cause")
        history.add(other, at: FrameSamples.time(25), wearer: .zero)
        #expect(history.count == 3, "ten seconds later")
    }

    @Test("behaviour 48: a large correction is one from beginning to end, reported once, with the cause that began it")
    func large() throws {
        var history = FrameHistory()
        let small = try frame(from: 0, to: 20, causes: FrameCauses(.headingSearch), main: .headingSearch)
        var reports = [history.add(small, at: FrameSamples.time(9.995), wearer: .zero)]
        let begun = try frame(from: 0, to: 20, causes: [], main: nil, end: 14)
        reports.append(history.add(begun, at: FrameSamples.time(10), wearer: .zero))
        for k in 1..<40 {
            let next = try frame(from: Double(k) / 2, to: 21, end: 14)
            reports.append(history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: .zero))
        }
        reports.append(history.add(try frame(from: 20.5, to: 21), at: FrameSamples.time(14), wearer: .zero))
        #expect(reports.filter { $0 }.count == 1 && reports[1])
        #expect(history.count == 2)
        let one = history[1]
        #expect(one.isLarge && one.mainCause == .headingSearch && one.slewEnd == nil)
        #expect(abs(one.turn - Angle.radians(degrees: 21)) < 1e-12 && one.duration == 4)
        history.add(try frame(from: 21, to: 21.1), at: FrameSamples.time(14.1), wearer: .zero)
        #expect(history.count == 3, "what comes after it is another")
    }

    @Test(
        "behaviour 48: a large correction is reported once, whatever else happens until it is made",
        arguments: [FrameCause.calibration, .reanchor])
    func largeAmongEvents(event: FrameCause) throws {
        var history = FrameHistory()
        let elsewhere = try #require(try FrameSamples.zurich().destination(bearing: 1, distance: 1000))
        var reports: [Bool] = []
        for k in 0..<40 {
            let hasHappened = k >= 10
            let causes = k == 10 ? FrameCauses(event) : []
            let next = try frame(
                from: Double(k) / 2, to: 21, causes: causes, main: k == 10 ? event : nil, end: 14,
                origin: hasHappened && event == .reanchor ? elsewhere : nil)
            reports.append(history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: .zero))
        }
        #expect(reports == [true] + [Bool](repeating: false, count: 39))
        // What lies on both sides of a new origin has no common before and target.
        #expect(history.count == (event == .reanchor ? 2 : 1))
        #expect(history[0].isLarge && history[history.count - 1].isLarge)
        #expect(history[history.count - 1].causes.contains(event))
    }

    @Test("a correction says in words what moved, how fast and why")
    func words() throws {
        let turned = FrameCorrection(
            try frame(from: 0, to: 4.2, end: 10.9), at: FrameSamples.time(10), wearer: .zero)
        #expect(
            turned.text == "content turned 4.2° clockwise over 0.9 s, because of the GNSS velocity")
        let shifted = FrameCorrection(
            try frame(
                from: 0, to: 0, causes: [FrameCauses(.gnssPosition), FrameCauses(.barometer)], main: .gnssPosition,
                end: 11, shift: Vector3(0.6, 0.8, -0.3)), at: FrameSamples.time(10), wearer: .zero)
        #expect(
            shifted.text == "content shifted 1.0 m and rose by 0.3 m over 1.0 s, because of the GNSS position "
                + "and the barometric height")
        let anew = FrameCorrection(
            try frame(from: 0, to: 90, causes: FrameCauses(.newGeneration), main: .newGeneration),
            at: FrameSamples.time(10), wearer: .zero)
        #expect(anew.text == "the scene frame was reset: all content has to be placed again")
        for cause in FrameCause.allCases {
            let one = try frame(from: 0, to: 1, causes: FrameCauses(cause), main: cause)
            #expect(!FrameCorrection(one, at: FrameSamples.time(1), wearer: .zero).text.isEmpty)
        }
    }

    @Test(
        "a position or heading that becomes known is acquired, one that no longer is known is lost",
        arguments: [
            (FrameCauses(.firstPosition), 3.0, nil, "position acquired"),
            (FrameCauses(.firstPosition), nil, 0.1, "position lost"),
            (FrameCauses(.firstHeading), nil, 0.1, "heading acquired"),
            (FrameCauses(.firstHeading), 3.0, nil, "heading lost"),
            (
                [FrameCauses(.firstPosition), FrameCauses(.firstHeading)], 3.0, 0.1,
                "position acquired and heading acquired"
            ),
        ] as [(FrameCauses, Double?, Double?, String)])
    func beginnings(causes: FrameCauses, horizontal: Double?, yaw: Double?, words: String) throws {
        var changed = try frame(from: 0, to: 30, causes: causes, main: nil)
        (changed.horizontalAccuracy, changed.yawAccuracy) = (horizontal, yaw)
        let correction = FrameCorrection(changed, at: FrameSamples.time(10), wearer: .zero)
        #expect(correction.text == words + ": the scene frame was realigned at once")
    }

    @Test("clockwise in words is clockwise in the scene")
    func clockwise() throws {
        let origin = try FrameSamples.zurich()
        let north = try #require(origin.destination(bearing: 0, distance: 100))
        let correction = FrameCorrection(try frame(from: 0, to: 10), at: FrameSamples.time(1), wearer: .zero)
        let plane = LocalTangentPlane(origin: origin)
        let after = SceneMap(plane: plane, alignment: correction.target).pointInScene(of: north)
        #expect(after.x > 17 && after.z < -98, "what was north is now to the right of it")
        #expect(correction.text.contains("turned 10.0° clockwise"))
        let effect = try #require(correction.effect(on: north))
        #expect(abs(effect.angle - Angle.radians(degrees: 10)) < 1e-3)
        #expect(abs(effect.distance - 17.43) < 0.05)
    }
}
