import WaymarkClient

/// Panel with accuracy, position, motion, frame and sources, most important first.
struct StatePanel: Sendable {
    let pose: Waymark.Pose
    let frame: Waymark.Frame?
    /// Number of poses since the start that came too fast to be shown.
    let missed: Int

    /// Width of the labels, which are shown in areas of more than `labelled` columns.
    private static let labelWidth = 10
    private static let labelled = 40

    /// One quantity, with variants of its lines. The first variant that fits is shown.
    private struct Row {
        var label: String
        var variants: [[String]]
        var ink = Ink.plain
    }

    func draw(into grid: inout CellGrid, _ area: CellArea) {
        guard !area.isEmpty else { return }
        let indent = area.columns > Self.labelled ? Self.labelWidth : 0
        var line = 0
        for row in rows {
            let lines = fitting(row, columns: area.columns - indent, grid.canvas)
            guard line < area.rows else { return }
            if indent > 0 { grid.put(row.label, in: area, row: line, .faint) }
            for text in lines where line < area.rows {
                grid.put(text, in: area, row: line, column: indent, row.ink)
                line += 1
            }
        }
    }

    private func fitting(_ row: Row, columns: Int, _ canvas: Canvas) -> [String] {
        row.variants.first { lines in
            lines.allSatisfy { TextWidth.columns(of: canvas.unicode ? $0 : ASCIIText.line($0)) <= columns }
        } ?? row.variants.last ?? []
    }

    private var rows: [Row] {
        var rows = [
            Row(label: "accuracy", variants: accuracy, ink: .strong), Row(label: "position", variants: position),
        ]
        rows += [Row(label: "motion", variants: motion), Row(label: "scene", variants: scene)]
        rows += [Row(label: "frame", variants: frameLines), Row(label: "sources", variants: sources)]
        rows.append(Row(label: "tracking", variants: tracking))
        if missed > 0 { rows.append(Row(label: "skipped", variants: [["\(missed) poses skipped"]], ink: .faint)) }
        return rows
    }

    private var accuracy: [[String]] {
        let horizontal = Words.accuracy(pose.accuracy.horizontalAccuracy, " m")
        let vertical = Words.accuracy(pose.accuracy.verticalAccuracy, " m")
        let yaw = Words.accuracy(pose.accuracy.orientationYawAccuracy, "°")
        return [
            ["\(horizontal) horizontal, \(vertical) vertical, \(yaw)"],
            ["\(horizontal)  \(vertical) up  \(yaw)"], ["\(horizontal) \(vertical) \(yaw)"], ["\(horizontal) \(yaw)"],
            [horizontal],
        ]
    }

    private var position: [[String]] {
        guard let geo = pose.geo else { return [["geographic position not known"], ["position not known"]] }
        func place(_ digits: Int) -> String { "\(geo.latitude.fixed(digits))° \(geo.longitude.fixed(digits))°" }
        let height = "\(geo.height.fixed(1)) m"
        return [
            ["\(place(7))  \(height)"], [place(7), height], [place(6), height], [place(5), height], [place(4)],
        ]
    }

    private var motion: [[String]] {
        let mode = pose.motion.map(Words.motion)
        guard let speed = pose.speed else { return [[mode ?? "motion not known"]] }
        let pace = "\(speed.fixed(2)) m/s"
        let course = pose.course.map { " towards \(Words.bearing($0, digits: 0)) \(Words.compassPoint($0))" } ?? ""
        guard let mode else { return [[pace + course], [pace]] }
        return [["\(mode), \(pace)\(course)"], [mode, pace + course], [mode, pace]]
    }

    private var scene: [[String]] {
        let (x, y, z) = (pose.position.x, pose.position.y, pose.position.z)
        let wide = "x \(x.signed(2))  y \(y.signed(2))  z \(z.signed(2)) m"
        let narrow = "x \(x.signed(1)) y \(y.signed(1)) z \(z.signed(1)) m"
        return [[wide], [narrow], ["\(x.signed(0)) \(y.signed(0)) \(z.signed(0)) m"]]
    }

    private var frameLines: [[String]] {
        let text = PoseText.frame(pose, frame)
        let parts = text.split(separator: ",", maxSplits: 1).map { String($0.drop { $0 == " " }) }
        let short = parts.dropFirst().first.map { $0.split(separator: ",").first.map(String.init) ?? $0 }
        return [[text], [parts[0]] + (parts.count > 1 ? [parts[1]] : []), [parts[0]] + (short.map { [$0] } ?? [])]
    }

    private var sources: [[String]] {
        guard !pose.sources.isEmpty else { return [["no sources"]] }
        let words = pose.sources.words.map(OutsideText.line)
        let wrapped = [36, 30, 24, 18].map { TextWidth.wrapped(words.joined(separator: " "), columns: $0) }
        return [[words.joined(separator: " ")]] + wrapped
    }

    private var tracking: [[String]] {
        let (orientation, position) = (pose.tracking.orientation, pose.tracking.position)
        return [
            ["orientation \(orientation), position \(position)"],
            ["orientation \(orientation)", "position \(position)"],
        ]
    }
}
