/// Sampling: rate, jitter, gaps and stuck values.
enum SignalRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        facts.streams.filter { $0.state == "streaming" || $0.state == "polling" }.flatMap { of($0, facts) }
    }

    private static func of(_ stream: StreamFacts, _ facts: BoardFacts) -> [Finding] {
        var findings: [Finding] = []
        if let rate = rate(stream, facts) { findings.append(rate) }
        if let problem = stream.rateProblem {
            findings.append(refused(stream, problem))
        } else if let granted = granted(stream, facts) {
            findings.append(granted)
        }
        if stream.state == "polling", let reason = stream.pollingReason { findings.append(polled(stream, reason)) }
        if let summary = stream.summary, summary.count >= Limits.minimumSampleCount {
            if summary.isStuck { findings.append(stuck(stream)) }
            if summary.jitter > Limits.jitterShare { findings.append(jitter(stream, summary)) }
            if summary.gaps > 0 { findings.append(gaps(stream, summary, facts)) }
        }
        return findings
    }

    private static func subject(_ stream: StreamFacts) -> String { "\(stream.device), \(stream.kind.rawValue)" }

    private static func hertz(_ value: Double) -> String { Amount.text(value, digits: 1) + " Hz" }

    /// Polled sensors have the polling rate, whatever the driver reports.
    private static func expected(_ stream: StreamFacts) -> Double? {
        guard stream.state == "polling" else { return stream.grantedRate ?? stream.requestedRate }
        return (stream.requestedRate ?? stream.grantedRate).map { min($0, Limits.pollingRate) }
    }

    private static func promise(_ stream: StreamFacts) -> String {
        stream.state == "polling" ? "of polling" : stream.isOffered ? "before" : "granted by the driver"
    }

    /// Measured rate against the granted rate.
    private static func rate(_ stream: StreamFacts, _ facts: BoardFacts) -> Finding? {
        let summary = stream.summary.flatMap { $0.count >= Limits.minimumSampleCount ? $0 : nil }
        guard let rate = summary?.rate ?? stream.countedRate else { return nil }
        guard let expected = expected(stream), expected > 0 else { return nil }
        let share = rate / expected
        guard !Limits.rateShare.contains(share) else {
            let jitter = summary.map { ", jitter \(Amount.percent($0.jitter))" } ?? ""
            return .ok(.signalRate, subject(stream), "\(hertz(rate))\(jitter)")
        }
        guard share < 1 else { return fast(stream, rate, expected, facts) }
        let finding = Finding.failure(
            .signalSlow, subject(stream), "\(hertz(rate)) instead of \(hertz(expected)) \(promise(stream))",
            meaning: "samples are lost: slow bus, missed interrupts or CPU overload",
            remedy: "sudo dmesg | tail -n 20; " + Remedy.edit(facts, "a lower \(setting(stream.kind))"))
        return share < Limits.minimumRateShare ? finding : finding.at(.warning)
    }

    private static func fast(
        _ stream: StreamFacts, _ rate: Double, _ expected: Double, _ facts: BoardFacts
    ) -> Finding {
        .warning(
            .signalFast, subject(stream), "\(hertz(rate)) instead of \(hertz(expected)) \(promise(stream))",
            meaning: "the driver reports a wrong sampling rate, so timestamps derived from it are wrong",
            remedy: Remedy.edit(facts, "\(setting(stream.kind)) = \(Amount.text(rate, digits: 0))"))
    }

    private static func granted(_ stream: StreamFacts, _ facts: BoardFacts) -> Finding? {
        guard let requested = stream.requestedRate, let granted = stream.grantedRate, requested > 0,
            !Limits.grantedShare.contains(granted / requested)
        else { return nil }
        return .warning(
            .signalOtherRate, subject(stream), "\(hertz(granted)) instead of the requested \(hertz(requested))",
            meaning: granted < requested
                ? "the driver does not support the rate, or another program limits it"
                : "higher power consumption than intended",
            remedy: "cat /sys/bus/iio/devices/iio:device*/*sampling_frequency_available; "
                + Remedy.edit(facts, setting(stream.kind)))
    }

    private static func refused(_ stream: StreamFacts, _ problem: String) -> Finding {
        .warning(
            .signalRateRefused, subject(stream), problem,
            meaning: stream.grantedRate.map { "the sensor runs at \(hertz($0))" } ?? "the sensor runs at its own rate",
            remedy: "cat /sys/bus/iio/devices/iio:device*/*sampling_frequency_available; sudo dmesg | tail -n 20")
    }

    private static func polled(_ stream: StreamFacts, _ reason: String) -> Finding {
        .warning(
            .signalPolled, subject(stream), "polled: \(reason)",
            meaning:
                "at most \(Int(Limits.pollingRate)) samples a second, timestamped when read, with delay and jitter",
            // Without a buffer, or with one that another fault closes, a trigger helps nothing.
            remedy: stream.isTriggerMissing ? timer : "sudo dmesg | tail -n 20")
    }

    /// Makes the triggers of systemd/waymark-hrtimer, for which the kernel's module may be missing.
    private static let timer =
        "sudo modprobe iio-trig-hrtimer && sudo systemctl restart waymark-hrtimer.service  # if the kernel has that module "
        + "(CONFIG_IIO_HRTIMER_TRIGGER); else wire the chip's interrupt in the device tree"

    private static func stuck(_ stream: StreamFacts) -> Finding {
        .failure(
            .signalStuck, subject(stream), "all samples are identical",
            meaning: "a sensor always has noise: the chip has stopped measuring, or its registers are not refreshed",
            remedy: "sudo dmesg | tail -n 20; sudo reboot")
    }

    private static func jitter(_ stream: StreamFacts, _ summary: SampleSummary) -> Finding {
        let isHost = stream.clock == "host"
        return .warning(
            .signalJitter, subject(stream), "the sampling interval varies by \(Amount.percent(summary.jitter))",
            meaning: isHost
                ? "the driver has no timestamps, so samples are timestamped when read"
                : "the timestamps do not match the sampling times: rotations are measured too early or too late",
            remedy: stream.isTriggerMissing ? timer : isHost ? "uptime" : "uptime; cat /proc/interrupts")
    }

    private static func gaps(_ stream: StreamFacts, _ summary: SampleSummary, _ facts: BoardFacts) -> Finding {
        .warning(
            .signalGaps, subject(stream),
            "\(summary.gaps) gaps in \(summary.count) samples",
            meaning: "the pose is extrapolated over each gap: "
                + (stream.isOffered ? "the program lost samples" : "FIFO overflow or slow reader"),
            remedy: "uptime" + (stream.isOffered ? "" : "; " + Remedy.edit(facts, "a lower \(setting(stream.kind))")))
    }

    private static func setting(_ kind: SensorFacts.Kind) -> String { "[iio.\(kind.rawValue)] rate_hz" }
}
