import WaymarkInterface

/// Data for a diagram of values over time. The static and the interactive drawing are both made from it.
struct ReportChart {
    /// Identifier by which the corresponding diagrams of two recordings are matched.
    let id: StaticString
    let title: String
    /// Name of the vertical axis. Its unit is in words.
    let axis: StaticString
    let unit: StaticString
    let decimals: Int
    let lines: [Line]
    /// Sentence about the values; empty if there is none.
    var note = ""
    /// Whether the values are directions in degrees, from 0 to 360.
    var isDirection = false
    var hasZero = true
    var spans: [WalkReport.Span] = []
    /// Title of the collapsible group that contains the diagram. It is empty if the diagram is always shown.
    var fold: StaticString = ""

    struct Line {
        let name: String
        /// CSS class of the colour: a, b or c, or `replay` for the thin dashed line of a replay.
        let style: StaticString
        let samples: [PeakSeries.Sample]
    }
}

extension WalkReport {
    /// Maximum number of bins of a line in the static drawing.
    static let staticBins = 300

    /// All diagrams, in the order of the page.
    ///
    /// - Parameter bins: maximum number of bins of each line.
    func charts(bins: Int = TimeGrid.usualLimit) -> [ReportChart] {
        func line(_ name: String, _ style: StaticString, _ series: PeakSeries) -> ReportChart.Line {
            ReportChart.Line(name: name, style: style, samples: series.coarser(bins).samples)
        }
        /// Makes a line of the poses that are shown. If these were published, there is also a line of the replay.
        func pair(_ name: String, _ style: StaticString, _ series: KeyPath<PoseCurves, PeakSeries>)
            -> [ReportChart.Line]
        {
            let isBeside = published.count > 0
            let shown = line(name, style, self.shown[keyPath: series])
            return isBeside ? [shown, line("\(name), replay", "replay", replayed[keyPath: series])] : [shown]
        }
        return [
            ReportChart(
                id: "heading", title: "Heading", axis: "line of sight, degrees clockwise from true or magnetic north",
                unit: "°", decimals: 2, lines: pair("heading", "a", \.heading), isDirection: true),
            ReportChart(
                id: "innovation", title: "Position: fixes minus estimates", axis: "horizontal distance, metres",
                unit: "m",
                decimals: 3,
                lines: [
                    line("fix minus estimate", "a", innovations.distance),
                    line("68 % radius of both claims", "b", innovations.claimed),
                    line("claimed by the receiver", "c", fixAccuracy),
                ], note: innovationNote),
            ReportChart(
                id: "accuracy", title: "Accuracy of the position", axis: "half-width of 68 %, metres", unit: "m",
                decimals: 3,
                lines: pair("horizontal", "a", \.horizontalAccuracy) + pair("vertical", "b", \.verticalAccuracy)),
            ReportChart(
                id: "moves", title: "Corrections of the scene", axis: "motion of content 30 m away, metres", unit: "m",
                decimals: 2, lines: [ReportChart.Line(name: "correction", style: "c", samples: correctionStems(bins))]),
            ReportChart(
                id: "yaw", title: "Accuracy of the heading", axis: "half-width of 68 %, degrees", unit: "°",
                decimals: 2,
                lines: pair("yaw", "a", \.yawAccuracy), fold: Self.headingFold),
            ReportChart(
                id: "correction", title: "Checks of the heading", axis: "correction of the yaw, degrees", unit: "°",
                decimals: 2,
                lines: [
                    line("monitor of the axes", "a", yawChecks.monitor),
                    line("pairs of estimates", "b", yawChecks.axes),
                ],
                note: "Two comparisons with the motion that satellites measure: they would turn the heading by this. "
                    + "Near zero within the band of its accuracy, the heading is right.",
                fold: Self.headingFold),
            ReportChart(
                id: "pairs", title: "What the monitor of the axes is made of", axis: "correction of the yaw, degrees",
                unit: "°", decimals: 2,
                lines: [
                    line("changes of velocity", "a", yawChecks.byVelocities),
                    line("the way between fixes", "b", yawChecks.byPositions),
                ],
                note: "By velocities and by positions alone: where both are beyond zero on the same side, the heading "
                    + "was wrong.",
                fold: Self.headingFold),
            ReportChart(
                id: "strength", title: "Strength of the magnetic field", axis: "microteslas", unit: "µT", decimals: 1,
                lines: [
                    line("calibrated", "a", magnetic.strength),
                    line("World Magnetic Model", "b", magnetic.modelStrength),
                ], note: magneticNote, hasZero: false, spans: magneticRefusals, fold: Self.magneticFold),
            ReportChart(
                id: "dip", title: "Dip of the magnetic field", axis: "degrees below the horizon", unit: "°",
                decimals: 1,
                lines: [
                    line("calibrated", "a", magnetic.dip), line("World Magnetic Model", "b", magnetic.modelDip),
                ], hasZero: false, spans: magneticRefusals, fold: Self.magneticFold),
            rateChart("rate", "Inertial sensors", rates[..<2]),
            rateChart("aiding", "Other sensors, and fixes", rates[2...]),
        ] + offerCharts
    }

    private static let headingFold: StaticString = "Heading: accuracy and checks"
    private static let magneticFold: StaticString = "Magnetic field"

    /// Makes a line from zero to the size of each correction. Each bin keeps only the smallest and the largest
    /// correction.
    private func correctionStems(_ bins: Int) -> [PeakSeries.Sample] {
        var sizes = PeakSeries()
        for correction in corrections { sizes.add(seconds(correction.frame.time), correction.size) }
        return sizes.coarser(bins).samples.flatMap { sample in
            [PeakSeries.Sample(time: sample.time, value: 0, isAfterGap: true), sample]
        }
    }

    /// Charts of other programs' measurements, which most recordings do not have.
    private var offerCharts: [ReportChart] {
        guard offers.contains(where: { $0.count > 0 }) else { return [] }
        return [
            rateChart("offers", "Poses, positions and sightings of other programs", offers[..<3]),
            rateChart("values", "Ranges, headings and heights of other programs", offers[3...]),
        ]
    }

    private func rateChart(_ id: StaticString, _ title: String, _ rates: ArraySlice<SensorRate>) -> ReportChart {
        let styles: [StaticString] = ["a", "b", "c"]
        let lines = zip(rates, styles).map { rate, style in
            ReportChart.Line(name: rate.name, style: style, samples: rate.samples(duration: duration))
        }
        return ReportChart(
            id: id, title: title, axis: "per second", unit: "Hz", decimals: 1, lines: lines, fold: "Rates of samples")
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
