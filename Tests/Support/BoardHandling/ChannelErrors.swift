import Geometry
import Simulation

/// Errors of one sensor of three axes; the unit U is rad/s, m/s² or microtesla.
///
/// `measured = matrix · true + bias + noise`, rounded to the quantum and clipped to the range.
public struct ChannelErrors: Hashable, Sendable {
    /// Matrix of scale, skew and soft iron, from true to measured values.
    public var matrix: Matrix<3, 3>
    /// Bias; hard iron for the magnetometer. Unit: U.
    public var bias: Vector3
    /// Density of the white noise, angle or velocity random walk. Unit: U/√Hz.
    public var noiseDensity: Double
    /// Bias instability B by flicker noise: the floor of the Allan deviation is 0.664·B. Unit: U.
    public var biasInstability: Double
    /// Rate random walk K. Unit: U/√s.
    public var biasWalk: Double
    /// Step of the converter; 0 is without quantisation. Unit: U.
    public var quantum: Double
    /// Largest magnitude, beyond which the sensor is clipped. Unit: U.
    public var range: Double

    /// Errors by their figures; none unless given.
    public init(
        matrix: Matrix<3, 3> = .identity, bias: Vector3 = .zero, noiseDensity: Double = 0, biasInstability: Double = 0,
        biasWalk: Double = 0, quantum: Double = 0, range: Double = .infinity
    ) {
        self.matrix = matrix
        self.bias = bias
        self.noiseDensity = noiseDensity
        self.biasInstability = biasInstability
        self.biasWalk = biasWalk
        self.quantum = quantum
        self.range = range
    }

    /// No errors.
    public static let none = ChannelErrors()

    /// True correction matrix of the sensor: `true = correction · (measured − bias)`.
    public var correction: Matrix<3, 3> { matrix.inverse3 }
}

/// Errors of the sensors of a handled board.
public struct HandledErrors: Hashable, Sendable {
    /// Errors of the gyroscope.
    public var gyroscope: ChannelErrors
    /// Errors of the accelerometer.
    public var accelerometer: ChannelErrors
    /// Errors of the magnetometer.
    public var magnetometer: ChannelErrors

    /// Errors by sensor; none unless given.
    public init(
        gyroscope: ChannelErrors = .none, accelerometer: ChannelErrors = .none, magnetometer: ChannelErrors = .none
    ) {
        self.gyroscope = gyroscope
        self.accelerometer = accelerometer
        self.magnetometer = magnetometer
    }

    /// No errors.
    public static let none = HandledErrors()

    /// Random errors of a phone-grade board from the factory.
    ///
    /// Biases of 0.5 °/s, 0.15 m/s² and 25 µT, scales and axes off by 1 % and 0.5° (soft iron by 5 %), all standard
    /// deviations per axis; the noise of common consumer parts (BMI270, AK09919 and their like, by their data sheets).
    public static func typical(seed: UInt64) -> HandledErrors {
        var random = RandomSource(seed: seed, stream: 40)
        let degree = Double.pi / 180
        return HandledErrors(
            gyroscope: ChannelErrors(
                matrix: random.nearIdentity(scale: 0.01, skew: 0.5 * degree),
                bias: random.normalVector(0.5 * degree), noiseDensity: 0.007 * degree,
                biasInstability: 0.002 * degree, biasWalk: 1e-6, quantum: 2000 * degree / 32768, range: 2000 * degree),
            accelerometer: ChannelErrors(
                matrix: random.nearIdentity(scale: 0.01, skew: 0.5 * degree), bias: random.normalVector(0.15),
                noiseDensity: 1.2e-3, biasInstability: 5e-4, biasWalk: 2e-5, quantum: 8 * 9.80665 / 32768,
                range: 8 * 9.80665),
            magnetometer: ChannelErrors(
                matrix: random.nearIdentity(scale: 0.05, skew: 0.05), bias: random.normalVector(25),
                noiseDensity: 0.06, quantum: 0.15, range: 4900))
    }
}

extension RandomSource {
    /// Random matrix near the identity, by the standard deviations of the diagonal and the other elements.
    mutating func nearIdentity(scale: Double, skew: Double) -> Matrix<3, 3> {
        var matrix = Matrix<3, 3>.identity
        for row in 0..<3 {
            for column in 0..<3 { matrix[row, column] += normal() * (row == column ? scale : skew) }
        }
        return matrix
    }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Inverse by cofactors: rows of its transpose are cross products of the rows over the determinant.
    fileprivate var inverse3: Matrix<3, 3> {
        let a = Vector3(self[0, 0], self[0, 1], self[0, 2])
        let b = Vector3(self[1, 0], self[1, 1], self[1, 2])
        let c = Vector3(self[2, 0], self[2, 1], self[2, 2])
        let determinant = a.dot(b.cross(c))
        precondition(determinant != 0, "a sensor with three axes has an invertible matrix")
        return (1 / determinant) * Matrix(b.cross(c), c.cross(a), a.cross(b)).transpose
    }
}
