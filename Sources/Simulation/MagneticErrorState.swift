import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What is wrong with the magnetic field and its sensor as it goes on in time: the street's iron, passing disturbances,
/// a compass mounted off, hard iron and noise.
struct MagneticErrorState {
    private let errors: SensorErrors.Magnetic
    private var random: RandomSource
    /// Frame: body. Unit: microtesla.
    let hardIron: Vector3
    private let street: StreetIron
    /// Clockwise. Unit: radians.
    private let turn: Double
    private var disturbanceStart: Double
    private var disturbanceLength: Double
    private var disturbancePeakENU: Vector3

    /// - Parameters:
    ///   - roundMetres: way after which the streets are the same again.
    ///   - stream: independent random sources by number. What was added later has numbers of its own, so that it
    ///     leaves alone what the first one draws.
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

    /// One call a sample.
    ///
    /// - Parameters:
    ///   - fieldENU: of the earth, microtesla.
    ///   - wayMetres: where on its street the wearer is.
    ///   - seconds: since the start of the walk, growing from call to call.
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

    /// Clockwise about the vertical.
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
