import Geometry
import Testing

@Suite("Alignment in the plane")
struct PlanarAlignmentTests {
    /// Far above rounding, far below any effect of a wrong formula.
    private static let tolerance = 1e-12
    private static let vectors = [Vector2(1, 0), Vector2(-2, 3), Vector2(0.5, -4), Vector2(3, 3)]

    @Test("a rotation turns a vector of the plane as one of space", arguments: [-3.0, -0.4, 0, 1.2])
    func rotation(angle: Double) {
        let rotation = Rotation2(yaw: angle)
        for v in Self.vectors {
            let inSpace = rotation * Vector3(v.x, v.y, 7)
            #expect(rotation * v == Vector2(inSpace))
            #expect((rotation.inverse * (rotation * v) - v).norm < Self.tolerance)
        }
    }

    @Test("angle and scale are found from exact pairs", arguments: [-2.5, 0.3, 3.1], [0.2, 1, 5.0])
    func exact(angle: Double, scale: Double) {
        let truth = PlanarSimilarity(angle: angle, scale: scale)
        var alignment = PlanarAlignment()
        for (k, v) in Self.vectors.enumerated() { alignment.add(v, truth * v, weight: 1 + Double(k)) }
        #expect(Angle.wrapped(alignment.angle - angle).magnitude < Self.tolerance)
        #expect((alignment.scale / scale - 1).magnitude < Self.tolerance)
        #expect((alignment.likeness - 1).magnitude < Self.tolerance)
        for v in Self.vectors { #expect((alignment.similarity * v - truth * v).norm < 10 * scale * Self.tolerance) }
    }

    @Test("an outlier hardly changes a robust alignment")
    func outlier() {
        var plain = PlanarAlignment()
        var answer: PlanarSimilarity?
        var robust = RobustPlanarAlignment()
        for _ in 0..<RobustPlanarAlignment.rounds {
            robust = RobustPlanarAlignment()
            plain = PlanarAlignment()
            for k in 0..<20 {
                let a = Vector2(angle: Double(k))
                let b = k == 7 ? Vector2(20, -20) : PlanarSimilarity(angle: 0.5) * a
                robust.add(a, b, variance: 0.01, against: answer)
                plain.add(a, b, weight: 100)
            }
            answer = PlanarSimilarity(angle: robust.fit.angle)
        }
        #expect((plain.angle - 0.5).magnitude > 0.1)
        #expect((robust.fit.angle - 0.5).magnitude < 0.001)
    }
}
