import Estimation
import Geodesy
import Geometry
import Measurements
import Scene
import Testing

@Suite("History of the frame")
struct FrameHistoryTests {
    private func frame(
        from before: Double, to target: Double, causes: FrameCauses = FrameCauses(.gnssVelocity),
        main: FrameCause? = .gnssVelocity, end: Double? = nil, shift: Vector3 = .zero, generation: UInt32 = 1
    ) throws -> FrameEstimate {
        let old = SceneAlignment(yaw: Angle.radians(degrees: before), translation: .zero)
        return FrameEstimate(
            generation: generation, origin: try FrameSamples.zurich(), published: old,
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
        #expect(history.count <= 602)
        #expect(FrameSamples.time(900).seconds(since: history[0].time) < 603)
        #expect(history.corrections(during: 60, before: FrameSamples.time(900)).count == 60)
        for k in 0..<5000 {
            // Each a correction of its own: the oldest make room.
            history.add(try frame(from: 0, to: 10), at: FrameSamples.time(900 + Double(k) / 100), wearer: .zero)
        }
        #expect(history.count <= 768)
    }

    @Test("corrections within a second are told as one, from the first before to the last target")
    func joined() throws {
        var history = FrameHistory()
        history.add(try frame(from: 0, to: 1), at: FrameSamples.time(5), wearer: .zero)
        history.add(
            try frame(from: 1, to: 2.5, causes: FrameCauses(.magnetometer), main: .magnetometer, end: 6),
            at: FrameSamples.time(5.4), wearer: .zero)
        #expect(history.count == 1)
        let one = history[0]
        #expect(abs(one.turn - Angle.radians(degrees: 2.5)) < 1e-12)
        #expect(one.causes.list == [.gnssVelocity, .magnetometer])
        #expect(one.duration == 1)
        history.add(try frame(from: 2.5, to: 2.5), at: FrameSamples.time(5.5), wearer: .zero)
        #expect(history[0].duration == 0.5, "settled by then")
        history.add(try frame(from: 2.5, to: 40), at: FrameSamples.time(5.5), wearer: .zero)
        #expect(history.count == 2, "a large one stands alone")
    }

    @Test("a correction says in words what moved, how fast and why")
    func words() throws {
        let turned = FrameCorrection(
            try frame(from: 0, to: 4.2, end: 10.9), at: FrameSamples.time(10), wearer: .zero)
        #expect(
            turned.text == "content turned 4.2° clockwise over 0.9 s, because the receiver's velocity showed another "
                + "direction of motion")
        let shifted = FrameCorrection(
            try frame(
                from: 0, to: 0, causes: [FrameCauses(.gnssPosition), FrameCauses(.barometer)], main: .gnssPosition,
                end: 11, shift: Vector3(0.6, 0.8, -0.3)), at: FrameSamples.time(10), wearer: .zero)
        #expect(
            shifted.text == "content shifted 1.0 m and rose by 0.3 m over 1.0 s, because satellite positions lay "
                + "elsewhere and the air pressure told another height")
        let anew = FrameCorrection(
            try frame(from: 0, to: 90, causes: FrameCauses(.newGeneration), main: .newGeneration),
            at: FrameSamples.time(10), wearer: .zero)
        #expect(anew.text == "the scene frame was set anew: everything has to be placed again")
        for cause in FrameCause.allCases {
            let one = try frame(from: 0, to: 1, causes: FrameCauses(cause), main: cause)
            #expect(!FrameCorrection(one, at: FrameSamples.time(1), wearer: .zero).text.isEmpty)
        }
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
