import Estimation
import Geometry
import Glibc
import Testing

@Suite("Reference axis of the board")
struct BoardReferenceTests {
    /// Frame: ENU from body.
    private func axes(_ rotation: Rotation3) -> BoardAxes {
        var axes = BoardAxes()
        axes.x = rotation * Vector3(1, 0, 0)
        axes.y = rotation * Vector3(0, 1, 0)
        axes.z = rotation * Vector3(0, 0, 1)
        return axes
    }

    private static let upright = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    private func azimuth(_ reference: BoardReference, _ rotation: Rotation3) -> Double {
        let across = rotation * reference.axis
        return atan2(-across.y, across.x) + reference.offset
    }

    @Test("is never steep, and forward is the line of sight of a rolled upright board", arguments: 0..<24)
    func roll(step: Int) {
        let roll = Double(step) * .pi / 12
        let rotation = Self.upright * Rotation3.exp(Vector3(0, 0, roll))
        var reference = BoardReference()
        _ = reference.add(axes(rotation))
        #expect((rotation * reference.axis).z.magnitude < 0.76)
        // Upside down the x axis points to the left: nothing shows what is ahead, and the mount is not known.
        let isRolledOver = cos(roll) < -0.7
        #expect(abs(azimuth(reference, rotation).magnitude - (isRolledOver ? .pi : 0)) < 1e-9)
        #expect(reference.isAsDesigned == (sin(roll).magnitude < 0.6 && cos(roll) > -0.35))
    }

    @Test("another axis leaves forward where it was while the board hangs as before")
    func continuity() {
        func tilted(_ angle: Double) -> Rotation3 { Self.upright * Rotation3.exp(Vector3(0, 0, angle)) }
        var reference = BoardReference()
        var changes = 0
        for k in 0..<400 {
            if reference.add(axes(tilted(0.6 + 0.001 * Double(min(k, 350))))) { changes += 1 }
        }
        // The first step alone.
        #expect(changes == 1)
        #expect(reference.axis != Vector3(1, 0, 0))
        let rotation = tilted(0.95)
        #expect(azimuth(reference, rotation).magnitude < 1e-6)
    }

    @Test("a board that is turned over is carried in another way")
    func posture() {
        var reference = BoardReference()
        for _ in 0..<20 { _ = reference.add(axes(Self.upright)) }
        #expect(reference.isAsDesigned)
        var changes = 0
        for _ in 0..<20 {
            if reference.add(axes(Self.upright * Rotation3.exp(Vector3(0, 0, .pi)))) { changes += 1 }
        }
        #expect(changes > 0)
        #expect(!reference.isAsDesigned)
    }
}
