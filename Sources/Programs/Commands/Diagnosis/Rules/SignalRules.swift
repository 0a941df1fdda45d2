import Geometry
import Model

/// Sampling: rate, jitter, gaps and stuck values.
extension BoardFacts {
    @Rules var signalRules: [Finding] {
        for stream in streams where stream.state == "streaming" || stream.state == "polling" {
            measuredRate(of: stream)
            grantedRate(of: stream)
            let polled = stream.state == "polling" ? stream.pollingReason.map { "polled: \($0)" } : nil
            let rate = Int(Limits.pollingRate)
            // A new trigger helps only if the buffer lacks a trigger. It helps neither a device without a buffer nor a
            // buffer with another fault.
            warning(.signalPolled, stream.subject, polled)
                .meaning("at most \(rate) samples a second, timestamped when read, with delay and jitter")
                .fix(stream.isTriggerMissing ? Remedy.timer : Remedy.kernelLog)
            if let statistics = stream.statistics { sampleRules(stream, statistics) }
        }
    }

    @Rules private func measuredRate(of stream: StreamFacts) -> Finding? {
        let isPolling = stream.state == "polling"
        let (granted, requested) = (stream.grantedRate, stream.requestedRate)
        // A polled sensor is sampled at most at the polling rate, whatever rate the driver reports.
        let polled = (requested ?? granted).map { min($0, Limits.pollingRate) }
        let expected = (isPolling ? polled : granted ?? requested) ?? 0
        if let rate = stream.statistics?.rate ?? stream.countedRate, expected > 0 {
            let share = rate / expected
            let jitter = stream.statistics.map { ", jitter \(Amount.percent($0.jitter))" } ?? ""
            let promise = isPolling ? "of polling" : stream.isOffered ? "before" : "granted by the driver"
            let what = "\(Amount.hertz(rate)) instead of \(Amount.hertz(expected)) \(promise)"
            let level: Finding.Level = share < Limits.minimumRateShare ? .failure : .warning
            ok(.signalRate, if: Limits.rateShare.contains(share), stream.subject, Amount.hertz(rate) + jitter)
            rule(level, .signalSlow, if: share < 1, stream.subject, what)
                .meaning("samples are lost: slow bus, missed interrupts or CPU overload")
                .fix("\(Remedy.kernelLog); \(edit("a lower \(stream.setting)"))")
            warning(.signalFast, stream.subject, what)
                .meaning("the driver reports a wrong sampling rate, so timestamps derived from it are wrong")
                .fix(edit("\(stream.setting) = \(Amount.text(rate, digits: 0))"))
        }
    }

    @Rules private func grantedRate(of stream: StreamFacts) -> Finding? {
        let available = Remedy.attributes + "*sampling_frequency_available; "
        let own = stream.grantedRate.map(Amount.hertz) ?? "its own rate"
        warning(.signalRateRefused, stream.subject, stream.rateProblem)
            .meaning("the sensor runs at \(own)").fix(available + Remedy.kernelLog)
        if let requested = stream.requestedRate, let granted = stream.grantedRate, requested > 0 {
            let isOther = !Limits.grantedShare.contains(granted / requested)
            let what = "\(Amount.hertz(granted)) instead of the requested \(Amount.hertz(requested))"
            let less = "the driver does not support the rate, or another program limits it"
            warning(.signalOtherRate, if: isOther, stream.subject, what)
                .meaning(granted < requested ? less : "higher power consumption than intended")
                .fix(available + edit(stream.setting))
        }
    }

    @Rules private func sampleRules(_ stream: StreamFacts, _ samples: SampleSummary) -> [Finding] {
        failure(.signalStuck, if: samples.isStuck, stream.subject, "all samples are identical")
            .meaning("a sensor always has noise: the chip has stopped measuring, or its registers are not refreshed")
            .fix("\(Remedy.kernelLog); sudo reboot")
        let jitter = "the sampling interval varies by \(Amount.percent(samples.jitter))"
        let read = "the driver has no timestamps, so samples are timestamped when read"
        let late = "the timestamps do not match the sampling times: rotations are measured too early or too late"
        let load = stream.clock == "host" ? "uptime" : "uptime; cat /proc/interrupts"
        warning(.signalJitter, if: samples.jitter > Limits.jitterShare, stream.subject, jitter)
            .meaning(stream.clock == "host" ? read : late).fix(stream.isTriggerMissing ? Remedy.timer : load)
        let cause = stream.isOffered ? "the program lost samples" : "FIFO overflow or slow reader"
        let gaps = "\(samples.gaps) gaps in \(samples.count) samples"
        warning(.signalGaps, if: samples.gaps > 0, stream.subject, gaps)
            .meaning("the pose is extrapolated over each gap: \(cause)")
            .fix("uptime" + (stream.isOffered ? "" : "; \(edit("a lower \(stream.setting)"))"))
    }
}

extension StreamFacts {
    fileprivate var setting: String { "[iio.\(kind)] rate_hz" }
}

/// Checks of the measured scales against known values: gravity, zero angular rate at rest, and the geomagnetic field.
extension BoardFacts {
    @Rules var scaleRules: [Finding] {
        // The board is at rest if the norm of the specific force varies little. The limit grows with the measured norm,
        // because a scale factor that is too large would otherwise look like motion.
        let force = stream(of: .accelerometer)?.statistics
        let scale = max((force?.meanNorm ?? 0) / Limits.standardGravity, 1)
        let isAtRest = force.map { $0.normStandardDeviation < Limits.restStandardDeviation * scale } ?? false
        if let stream = stream(of: .accelerometer), let force { gravity(stream.device, force.meanNorm, isAtRest) }
        // The norm of the mean vector is used, in which noise averages out, while a bias or a steady rotation remains.
        let rate = isAtRest ? stream(of: .gyroscope)?.statistics?.mean.norm : nil
        if let stream = stream(of: .gyroscope), let rate { turnRate(stream.device, rate) }
        let field = stream(of: .magnetometer)?.statistics?.meanNorm
        if let stream = stream(of: .magnetometer), let field { strength(stream.device, field) }
    }

    @Rules private func gravity(_ device: String, _ force: Double, _ isAtRest: Bool) -> Finding? {
        let local = receiver?.position.map {
            Ellipsoid.normalGravity(latitude: $0.latitudeDegrees * .pi / 180, height: $0.ellipsoidalHeight)
        }
        let expected = local ?? Limits.standardGravity
        let share = force / expected
        let error = (share - 1).magnitude
        let text = "measured \(Amount.text(force)) m/s², local gravity is \(Amount.text(expected))"
        let isInG = MeasurementRange.forceInG.contains(share * Limits.standardGravity)
        let scale = "the driver's scale, or the program that offers the samples, lacks the factor 9.80665"
        let range = "wrong scale factor: the driver and the chip use different full-scale ranges"
        failure(.scaleGravityWrong, if: !(error <= Limits.wrongGravityShare), device, text + times(share))
            .meaning(isInG ? "the unit is g, not m/s²: \(scale)" : range)
            .fix("\(Remedy.attributes)in_accel_scale*; \(Remedy.kernelLog)")
        warning(.scaleGravityOff, if: isAtRest && error > Limits.gravityShare, device, text)
            .meaning("the accelerometer is not calibrated: tilt and height drift").fix("waymark calibrate accel")
        ok(.scaleGravity, device, text)
    }

    @Rules private func turnRate(_ device: String, _ rate: Double) -> Finding? {
        let (text, isWrong) = (Amount.turnRate(rate), rate > Limits.wrongRestRate)
        let rotation = "the board rotates steadily: hold it still and try again"
        failure(.scaleTurnRateWrong, if: isWrong, device, "\(text) while the accelerometer shows no motion")
            .meaning("wrong scale factor (degrees for radians?), or \(rotation)")
            .fix("\(Remedy.attributes)in_anglvel_scale*; \(Remedy.kernelLog)")
        warning(.scaleTurnRateOff, if: rate > Limits.restRate, device, "\(text) while the board is at rest")
            .meaning("the gyroscope bias is not calibrated: the heading drifts until the filter has estimated it")
            .fix("waymark calibrate gyro")
        ok(.scaleTurnRate, device, "\(text) at rest")
    }

    @Rules private func strength(_ device: String, _ strength: Double) -> Finding? {
        // The expected strength is that of the magnetic model if position and time are known; otherwise it is the range
        // of strengths on the earth.
        let model = modelField.map { $0.totalIntensity / 1000 }
        let range = model.map { $0...$0 } ?? Limits.earthField
        let bounds = "is \(Amount.text(range.lowerBound)) to \(Amount.text(range.upperBound)) µT"
        let field = model.map { "here is \(Amount.text($0, digits: 1)) µT" } ?? bounds
        let share = strength / min(max(strength, range.lowerBound), range.upperBound)
        let isPlausible = strength > 0 && max(share, 1 / share) < Limits.wrongFieldFactor
        let what = "measured \(Amount.text(strength, digits: 1)) µT, the earth's field \(field)"
        failure(.scaleFieldWrong, if: !isPlausible, device, what + times(share))
            .meaning("wrong scale factor (wrong unit?), or a magnet next to the sensor")
            .fix("\(Remedy.attributes)in_magn_scale*; waymark calibrate mag")
        warning(.scaleFieldOff, if: (share - 1).magnitude > Limits.fieldShare, device, what)
            .meaning("iron nearby or uncalibrated magnetometer: the heading is wrong by degrees to tens of degrees")
            .fix("waymark calibrate mag")
        ok(.scaleField, device, what)
    }

    private func times(_ share: Double) -> String { ": \(Amount.text(share)) times the expected value" }

    /// Field of the magnetic model; nil if position or time are unknown.
    var modelField: GeomagneticField? {
        guard let place = receiver?.position, let time = receiver?.time ?? clock?.now,
            let year = DecimalYear.of(utcSeconds: time)
        else { return nil }
        return WorldMagneticModel.wmm2025.field(at: place, decimalYear: year)
    }
}
