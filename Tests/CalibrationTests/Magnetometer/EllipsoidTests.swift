import Calibration
import Geometry
import Simulation
import Testing

@Suite("ellipsoids")
struct EllipsoidTests {
    private let shape = Matrix<3, 3>(
        Vector3(0.0009, -0.00003, 0.00001), Vector3(-0.00003, 0.0014, -0.00004), Vector3(0.00001, -0.00004, 0.0006))
    private let centre = Vector3(6200, 250, 3500)

    /// On an ellipsoid of axes from 700 to 1600 counts.
    private func points(_ count: Int, noise: Double, seed: UInt64) throws -> [Vector3] {
        let inverse = try #require(SymmetricEigen(shape)).mapped { 1 / $0 }
        var random = RandomSource(seed: seed)
        func normal() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) }
        return try (0..<count).map { _ in centre + inverse * (try #require(normal().normalized)) + noise * normal() }
    }

    @Test("algebra finds it exactly, far off centre and with unequal axes")
    func exact() throws {
        let found = try #require(FieldEllipsoid(algebraic: points(200, noise: 0, seed: 1)))
        // Squares of 6000 lose eight digits of sixteen.
        #expect((found.centre - centre).norm < 1e-5)
        for i in 0..<3 { for j in 0..<3 { #expect((found.shape[i, j] - shape[i, j]).magnitude < 1e-11) } }
    }

    @Test("a fifth of points elsewhere does not move it")
    func robust() throws {
        var points = try points(1000, noise: 10, seed: 2)
        for index in 300..<480 { points[index] += Vector3(900, 400, -700) }
        let found = try #require(FieldEllipsoid(robust: points))
        // A hundredth of the radius of a thousand counts.
        #expect((found.centre - centre).norm < 20)
    }

    @Test("points in a plane, at one place, and none have none")
    func degenerate() {
        #expect(FieldEllipsoid(algebraic: [Vector3]()) == nil)
        #expect(FieldEllipsoid(algebraic: [Vector3](repeating: centre, count: 100)) == nil)
        #expect(FieldEllipsoid(sphere: [Vector3](repeating: centre, count: 100)) == nil)
        let line = (0..<100).map { Vector3(Double($0), 0, 0) }
        #expect(FieldEllipsoid(robust: line) == nil)
    }

    @Test("the sphere is found through its cap")
    func sphere() throws {
        let cap = try points(400, noise: 0, seed: 3).compactMap { ($0 - centre).normalized }.filter { $0.z > 0.5 }
            .map { centre + 500 * $0 }
        let found = try #require(FieldEllipsoid(sphere: cap))
        #expect((found.centre - centre).norm < 1e-6)
        #expect((found.radius - 500).magnitude < 1e-6)
    }
}
