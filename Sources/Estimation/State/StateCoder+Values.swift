import Geodesy
import Geometry
import Model

/// Values of other modules, as parts of the state of the estimator.
extension Double: BlankState {
    package static var blank: Double { 0 }
    package mutating func code(_ coder: inout StateCoder) { coder.number(&self) }
}

extension Float: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        var wide = Double(self)
        coder.number(&wide)
        if coder.isReading { self = Float(wide) }
    }
}

extension Bool: StateCoded {
    package mutating func code(_ coder: inout StateCoder) { coder.flag(&self) }
}

extension UInt16: StateCoded {
    package mutating func code(_ coder: inout StateCoder) { coder.integer(&self, upTo: .max) }
}

extension UInt32: BlankState {
    package static var blank: UInt32 { 0 }
    package mutating func code(_ coder: inout StateCoder) { coder.integer(&self, upTo: .max) }
}

extension UInt64: StateCoded {
    /// A count that will never overflow.
    package mutating func code(_ coder: inout StateCoder) { coder.integer(&self, upTo: 1 << 62) }
}

extension BootTime: BlankState {
    package static var blank: BootTime { BootTime(nanoseconds: 0) }
    package mutating func code(_ coder: inout StateCoder) { coder.time(&nanoseconds, within: MeasurementRange.time) }
}

extension SIMD4<Double>: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        for index in 0..<4 { coder.number(&self[index]) }
    }
}

extension InlineArray: StateCoded where Element: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        for index in indices { coder.element(&self[index]) }
    }
}

extension Vector2: BlankState {
    package static var blank: Vector2 { Vector2() }
    package mutating func code(_ coder: inout StateCoder) {
        coder.number(&x)
        coder.number(&y)
    }
}

extension Vector3: BlankState {
    package static var blank: Vector3 { .zero }
    package mutating func code(_ coder: inout StateCoder) {
        coder.number(&x)
        coder.number(&y)
        coder.number(&z)
    }
}

extension Rotation2: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        var (cosine, sine) = (cosine, sine)
        coder.number(&cosine)
        coder.number(&sine)
        guard coder.isReading else { return }
        let read = Rotation2(exactly: cosine, sine)
        coder.require(read != nil)
        self = read ?? self
    }
}

extension Rotation3: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        var (w, x, y, z) = (w, x, y, z)
        coder.number(&w)
        coder.number(&x)
        coder.number(&y)
        coder.number(&z)
        guard coder.isReading else { return }
        let read = Rotation3(exactly: w, x, y, z)
        coder.require(read != nil)
        self = read ?? self
    }
}

extension Matrix: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        for i in 0..<Rows {
            for j in 0..<Columns { coder.number(&rows[i][j]) }
        }
    }

    /// Passes the upper triangle alone, of a matrix that is symmetric to the last bit.
    mutating func codeTriangle(_ coder: inout StateCoder) {
        for i in 0..<Rows {
            for j in i..<Columns {
                coder.number(&rows[i][j])
                if coder.isReading, i != j { rows[j][i] = rows[i][j] }
            }
        }
    }
}

extension Matrix<3, 3>: BlankState {
    package static var blank: Matrix<3, 3> { Matrix<3, 3>() }
}

extension GeodeticPosition: BlankState {
    package static var blank: GeodeticPosition {
        GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0)!
    }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&latitudeDegrees, "latitudeDegrees", in: -90...90)
        coder.code(&longitudeDegrees, "longitudeDegrees", in: -540...540)
        coder.code(&ellipsoidalHeight, "ellipsoidalHeight", in: -2e7...2e7)
    }
}

extension GeomagneticField: BlankState {
    package static var blank: GeomagneticField { GeomagneticField(fluxDensityENU: .zero) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&declination, "declination")
        coder.code(&inclination, "inclination")
        coder.code(&horizontalIntensity, "horizontalIntensity")
        coder.code(&totalIntensity, "totalIntensity")
    }
}

extension AngularRateSample: BlankState {
    package static var blank: AngularRateSample { AngularRateSample(time: .blank, rate: .zero) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&rate, "rate")
    }
}

extension SpecificForceSample: BlankState {
    package static var blank: SpecificForceSample { SpecificForceSample(time: .blank, force: .zero) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&force, "force")
    }
}

extension MagneticSample: BlankState {
    package static var blank: MagneticSample { MagneticSample(time: .blank, field: .zero) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&field, "field")
    }
}

extension SensorCalibration: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&sensor, "sensor", among: Sensor.allCases)
        coder.code(&correction, "correction")
        coder.code(&bias, "bias")
        coder.code(&biasStandardDeviation, "biasStandardDeviation")
    }
}

extension HeadingPairs: BlankState {
    package static var blank: HeadingPairs { HeadingPairs(count: 0, correction: nil, standardDeviation: 0) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&count, "count", in: StateCoder.counts)
        coder.code(&correction, "correction")
        coder.code(&standardDeviation, "standardDeviation")
    }
}

extension HeadingReading: BlankState {
    package static var blank: HeadingReading {
        HeadingReading(time: .blank, correction: nil, standardDeviation: 0, pairs: 0, yaw: 0)
    }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&correction, "correction")
        coder.code(&standardDeviation, "standardDeviation")
        coder.code(&pairs, "pairs", in: StateCoder.counts)
        coder.code(&velocities, "velocities")
        coder.code(&positions, "positions")
        coder.code(&yaw, "yaw")
        coder.code(&isByPositionsAlone, "isByPositionsAlone")
    }
}

extension WalkedTrack: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        var (position, number, yaw) = (position, number, yaw)
        var (deviation, lineDeviation) = (standardDeviation, lineStandardDeviation)
        coder.code(&position, "position")
        coder.code(&deviation, "standardDeviation")
        coder.code(&lineDeviation, "lineStandardDeviation")
        coder.code(&number, "number")
        coder.code(&yaw, "yaw")
        guard coder.isReading else { return }
        self = WalkedTrack(
            position: position, standardDeviation: deviation, lineStandardDeviation: lineDeviation, number: number,
            yaw: yaw)
    }
}

extension SceneAlignment: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&yaw, "yaw")
        coder.code(&translation, "translation")
    }
}

extension FrameEstimate: BlankState {
    package static var blank: FrameEstimate {
        let alignment = SceneAlignment(yaw: 0, translation: .zero)
        return FrameEstimate(generation: 0, origin: nil, published: alignment, target: alignment, slewEnd: nil)
    }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&generation, "generation")
        coder.code(&origin, "origin")
        coder.code(&published, "published")
        coder.code(&target, "target")
        coder.code(&slewEnd, "slewEnd")
        coder.code(&horizontalAccuracy, "horizontalAccuracy")
        coder.code(&yawAccuracy, "yawAccuracy")
        coder.code(&before, "before")
        coder.code(&causes, "causes", bits: FrameCause.allCases.count)
        coder.code(&mainCause, "mainCause", among: FrameCause.allCases)
    }
}

extension WarmStart: BlankState {
    package static var blank: WarmStart { WarmStart() }
    /// Identities and versions have no influence on the estimate, and would be the only texts.
    package mutating func code(_ coder: inout StateCoder) {
        coder.leave("sensors", "version")
        coder.code(&ageSeconds, "ageSeconds")
        coder.code(&moment, "moment")
        coder.code(&place, "place")
        coder.code(&gyroBias, "gyroBias", blank: Estimate(value: .zero, standardDeviation: .zero))
        coder.code(&accelerometerBias, "accelerometerBias", blank: Estimate(value: .zero, standardDeviation: .zero))
        coder.code(&hardIron, "hardIron", blank: Estimate(value: .zero, standardDeviation: .zero))
        coder.code(&fieldNorm, "fieldNorm")
        coder.code(&stepScale, "stepScale", blank: Estimate(value: 0, standardDeviation: 0))
        coder.code(&velocityDelay, "velocityDelay", blank: Estimate(value: 0, standardDeviation: 0))
    }
}

extension WarmStart.Estimate: StateCoded where Value: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&value, "value")
        coder.code(&standardDeviation, "standardDeviation")
    }
}

extension WarmStart.Moment: BlankState {
    package static var blank: WarmStart.Moment { WarmStart.Moment(bootTime: .blank, boot: "", utcSeconds: 0) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.leave("boot")
        coder.code(&bootTime, "bootTime")
        coder.code(&utcSeconds, "utcSeconds")
    }
}

extension WarmStart.Place: BlankState {
    package static var blank: WarmStart.Place {
        WarmStart.Place(position: .blank, horizontalStandardDeviation: 0, ageSeconds: 0)
    }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&position, "position")
        coder.code(&horizontalStandardDeviation, "horizontalStandardDeviation")
        coder.code(&ageSeconds, "ageSeconds")
    }
}

extension WarmStartReport: BlankState {
    package static var blank: WarmStartReport { WarmStartReport(ageSeconds: 0) }
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&ageSeconds, "ageSeconds")
        coder.code(&used, "used", bits: 6)
        coder.code(&tooOld, "tooOld", bits: 6)
        coder.code(&implausible, "implausible", bits: 6)
        coder.code(&contradicted, "contradicted", bits: 6)
    }
}
