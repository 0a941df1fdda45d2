extension Measurement {
    /// The same measurement with all time stamps shifted.
    ///
    /// - Parameter nanoseconds: added to each stamp; the sum saturates.
    public func shifted(by nanoseconds: Int64) -> Measurement {
        switch self {
        case .angularRate(let sample):
            .angularRate(AngularRateSample(time: sample.time.shifted(by: nanoseconds), rate: sample.rate))
        case .specificForce(let sample):
            .specificForce(SpecificForceSample(time: sample.time.shifted(by: nanoseconds), force: sample.force))
        case .magneticField(let sample):
            .magneticField(MagneticSample(time: sample.time.shifted(by: nanoseconds), field: sample.field))
        case .pressure(let sample):
            .pressure(
                PressureSample(
                    time: sample.time.shifted(by: nanoseconds), pressureHectopascal: sample.pressureHectopascal))
        case .fix(var fix):
            {
                fix.epoch = fix.epoch.shifted(by: nanoseconds)
                fix.arrival = fix.arrival.shifted(by: nanoseconds)
                return .fix(fix)
            }()
        case .calibration(var calibration):
            {
                calibration.time = calibration.time.shifted(by: nanoseconds)
                return .calibration(calibration)
            }()
        case .clock(let time): .clock(time.shifted(by: nanoseconds))
        }
    }
}

extension BootTime {
    /// The instant some nanoseconds later; saturates.
    public func shifted(by nanoseconds: Int64) -> BootTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return BootTime(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}
