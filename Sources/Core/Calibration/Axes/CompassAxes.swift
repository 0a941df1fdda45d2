import Geometry
import Model

/// Axes of a magnetometer relative to those of gyroscope and accelerometer, found from samples of a board that is
/// turned by hand.
package struct CompassAxes {
    package enum Finding: Hashable {
        /// The compass has this rotation relative to the inertial sensors.
        case turn(AxisTurn)
        /// The accelerometer is rotated relative to the gyroscope.
        case inertial(AxisTurn)
        /// No rotation is clearly the best, either for the compass or for the accelerometer.
        case unknown
    }

    package let finding: Finding
    /// Rotation, from the sensor's axes to the body's, that is applied to the samples before the fit.
    var turn: AxisTurn { if case .turn(let turn) = finding { turn } else { .identity } }

    /// - Parameter settings: settings whose active calibrations correct the forces and rates.
    package init(_ store: MagneticStore, settings: CalibrationSettings) {
        guard store.fields.count >= MagnetometerLimits.minimumSampleCount,
            let ellipsoid = FieldEllipsoid(robust: store.fields.map(\.value))
        else {
            finding = .unknown
            return
        }
        let fields = store.fields.compactMap { sample in
            ellipsoid.corrected(sample.value).normalized.map { MagneticStore.Sample(time: sample.time, value: $0) }
        }
        let ups = Self.ups(store.correctedForces(settings))
        let rates = store.correctedRates(settings)
        let constancy = DipConstancy.turn(Self.pairs(fields, ups))
        guard rates.count >= MagnetometerLimits.minimumSampleCount else {
            finding = constancy.map { .turn($0) } ?? .unknown
            return
        }
        let track = OrientationTrack(rates)
        if let other = AxisRegression(ups, track).turn, other != .identity {
            finding = .inertial(other)
            return
        }
        guard let turn = AxisRegression(fields, track).turn, constancy ?? turn == turn else {
            finding = .unknown
            return
        }
        finding = .turn(turn)
    }

    /// Up directions at the times of the forces. Each is the direction of the mean force over about two periods of a
    /// hand's tremor. It is left out if the mean's magnitude differs from gravity by `AxisLimits.acceleration` or more.
    private static func ups(_ forces: [MagneticStore.Sample]) -> [MagneticStore.Sample] {
        let strength = median(forces.map(\.value.norm))
        guard strength > 0, strength.isFinite else { return [] }
        var (first, next) = (0, 0)
        var sum = Vector3.zero
        return forces.compactMap { force in
            while next < forces.count, forces[next].time <= force.time + MagnetometerLimits.instantReach {
                sum += forces[next].value
                next += 1
            }
            while forces[first].time < force.time - MagnetometerLimits.instantReach {
                sum -= forces[first].value
                first += 1
            }
            let mean = sum / (strength * Double(next - first))
            guard (mean.norm - 1).magnitude < AxisLimits.acceleration, let up = mean.normalized else { return nil }
            return MagneticStore.Sample(time: force.time, value: up)
        }
    }

    /// Pairs each field with the up direction that is nearest in time.
    private static func pairs(
        _ fields: [MagneticStore.Sample], _ ups: [MagneticStore.Sample]
    ) -> [(time: Double, field: Vector3, up: Vector3)] {
        guard !ups.isEmpty else { return [] }
        var index = 0
        return fields.compactMap { field in
            while index + 1 < ups.count, ups[index + 1].time <= field.time { index += 1 }
            guard (ups[index].time - field.time).magnitude <= MagnetometerLimits.instantReach else { return nil }
            return (field.time, field.value, ups[index].value)
        }
    }
}

extension MagneticStore {
    /// Copy of the store whose fields are in rotated axes.
    func turned(by turn: AxisTurn) -> MagneticStore {
        var turned = self
        if turn != .identity {
            turned.replaceFields(fields.map { Sample(time: $0.time, value: turn.matrix * $0.value) })
        }
        return turned
    }
}

extension CalibrationSettings {
    /// Copy of the settings for fields in rotated axes.
    func turned(by turn: AxisTurn) -> CalibrationSettings {
        var turned = self
        for (index, active) in present.enumerated() where active.sensor == .magnetometer {
            turned.present[index] = SensorCalibration(
                time: active.time, sensor: active.sensor, correction: active.correction * turn.inverse.matrix,
                bias: turn.matrix * active.bias, biasStandardDeviation: active.biasStandardDeviation)
        }
        return turned
    }
}

extension SensorFit {
    /// Converts this fit, which is for fields in rotated axes, to a fit for fields in measured axes.
    func beforeTurn(_ turn: AxisTurn) -> SensorFit {
        guard turn != .identity else { return self }
        let back = turn.inverse.matrix
        var fit = self
        fit.correction = correction * turn.matrix
        fit.bias = back * bias
        // A signed permutation changes the order of standard deviations, but their signs stay positive.
        fit.correctionStandardDeviation = correctionStandardDeviation * turn.matrix.magnitudes
        fit.biasStandardDeviation = back.magnitudes * biasStandardDeviation
        return fit
    }
}

extension MagneticSolution {
    /// Makes the finding about the axes and the sign of the field's elevation.
    func finding(_ axes: CompassAxes, _ settings: CalibrationSettings) -> AxisFinding? {
        AxisFinding(
            axes.finding, elevation: fit.isAligned ? fit.model.elevation : nil, inclination: settings.inclination)
    }
}

extension MagneticVerdict {
    /// Refuses the result if the axes contradict the inclination of the field, because north would then be reversed.
    /// Also refuses it if the axes of the two inertial sensors contradict each other, because the field's axes cannot
    /// then be compared with them.
    static func wrongAxes(_ result: CalibrationResult) -> CalibrationVerdict? {
        guard let axes = result.axes else { return nil }
        switch axes.kind {
        case .agree, .rotated: return nil
        case .mirrored, .inverted, .different: return .refused(.poorFit, axes.detail)
        }
    }
}
