import WaymarkInterface

/// Diagram of values over time as data, from which both the static and the interactive drawing are made.
struct ReportChart {
    /// Name by which the same diagrams of two recordings are found.
    let id: StaticString
    let title: String
    let unit: StaticString
    /// Number of decimals of the values.
    let decimals: Int
    let lines: [Line]
    /// Sentence about the values; empty for none.
    var note = ""
    /// Whether values are directions in degrees, from 0 to 360.
    var isDirection = false
    /// Whether the axis begins at zero at the latest.
    var hasZero = true
    /// Periods that are marked in the diagram.
    var spans: [WalkReport.Span] = []

    struct Line {
        let name: String
        /// Class of the colour: a, b, c, or replay for the thin dashed line of a replay.
        let style: StaticString
        let samples: [PeakSeries.Sample]
    }
}

extension WalkReport {
    /// Largest number of bins of a line in the static drawing.
    static let staticBins = 300

    /// All diagrams of values, in the order of the page.
    ///
    /// - Parameter bins: largest number of bins of each line.
    func charts(bins: Int = TimeGrid.usualLimit) -> [ReportChart] {
        func line(_ name: String, _ style: StaticString, _ series: PeakSeries) -> ReportChart.Line {
            ReportChart.Line(name: name, style: style, samples: series.coarser(bins).samples)
        }
        /// The shown poses, and the replay beside them where others were published.
        func pair(_ name: String, _ style: StaticString, _ series: KeyPath<PoseCurves, PeakSeries>)
            -> [ReportChart.Line]
        {
            let isBeside = published.count > 0
            let shown = line(name, style, self.shown[keyPath: series])
            return isBeside ? [shown, line("\(name), replay", "replay", replayed[keyPath: series])] : [shown]
        }
        return [
            ReportChart(
                id: "heading", title: "Heading of the line of sight, from true or magnetic north", unit: "°",
                decimals: 2, lines: pair("heading", "a", \.heading), isDirection: true),
            ReportChart(
                id: "innovation", title: "Fix minus estimate beside the claimed accuracies, horizontal", unit: "m",
                decimals: 3,
                lines: [
                    line("fix minus estimate", "a", innovations.distance),
                    line("68 % radius of both claims", "b", innovations.claimed),
                    line("claimed by the receiver", "c", fixAccuracy),
                ], note: innovationNote),
            ReportChart(
                id: "accuracy", title: "Accuracy of the position, 68 %", unit: "m", decimals: 3,
                lines: pair("horizontal", "a", \.horizontalAccuracy) + pair("vertical", "b", \.verticalAccuracy)),
            ReportChart(
                id: "yaw", title: "Accuracy of the heading, 68 %", unit: "°", decimals: 2,
                lines: pair("yaw", "a", \.yawAccuracy)),
            ReportChart(
                id: "correction", title: "What the yaw would be corrected by", unit: "°", decimals: 2,
                lines: [
                    line("monitor of the axes", "a", yawChecks.monitor),
                    line("pairs of estimates", "b", yawChecks.axes),
                ]),
            ReportChart(
                id: "pairs", title: "Pairs that went into the monitor of the axes", unit: "°", decimals: 2,
                lines: [
                    line("changes of velocity", "a", yawChecks.byVelocities),
                    line("the way between fixes", "b", yawChecks.byPositions),
                ]),
            ReportChart(
                id: "strength", title: "Strength of the magnetic field", unit: "µT", decimals: 1,
                lines: [
                    line("calibrated", "a", magnetic.strength),
                    line("World Magnetic Model", "b", magnetic.modelStrength),
                ], note: magneticNote, hasZero: false, spans: magneticRefusals),
            ReportChart(
                id: "dip", title: "Dip of the magnetic field below the horizon", unit: "°", decimals: 1,
                lines: [
                    line("calibrated", "a", magnetic.dip), line("World Magnetic Model", "b", magnetic.modelDip),
                ], hasZero: false, spans: magneticRefusals),
            rateChart("rate", "Samples per second of the inertial sensors", rates[..<2]),
            rateChart("aiding", "Samples per second of the other sensors and of fixes", rates[2...]),
        ] + offerCharts
    }

    /// Nothing where no other program offered anything, as in most recordings.
    private var offerCharts: [ReportChart] {
        guard offers.contains(where: { $0.count > 0 }) else { return [] }
        return [
            rateChart("offers", "Poses, positions and sightings of other programs per second", offers[..<3]),
            rateChart("values", "Ranges, headings and heights of other programs per second", offers[3...]),
        ]
    }

    private func rateChart(_ id: StaticString, _ title: String, _ rates: ArraySlice<SensorRate>) -> ReportChart {
        let styles: [StaticString] = ["a", "b", "c"]
        let lines = zip(rates, styles).map { rate, style in
            ReportChart.Line(name: rate.name, style: style, samples: rate.samples(duration: duration))
        }
        return ReportChart(id: id, title: title, unit: "Hz", decimals: 1, lines: lines)
    }

    /// Periods in which the magnetometer was refused or silent.
    var magneticRefusals: [Span] {
        let words: [PoseInterface.Reason] = [.magneticDisturbance, .implausibleMagnetometer, .noMagneticData]
        return reasons.filter { span in words.contains { $0.description == span.word } }
    }

    private var innovationNote: String {
        guard let share = innovations.shareWithin else { return "" }
        return
            "\(innovations.within) of \(innovations.count) fixes (\((100 * share).text(0)) %) are within the 68 % radius "
            + "that estimate and receiver claim together. More than 68 % are expected: the receiver's slow errors are in both."
    }

    private var magneticNote: String {
        let refused = magneticRefusals
        guard !refused.isEmpty, !magnetic.strength.isEmpty else { return "" }
        let seconds = refused.reduce(0) { $0 + $1.to.seconds(since: $1.from) }
        let periods = refused.count == 1 ? "one period" : "\(refused.count) periods"
        return "Marked along the bottom: \(periods), \(seconds.text(1)) s in all, in which the field was "
            + "disturbed, implausible or missing."
    }
}
