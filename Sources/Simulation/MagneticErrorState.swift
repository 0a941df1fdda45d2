import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Time-varying errors of the magnetic field and its sensor: iron along the street, passing disturbances, misalignment
/// of the sensor, hard iron and noise.
struct MagneticErrorState {
    private let errors: SensorErrors.Magnetic
    private var random: RandomSource
    /// Hard iron after calibration. Frame: body. Unit: microtesla.
    let hardIron: Vector3
    private let street: StreetIron
    /// Rotation of the horizontal field, clockwise. Unit: radians.
    private let turn: Double
    private var disturbanceStart: Double
    private var disturbanceLength: Double
    private var disturbancePeakENU: Vector3

    /// - Parameters:
    ///   - roundMetres: length of one round. Unit: metres.
    ///   - stream: independent random sources by number. Error sources added later use their own numbers, so that the draws
    ///     of the first one stay the same.
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
        var board = stream(9)
        hardIron = residue + (board.normalVector(1).normalized ?? .zero) * errors.uncalibratedIron
    }

    /// Reading of the sensor; one call a sample. Frame: body. Unit: microtesla.
    ///
    /// - Parameters:
    ///   - fieldENU: field of the earth. Frame: ENU. Unit: microtesla.
    ///   - wayMetres: distance along the street. Unit: metres.
    ///   - seconds: time since the start of the walk, increasing from call to call. Unit: seconds.
    mutating func reading(
        of fieldENU: Vector3, rotationBodyFromENU: Rotation3, wayMetres: Double, at seconds: Double
    ) -> Vector3 {
        let field = fieldENU + disturbance(at: seconds) + street.fieldENU(at: wayMetres)
        return rotationBodyFromENU * turned(field) + hardIron + random.normalVector(errors.noise)
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
