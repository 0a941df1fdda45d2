struct NoiseVerdict {
    let rateCheck: ChannelCheck
    let forceCheck: ChannelCheck
    let rests: RestRecord
    /// Noise by axis: gyroscope x, y, z, then accelerometer x, y, z.
    let noise: [AxisNoise]
    /// Rows that repeat the previous row, by sensor.
    let repeats: [(name: String, rows: RepeatedSamples)]
    /// Duration of the samples at rest. Unit: seconds.
    let seconds: Double

    var verdict: CalibrationVerdict {
        channels ?? silence ?? movement ?? shortness ?? .accepted(sentence)
    }

    private var channels: CalibrationVerdict? {
        guard rateCheck.samples + forceCheck.samples > 0 else {
            return .refused(
                .noSamples, "No samples from gyroscope and accelerometer: see `waymark devices`.")
        }
        return rateCheck.problem(sensor: "gyroscope") ?? forceCheck.problem(sensor: "accelerometer")
    }

    private var silence: CalibrationVerdict? {
        let limit = max(10, NoiseLimits.maximumSilentShare * rests.seconds)
        for (name, last) in [("gyroscope", rests.lastRate), ("accelerometer", rests.lastForce)] {
            guard let last, rests.seconds - rests.seconds(to: last) > limit else { continue }
            return .refused(
                .silent,
                "The \(name) stopped at \(RestRecord.clock(rests.seconds(to: last))) of "
                    + "\(RestRecord.clock(rests.seconds)): check its connection, and record again.")
        }
        return nil
    }

    private var movement: CalibrationVerdict? {
        if rests.swaysThroughout {
            return .refused(
                .moved, "The board moved throughout, as in a hand: place it on a firm surface, and record again.")
        }
        guard rests.movedShare > NoiseLimits.maximumMovedShare else { return nil }
        let share = Int((100 * rests.movedShare).rounded())
        return .refused(
            .moved,
            "The board moved in \(share) % of the record (\(rests.text)): place it where nothing shakes it, and record "
                + "again."
        )
    }

    private var shortness: CalibrationVerdict? {
        guard seconds < NoiseLimits.minimumSeconds else { return nil }
        return .refused(
            .tooFewSamples,
            "Only \(Int(seconds)) s at rest: at least \(Int(NoiseLimits.minimumSeconds)) s are needed, and hours "
                + "for the bias instability.")
    }

    // MARK: - Accepted records

    private var sentence: String {
        let parts = [summary(noise.prefix(3), "gyroscope"), summary(noise.dropFirst(3), "accelerometer")]
        var text =
            "Noise over \(RestRecord.clock(seconds)) at rest: " + parts.compactMap { $0 }.joined(separator: "; ")
        if let longer { text += "; \(longer)" }
        if let ramp { text += "; \(ramp)" }
        if rests.movedWindows > 0 { text += "; ignored because the board moved: \(rests.text)" }
        if let repeated = RepeatedSamples.clause(repeats) { text += "; \(repeated)" + thinned }
        return text + "."
    }

    /// Clause about long clusters if many rows were left out. Such clusters contain fewer samples, and fewer of their
    /// windows remain.
    private var thinned: String {
        let share = repeats.map(\.rows.staleShare).max() ?? 0
        return share > NoiseLimits.fewRepeated ? ", so that deviations of long clusters are uncertain" : ""
    }

    private func summary(_ axes: ArraySlice<AxisNoise>, _ sensor: String) -> String? {
        guard axes.contains(where: { !$0.curve.isEmpty }) else { return nil }
        let kinds: [(String, KeyPath<AxisNoise, Double?>)] = [
            ("random walk", \.randomWalk), ("bias instability", \.biasInstability),
            ("rate random walk", \.rateRandomWalk),
        ]
        let parts = kinds.compactMap { name, path -> String? in
            let count = axes.filter { $0[keyPath: path] != nil }.count
            return count == 0 ? nil : count == axes.count ? name : "\(name) of \(count) of \(axes.count) axes"
        }
        return "\(sensor): " + (parts.isEmpty ? "no significant process" : parts.joined(separator: ", "))
    }

    /// Advice on the duration that a record must have to determine the remaining coefficients.
    private var longer: String? {
        let axes = noise.filter { !$0.curve.isEmpty }
        let lacksFlat = axes.contains { $0.biasInstability == nil && $0.rateRandomWalk == nil && $0.rateRamp == nil }
        let lacksWalk = axes.contains { $0.rateRandomWalk == nil && $0.rateRamp == nil }
        // For the slowest undetermined process, clusters must be four times as long.
        guard lacksFlat || lacksWalk else { return nil }
        let needed = RestRecord.clock(4 * rests.seconds)
        return lacksFlat
            ? "the bias instability of some axes needs a longer record, of \(needed) or more"
            : "the rate random walk of some axes needs a longer record, of \(needed) or more"
    }

    private var ramp: String? {
        let names =
            ["gyroscope's x", "gyroscope's y", "gyroscope's z"]
            + ["accelerometer's x", "accelerometer's y", "accelerometer's z"]
        let drifting = zip(names, noise).filter { $0.1.rateRamp != nil }.map(\.0)
        guard !drifting.isEmpty else { return nil }
        return
            "the \(drifting.joined(separator: ", the ")) axis drifted at a constant rate, as during warm-up: let the "
            + "board reach a stable temperature first"
    }
}
