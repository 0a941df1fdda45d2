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

    @Test("behaviour 48: a large correction is one, reported once it is made, with all that it moved and what began it")
    func large() throws {
        var history = FrameHistory()
        let small = try frame(from: 0, to: 20, causes: FrameCauses(.headingSearch), main: .headingSearch)
        var reports = [history.add(small, at: FrameSamples.time(9.995), wearer: .zero)]
        let begun = try frame(from: 0, to: 20, causes: [], main: nil, end: 14)
        reports.append(history.add(begun, at: FrameSamples.time(10), wearer: .zero))
        for k in 1..<40 {
            // What is found out later is a part of it.
            let next = try frame(from: Double(k) / 2, to: k < 20 ? 20 : 95, end: 14)
            reports.append(history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: .zero))
        }
        #expect(reports.allSatisfy { $0 == nil })
        let made = history.add(try frame(from: 94.5, to: 95), at: FrameSamples.time(14), wearer: .zero)
        let one = try #require(made)
        #expect(one.isLarge && one.mainCause == .headingSearch && one.slewEnd == nil)
        #expect(abs(one.turn - Angle.radians(degrees: 95)) < 1e-12 && one.duration == 4)
        #expect(history.count == 2 && history[1] == one)
        #expect(history.add(try frame(from: 95, to: 95.1), at: FrameSamples.time(14.1), wearer: .zero) == nil)
        #expect(history.count == 3, "what comes after it is another")
    }

    @Test(
        "behaviour 48: a large correction is reported once, as a whole, whatever else happens until it is made",
        arguments: [FrameCause.calibration, .reanchor])
    func largeAmongEvents(event: FrameCause) throws {
        var history = FrameHistory()
        let elsewhere = try #require(try FrameSamples.zurich().destination(bearing: 1, distance: 1000))
        let wearer = Vector3(20, 0, -10)
        var reports: [FrameCorrection?] = []
        for k in 0...40 {
            let isElsewhere = k >= 10 && event == .reanchor
            let moved = isElsewhere ? Vector3(-540, -840, 2) : .zero
            var next = try frame(
                from: Double(k) / 2, to: k < 10 ? 20 : 21, causes: k == 10 ? FrameCauses(event) : [],
                main: k == 10 ? event : nil, end: k < 40 ? 14 : nil, shift: moved + Vector3(6, 8, 0),
                origin: isElsewhere ? elsewhere : nil)
            next.published.translation = moved
            next.before = SceneAlignment(
                yaw: Angle.radians(degrees: k <= 10 ? 20 : 21), translation: moved + Vector3(6, 8, 0))
            reports.append(history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: wearer))
        }
        #expect(reports.dropLast().allSatisfy { $0 == nil })
        let last = try #require(reports.last)
        let one = try #require(last)
        #expect(history.count == 1)
        #expect(one.isLarge && one.causes.contains(event))
        #expect(abs(one.turn - Angle.radians(degrees: 21)) < 1e-9)
        let from = SceneAlignment(yaw: 0, translation: .zero).pointENU(ofScene: wearer)
        let to = SceneAlignment(yaw: Angle.radians(degrees: 21), translation: Vector3(6, 8, 0)).pointENU(
            ofScene: wearer)
        #expect((one.displacement - (to - from)).norm < 1e-9)
    }

    @Test("behaviour 48: what is found out while a large correction is made turns content about the wearer of then")
    func turnOfWalker() throws {
        var history = FrameHistory()
        let (first, second) = (Vector3(0, 0, 0), Vector3(100, 0, 0))
        func aimed(_ degrees: Double, at wearer: Vector3, from frame: FrameEstimate) -> FrameEstimate {
            var next = frame
            next.before = frame.target
            next.target.yaw = Angle.radians(degrees: degrees)
            next.target.translation += frame.target.pointENU(ofScene: wearer) - next.target.pointENU(ofScene: wearer)
            return next
        }
        let begun = aimed(40, at: first, from: try frame(from: 0, to: 0, end: 14))
        history.add(begun, at: FrameSamples.time(10), wearer: first)
        var later = aimed(90, at: second, from: begun)
        history.add(later, at: FrameSamples.time(11), wearer: second)
        later.slewEnd = nil
        let reported = history.add(later, at: FrameSamples.time(12), wearer: second)
        let one = try #require(reported)
        #expect(abs(one.turn - Angle.radians(degrees: 90)) < 1e-12 && one.shift < 1e-9)
    }

    /// What goes on for 25 s: content follows a target that runs ahead of it by 6°.
    private func legs(_ change: (Int, inout FrameEstimate) -> Void) throws -> [FrameCorrection] {
        var history = FrameHistory()
        var legs: [FrameCorrection] = []
        for k in 0...250 {
            var next = try frame(from: Double(k) / 5, to: Double(k) / 5 + 6, end: k < 250 ? 40 : nil)
            next.before = SceneAlignment(yaw: next.target.yaw - Angle.radians(degrees: 0.2), translation: .zero)
            change(k, &next)
            if let leg = history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: .zero) {
                legs.append(leg)
            }
        }
        return legs
    }

    @Test("behaviour 48: what goes on for long is reported in legs, each with what it has moved")
    func legs() throws {
        let legs = try legs { _, _ in }
        #expect(legs.map { Int($0.duration) } == [10, 10, 5])
        #expect(legs.dropLast().allSatisfy { abs($0.turn - Angle.radians(degrees: 20)) < 1e-9 })
        #expect(abs(legs.map(\.turn).reduce(0, +) - Angle.radians(degrees: 56)) < 1e-9)
    }

    @Test("behaviour 48: legs add up where the origin moves between them, and where the last ends with one")
    func legsAtLimits() throws {
        let elsewhere = try #require(try FrameSamples.zurich().destination(bearing: 1, distance: 1000))
        let moved = try legs { k, frame in
            guard k >= 100 else { return }
            frame.origin = elsewhere
            for key in [\FrameEstimate.published, \.target, \.before] {
                frame[keyPath: key].translation = Vector3(-540, -840, 2)
            }
        }
        #expect(moved.count == 3 && moved.allSatisfy { $0.shift < 1e-9 })
        #expect(abs(moved.map(\.turn).reduce(0, +) - Angle.radians(degrees: 56)) < 1e-9)
        let short = try legs { k, frame in if k >= 100 { frame.slewEnd = nil } }
        #expect(short.count == 1)
        #expect(abs(try #require(short.first).turn - Angle.radians(degrees: 26)) < 1e-9)
    }

    @Test("behaviour 49: content that goes on past a half-turn, in one event or in two legs, has turned by all of that")
    func pastHalfTurn() throws {
        for (until, count) in [(90, 1), (150, 2)] {
            var history = FrameHistory()
            var turns: [Double] = []
            for k in 0...until {
                // 2.3° in each 0.1 s, behind a target that is 170° ahead at first and then runs ahead of it.
                let degrees = 2.3 * Double(k)
                let target = k < until ? max(170, degrees + 20) : degrees
                let next = try frame(from: degrees, to: target, end: k < until ? 60 : nil)
                let report = history.add(next, at: FrameSamples.time(10 + Double(k) / 10), wearer: .zero)
                if let report { turns.append(Angle.degrees(radians: report.turn)) }
            }
            #expect(turns.count == count)
            #expect(abs(turns.reduce(0, +) - 2.3 * Double(until)) < 1e-9)
        }
    }

    @Test(
        "behaviour 48: a large correction that is overtaken by another frame is reported with what was made of it",
        arguments: [FrameCause.newGeneration, .firstPosition, .firstHeading])
    func overtaken(event: FrameCause) throws {
        var history = FrameHistory()
        history.add(try frame(from: 0, to: 30, end: 14), at: FrameSamples.time(10), wearer: .zero)
        history.add(try frame(from: 12, to: 30, end: 14), at: FrameSamples.time(10.9), wearer: .zero)
        let anew = try frame(
            from: 50, to: 50, causes: FrameCauses(event), main: event, generation: event == .newGeneration ? 2 : 1)
        let reported = history.add(anew, at: FrameSamples.time(11), wearer: .zero)
        let one = try #require(reported)
        #expect(abs(one.turn - Angle.radians(degrees: 12)) < 1e-12 && one.mainCause == .gnssVelocity)
        #expect(one.duration == 1)
        #expect(history.count == 2)
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
