import Geometry
import Testing

/// SplitMix64: the same arguments everywhere.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func vector(_ size: Double) -> Vector3 {
        Vector3(
            Double.random(in: -size...size, using: &self), Double.random(in: -size...size, using: &self),
            Double.random(in: -size...size, using: &self))
    }

    mutating func rotation() -> Rotation3 { Rotation3.exp(vector(3)) }
}

/// Far above rounding of some ten operations, far below any effect of a wrong formula.
private let tolerance = 1e-12

private func distance(_ a: Rotation3, _ b: Rotation3) -> Double { (a * b.inverse).log.norm }

@Suite("Rotations")
struct Rotation3Tests {
    @Test("form a group that acts by isometries", arguments: UInt64(0)..<200)
    func group(seed: UInt64) {
        var random = Seeded(state: seed)
        let (a, b, c) = (random.rotation(), random.rotation(), random.rotation())
        let (v, w) = (random.vector(100), random.vector(100))
        #expect(distance((a * b) * c, a * (b * c)) < tolerance)
        #expect(distance(a * a.inverse, .identity) < tolerance)
        #expect(distance(a * .identity, a) < tolerance)
        #expect(((a * b) * v - a * (b * v)).norm < 1e-10)
        #expect(abs((a * v).norm - v.norm) < 1e-10)
        #expect(abs((a * v).dot(a * w) - v.dot(w)) < 1e-8)
        #expect(((a * v).cross(a * w) - a * v.cross(w)).norm < 1e-8)
    }

    @Test(
        "a turn is two half turns, also where the series takes over",
        arguments: [1e-9, 1e-3, 0.0999, 0.1, 0.1001, 0.199])
    func halves(angle: Double) {
        var random = Seeded(state: 3)
        for _ in 0..<20 {
            let vector = (random.vector(1).normalized ?? Vector3(1, 0, 0)) * angle
            let half = Rotation3.exp(vector * 0.5)
            // Rounding of the components of a unit quaternion.
            #expect(distance(half * half, Rotation3.exp(vector)) < 2e-15)
        }
    }

    @Test("the nearest rotation about the vertical is that by the yaw", arguments: UInt64(0)..<50)
    func nearestRotation2(seed: UInt64) {
        var random = Seeded(state: seed)
        let (rotation, v) = (random.rotation(), random.vector(10))
        let turn = Rotation2(nearest: rotation)
        let expected = Rotation3.aboutZ(rotation.yawAboutZ) * v
        #expect((turn * v - expected).norm < tolerance * 10)
        #expect((Rotation2(yaw: rotation.yawAboutZ) * v - expected).norm < tolerance * 10)
        #expect((turn.inverse * (turn * v) - v).norm < tolerance * 10)
    }

    @Test("exponential and logarithm undo each other up to a half turn", arguments: UInt64(0)..<200)
    func exponential(seed: UInt64) throws {
        var random = Seeded(state: seed)
        for size in [1e-13, 1e-9, 1e-4, 0.1, 1, 3, 3.14159] {
            let axis = try #require(random.vector(1).normalized)
            let back = Rotation3.exp(axis * size).log
            // Near π the logarithm is as ill-conditioned as arccos, but the quaternion's form keeps 1e-9.
            #expect((back - axis * size).norm < 1e-9)
            #expect(back.norm <= .pi + tolerance)
        }
    }

    @Test("a quaternion and its negative are the same rotation", arguments: UInt64(0)..<50)
    func doubleCover(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let a = random.rotation()
        let b = try #require(Rotation3(w: -a.w, x: -a.x, y: -a.y, z: -a.z))
        #expect((a.log - b.log).norm < 1e-9)
    }

    @Test("the matrix acts as the rotation does and leads back to it", arguments: UInt64(0)..<200)
    func matrix(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let a = random.rotation()
        let v = random.vector(10)
        #expect((a.matrix * v - a * v).norm < tolerance * 10)
        #expect(abs(a.matrix.determinant - 1) < tolerance)
        #expect(distance(try #require(Rotation3(matrix: a.matrix)), a) < 1e-11)
    }

    @Test("rotations by 180° about every axis survive the conversion to a matrix")
    func halfTurns() throws {
        for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 1, 0), Vector3(1, -1, 1)] {
            let turn = Rotation3.about(axis, by: .pi)
            #expect(distance(try #require(Rotation3(matrix: turn.matrix)), turn) < 1e-9)
        }
    }

    @Test("a matrix that is no rotation is refused")
    func noRotation() {
        #expect(Rotation3(matrix: 2 * Matrix<3, 3>.identity) == nil)
        #expect(Rotation3(matrix: -1 * Matrix<3, 3>.identity) == nil)
        var sheared = Matrix<3, 3>.identity
        sheared[0, 1] = 0.1
        #expect(Rotation3(matrix: sheared) == nil)
        sheared[0, 1] = .nan
        #expect(Rotation3(matrix: sheared) == nil)
    }

    @Test("the Jacobians are the derivatives", arguments: UInt64(0)..<100)
    func jacobians(seed: UInt64) {
        var random = Seeded(state: seed)
        let scale = [1e-3, 0.009, 0.011, 1.0, 1.7][Int(seed % 5)]
        let theta = random.vector(scale)
        let left = Rotation3.leftJacobian(theta)
        let right = Rotation3.rightJacobian(theta)
        let step = 1e-6
        for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
            let moved = Rotation3.exp(theta + axis * step)
            let numericLeft = (moved * Rotation3.exp(theta).inverse).log / step
            let numericRight = (Rotation3.exp(theta).inverse * moved).log / step
            // Second-order terms of the step, and rounding over the step.
            #expect((left * axis - numericLeft).norm < 3e-6)
            #expect((right * axis - numericRight).norm < 3e-6)
        }
        let inverseLeft = Rotation3.inverseLeftJacobian(theta) * left - .identity
        let inverseRight = Rotation3.inverseRightJacobian(theta) * right - .identity
        for i in 0..<3 {
            for j in 0..<3 { #expect(abs(inverseLeft[i, j]) < 1e-9 && abs(inverseRight[i, j]) < 1e-9) }
        }
    }

    @Test("the yaw about z is the angle that a rotation about z adds", arguments: UInt64(0)..<100)
    func yaw(seed: UInt64) {
        var random = Seeded(state: seed)
        // A tilt about a horizontal axis has no twist.
        let tilt = Rotation3.exp(Vector3(random.vector(1).x, random.vector(1).y, 0))
        let angle = Double.random(in: -3...3, using: &random)
        #expect(abs(Angle.wrapped((Rotation3.aboutZ(angle) * tilt).yawAboutZ - angle)) < 1e-9)
    }

    @Test("no rotation comes of a quaternion without direction")
    func degenerate() {
        #expect(Rotation3(w: 0, x: 0, y: 0, z: 0) == nil)
        #expect(Rotation3(w: .nan, x: 0, y: 0, z: 1) == nil)
        #expect(Rotation3(w: .infinity, x: 0, y: 0, z: 1) == nil)
    }
}

@Suite("Rigid motions")
struct RigidTransformTests {
    @Test("form a group that keeps distances", arguments: UInt64(0)..<100)
    func group(seed: UInt64) {
        var random = Seeded(state: seed)
        func transform() -> RigidTransform {
            RigidTransform(rotation: random.rotation(), translation: random.vector(50))
        }
        let (a, b, c) = (transform(), transform(), transform())
        let (p, q) = (random.vector(20), random.vector(20))
        #expect((((a * b) * c) * p - (a * (b * c)) * p).norm < 1e-10)
        #expect((a.inverse * (a * p) - p).norm < 1e-10)
        #expect(abs((a * p - a * q).norm - (p - q).norm) < 1e-10)
        #expect((RigidTransform.identity * p - p).norm == 0)
    }
}

@Suite("Angles")
struct AngleTests {
    @Test("are brought into their range without leaving their direction")
    func ranges() {
        for angle in stride(from: -20.0, through: 20, by: 0.37) {
            let wrapped = Angle.wrapped(angle)
            let positive = Angle.positive(angle)
            #expect(wrapped >= -.pi && wrapped <= .pi)
            #expect(positive >= 0 && positive < 2 * .pi)
            #expect(distance(Rotation3.aboutZ(angle), Rotation3.aboutZ(wrapped)) < 1e-9)
            #expect(distance(Rotation3.aboutZ(angle), Rotation3.aboutZ(positive)) < 1e-9)
        }
        #expect(Angle.positive(-1e-300) == 0)
        #expect(Angle.degrees(radians: Angle.radians(degrees: 12.5)) == 12.5)
    }
}

@Suite("Cholesky factors")
struct CholeskyTests {
    @Test("whitened errors have the squared length of Mahalanobis")
    func whitening() throws {
        var random = Seeded(state: 11)
        let (a, b) = (Matrix<3, 3>(random.vector(1), random.vector(1), random.vector(1)), random.vector(1))
        let factor = try #require(Cholesky(a * a.transpose + Matrix.identity))
        var column = Matrix<3, 1>()
        (column[0, 0], column[1, 0], column[2, 0]) = (b.x, b.y, b.z)
        let expected = factor.squaredLength(column)
        factor.whiten(&column)
        #expect(abs((column.transpose * column)[0, 0] - expected) < tolerance)
    }

    @Test("solve what they were made of", arguments: UInt64(0)..<50)
    func solve(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var a = Matrix<6, 6>.diagonalOnes
        var b = Matrix<6, 2>()
        for i in 0..<6 {
            for j in 0..<6 { a[i, j] += Double.random(in: -1...1, using: &random) }
            for j in 0..<2 { b[i, j] = Double.random(in: -1...1, using: &random) }
        }
        let positive = a * a.transpose + 0.1 * Matrix<6, 6>.diagonalOnes
        let factor = try #require(Cholesky(positive))
        let rest = positive * factor.solve(b) - b
        for i in 0..<6 {
            for j in 0..<2 { #expect(abs(rest[i, j]) < 1e-9) }
        }
        let again = factor.factor * factor.factor.transpose - positive
        for i in 0..<6 {
            for j in 0..<6 { #expect(abs(again[i, j]) < 1e-12) }
        }
    }

    @Test("tell a squared length and a determinant")
    func length() throws {
        var a = Matrix<2, 2>()
        a[0, 0] = 4
        a[1, 1] = 9
        var b = Matrix<2, 1>()
        b[0, 0] = 2
        b[1, 0] = 3
        let factor = try #require(Cholesky(a))
        #expect(abs(factor.squaredLength(b) - 2) < tolerance)
        #expect(abs(factor.determinant - 36) < 1e-10)
    }

    @Test("do not exist for a matrix that is not positive definite")
    func refused() {
        var a = Matrix<3, 3>.identity
        a[2, 2] = -1
        #expect(Cholesky(a) == nil)
        a[2, 2] = .nan
        #expect(Cholesky(a) == nil)
        a[2, 2] = 0
        #expect(Cholesky(a) == nil)
    }
}
