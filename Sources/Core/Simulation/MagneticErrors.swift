import Geometry
import Glibc
import Model

extension SensorErrors {
    /// Errors of the magnetometer and disturbances of the field around it. Unit: microtesla.
    public struct Magnetic: Hashable, Sendable {
        /// Standard deviation per axis of the white noise of each sample.
        public var noise: Double
        /// Standard deviation per axis of the hard iron that remains after a calibration. It is fixed in the body.
        public var hardIron: Double
        /// Magnitude of additional hard iron in a random body direction, as on an uncalibrated board.
        public var uncalibratedIron = 0.0
        /// Standard deviation per axis of the peak of one disturbance. It is fixed in ENU.
        public var disturbance: Double
        /// Range of the durations of a disturbance, which rises and falls smoothly. Unit: seconds.
        public var disturbanceSeconds: ClosedRange<Double>
        /// Range of the times between disturbances, and before the first one. Unit: seconds.
        public var quietSeconds: ClosedRange<Double>
        /// Standard deviation per axis of the anomaly that rails, pipes and structural steel cause at fixed locations.
        /// Frame: ENU.
        public var streetIron = 0.0
        /// Correlation length of the anomaly along the street. Unit: metres.
        public var streetIronMetres = 25.0
        /// Rotation of the horizontal field because the sensor is misaligned.
        public var fieldTurn = FieldTurn.none
        /// Permanent rotation of the sensor's axes about the body's up axis. It increases the measured heading by this
        /// angle, clockwise. Unit: radians.
        public var axisTurn = 0.0

        /// Stored calibration of the magnetometer; nil for an uncalibrated board.
        func calibration(at time: BootTime) -> SensorCalibration? {
            guard uncalibratedIron == 0 else { return nil }
            let left = max(hardIron, Self.minimumResidue)
            return SensorCalibration(
                time: time, sensor: .magnetometer, biasStandardDeviation: Vector3(left, left, left))
        }

        /// Lower bound of the standard deviation of a calibration's bias. Unit: microtesla.
        private static let minimumResidue = 0.1

        /// A calibrated board in a street. The street iron of 1.2 µT rotates the horizontal field of Zurich by 3°, and
        /// a misalignment of the sensor by another 2°.
        public static let typical = Magnetic(
            noise: 0.4, hardIron: 1, disturbance: 8, disturbanceSeconds: 10...40, quietSeconds: 30...120,
            streetIron: 1.2, fieldTurn: .drawn(standardDeviation: 2 * .pi / 180))
        package static let none = Magnetic(
            noise: 0, hardIron: 0, disturbance: 0, disturbanceSeconds: 10...40, quietSeconds: 30...120)
    }

    /// Constant rotation of the horizontal magnetic field, clockwise. Unit: radians.
    public enum FieldTurn: Hashable, Sendable {
        /// A normally distributed angle, drawn at the start.
        case drawn(standardDeviation: Double)
        /// A given angle.
        case exactly(Double)

        package static let none = FieldTurn.exactly(0)
    }
}

/// Time-varying errors of the magnetic field and its sensor: iron along the street, passing disturbances, a misaligned
/// sensor, hard iron and noise.
struct MagneticErrorState {
    private let errors: SensorErrors.Magnetic
    private var random: RandomSource
    /// Hard iron that remains after calibration. Frame: body. Unit: microtesla.
    let hardIron: Vector3
    private let street: StreetIron
    /// Rotation of the horizontal field, clockwise. Unit: radians.
    private let turn: Double
    /// Rotation from the body to the axes of the sensor, about the body's up axis.
    private let rotationSensorFromBody: Rotation3
    private var disturbanceStart: Double
    private var disturbanceLength: Double
    private var disturbancePeakENU: Vector3

    /// - Parameters:
    ///   - roundMetres: length of one round. Unit: metres.
    ///   - stream: returns the independent random source with a number. Every error source has its own number, so that
    ///     adding one does not change the random numbers of the others.
    init(_ errors: SensorErrors.Magnetic, roundMetres: Double, stream: (UInt64) -> RandomSource) {
        var random = stream(4)
        self.errors = errors
        let residue = random.normalVector(errors.hardIron)
        disturbanceStart = random.uniform(in: errors.quietSeconds)
        disturbanceLength = random.uniform(in: errors.disturbanceSeconds)
        disturbancePeakENU = random.normalVector(errors.disturbance)
        self.random = random
        street = StreetIron(
            standardDeviation: errors.streetIron, correlationMetres: errors.streetIronMetres,
            roundMetres: roundMetres, random: stream(7))
        var mounting = stream(8)
        turn = errors.fieldTurn.angle(&mounting)
        rotationSensorFromBody = Rotation3.about(Vector3(0, 1, 0), by: errors.axisTurn)
        var board = stream(9)
        hardIron = residue + (board.normalVector(1).normalized ?? .zero) * errors.uncalibratedIron
    }

    /// Reading of the sensor; called once for each sample. Frame: body. Unit: microtesla.
    ///
    /// - Parameters:
    ///   - fieldENU: the earth's field. Frame: ENU. Unit: microtesla.
    ///   - pathMetres: distance along the street. Unit: metres.
    ///   - seconds: time since the start of the walk. It must not decrease from call to call. Unit: seconds.
    ///   - nearness: factor of the disturbances and the street iron: 1 in the street, 0 away from it.
    mutating func reading(
        of fieldENU: Vector3, rotationBodyFromENU: Rotation3, pathMetres: Double, at seconds: Double,
        nearness: Double = 1
    ) -> Vector3 {
        let field = fieldENU + disturbance(at: seconds) * nearness + street.fieldENU(at: pathMetres) * nearness
        let fieldInBody = rotationBodyFromENU * turned(field)
        // A rotation by zero could change the last bits of the field.
        let fieldInSensor = errors.axisTurn == 0 ? fieldInBody : rotationSensorFromBody * fieldInBody
        return fieldInSensor + hardIron + random.normalVector(errors.noise)
    }

    private mutating func disturbance(at seconds: Double) -> Vector3 {
        while seconds > disturbanceStart + disturbanceLength {
            disturbanceStart += disturbanceLength + random.uniform(in: errors.quietSeconds)
            disturbanceLength = random.uniform(in: errors.disturbanceSeconds)
            disturbancePeakENU = random.normalVector(errors.disturbance)
        }
        let phase = max(0, (seconds - disturbanceStart) / disturbanceLength)
        return 0.5 * (1 - cos(2 * .pi * phase)) * disturbancePeakENU
    }

    /// The field rotated clockwise about the vertical.
    private func turned(_ field: Vector3) -> Vector3 {
        let (cosine, sine) = (cos(turn), sin(turn))
        return Vector3(field.x * cosine + field.y * sine, field.y * cosine - field.x * sine, field.z)
    }
}

extension SensorErrors.FieldTurn {
    fileprivate func angle(_ random: inout RandomSource) -> Double {
        switch self {
        case .drawn(let standardDeviation): standardDeviation * random.normal()
        case .exactly(let angle): angle
        }
    }
}
