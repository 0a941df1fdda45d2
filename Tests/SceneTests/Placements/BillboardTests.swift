import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("Billboards and level labels")
struct BillboardTests {
    @Test("behaviour 23: the front faces the eye and the upper edge stays up", arguments: UInt64(0)..<100)
    func upright(seed: UInt64) {
        var draws = Draws(state: seed)
        let (point, eye) = (draws.vector(300), draws.vector(300))
        let yaw = Billboard.yaw(of: point, from: eye)
        let front = Rotation3.about(Vector3(0, 1, 0), by: yaw) * Vector3(0, 0, 1)
        let toEye = eye - point
        #expect(angle(front, Vector3(toEye.x, 0, toEye.z)) < 1e-9)
        #expect(abs(front.y) < 1e-12)
    }

    @Test("behaviour 23: turned fully, the front meets the eye and the sides stay level", arguments: UInt64(0)..<100)
    func full(seed: UInt64) {
        var draws = Draws(state: seed)
        let (point, eye) = (draws.vector(300), draws.vector(300))
        let rotation = Billboard.fullRotation(of: point, from: eye)
        #expect(angle(rotation * Vector3(0, 0, 1), eye - point) < 1e-9)
        #expect(abs((rotation * Vector3(1, 0, 0)).y) < 1e-12)
        #expect((rotation * Vector3(0, 1, 0)).y >= -1e-12)
    }

    @Test("behaviour 23: a label turned by the roll points to the scene's up", arguments: UInt64(0)..<200)
    func level(seed: UInt64) {
        var draws = Draws(state: seed)
        let attitude = draws.rotation()
        let roll = Billboard.labelRoll(attitude)
        let up = attitude.inverse * Vector3(0, 1, 0)
        let length = hypot(up.x, up.y)
        #expect(abs(-sin(roll) * length - up.x) < 1e-12)
        #expect(abs(cos(roll) * length - up.y) < 1e-12)
    }

    @Test("behaviour 23: a head leaned to the right turns the label to the left", arguments: [-70.0, 0, 40])
    func leaning(pitch: Double) {
        for heading in stride(from: 0.0, to: 360, by: 15) {
            for roll in stride(from: -80.0, through: 80, by: 20) {
                let turned = Billboard.labelRoll(attitude(heading: heading, pitch: pitch, roll: roll))
                #expect(abs(turned - Angle.radians(degrees: roll)) < 1e-12)
            }
        }
    }

    @Test("behaviour 23: by the scene's X axis the label would stand on its head for who faces south")
    func trap() {
        var flipped = 0
        for heading in stride(from: 5.0, to: 360, by: 10) {
            let attitude = attitude(heading: heading)
            #expect(abs(Billboard.labelRoll(attitude)) < 1e-12)
            let east = attitude.inverse * Vector3(1, 0, 0)
            if abs(atan2(east.y, east.x)) > 3.14 { flipped += 1 }
        }
        #expect(flipped == 18, "half of the headings")
    }
}

@Suite("Roll of labels in time")
struct LabelRollTests {
    private static let rate = 60.0

    private func time(_ step: Int) -> BootTime { BootTime(nanoseconds: Int64(Double(step) / Self.rate * 1e9)) }

    /// The shown rolls along a path of attitudes at 60 Hz.
    private func shown(_ path: [Rotation3]) -> [Double] {
        var roll = LabelRoll()
        return path.enumerated().map { roll.update($1, at: time($0)) }
    }

    @Test("behaviour 23: level at once while the wearer looks anywhere but straight up or down")
    func followsHead() {
        let path = (0..<600).map { step in
            let seconds = Double(step) / Self.rate
            return attitude(
                heading: 200 * seconds, pitch: 70 * sin(2 * seconds), roll: 60 * sin(5 * seconds))
        }
        let rolls = shown(path)
        #expect(rolls.count == path.count)
        for (roll, attitude) in zip(rolls, path) {
            #expect(abs(Angle.wrapped(roll - Billboard.labelRoll(attitude))) < 1e-9)
        }
    }

    @Test(
        "behaviour 23: over straight up and straight down there is no jump, and it is level again after",
        arguments: [-1.0, 1], [0.0, 0.5, 3, 8])
    func overhead(side: Double, aside: Double) {
        // Back over the zenith to 150° and on, passing it by `aside` degrees, at 60 °/s; then a rest.
        let path = (0..<400).map { step in
            let pitch = side * min(150, Double(step))
            return attitude(heading: 30, pitch: pitch)
                * Rotation3.about(
                    Vector3(0, 1, 0), by: Angle.radians(degrees: aside))
        }
        let rolls = shown(path)
        for (a, b) in zip(rolls, rolls.dropFirst()) {
            // Outside the cone six times 60 °/s at the most, and 3 rad/s of coming back.
            #expect(abs(Angle.wrapped(b - a)) < (6 * Angle.radians(degrees: 60) + 3) / Self.rate)
        }
        let off = Angle.wrapped((rolls.last ?? 9) - Billboard.labelRoll(path[399]))
        #expect(abs(off) < 1e-9)
    }

    @Test("held while the wearer turns round looking straight up")
    func spinning() {
        let path = (0..<300).map { attitude(heading: Double($0) * 3, pitch: 86, roll: 0) }
        let rolls = shown(path)
        #expect(rolls.allSatisfy { abs(Angle.wrapped($0 - rolls[0])) < 1e-9 })
    }

    @Test("no jump on any path, however few the frames", arguments: UInt64(0)..<40)
    func bounded(seed: UInt64) {
        var draws = Draws(state: seed)
        var roll = LabelRoll()
        var attitude = draws.rotation()
        var now = 0.0
        var before: Double?
        for _ in 0..<500 {
            let seconds = draws.number(0.005...0.2)
            attitude = attitude * Rotation3.exp(draws.vector(5) * seconds)
            now += seconds
            let next = roll.update(attitude, at: BootTime(nanoseconds: Int64(now * 1e9)))
            #expect(next.magnitude <= .pi)
            if let before { #expect(abs(Angle.wrapped(next - before)) <= min(.pi, 15 * seconds) + 1e-6) }
            before = next
        }
    }
}
