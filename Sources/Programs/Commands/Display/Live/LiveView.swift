import WaymarkClient
import WaymarkInterface

/// The live view of `waymark watch`: newest pose, scene, status and items ahead, drawn for a terminal of any size.
///
/// The picture depends only on these values, the time and the size.
package struct LiveView: Sendable {
    /// Scene frame; nil until the daemon has published one.
    package var frame: Waymark.Frame?
    /// Items ahead, in display order.
    package var ahead: [Waymark.Item] = []
    /// Health of the daemon and its sensors; nil until it is known.
    package var status: Waymark.Status?
    /// Sources of measurements that other programs offer, in the order of their names.
    package var aids: [Waymark.AidSource] = []
    /// Level of the floor plan on which the wearer is tracked; nil for none.
    package var plan: RadarPlan?
    package var link = DaemonLink.connected
    /// Range of the radar. Unit: metres.
    package private(set) var radarRange = 100.0
    /// Whether keys are read; if so, the view lists them.
    package var hasKeys = false
    package private(set) var pose: Waymark.Pose?
    /// Boot time at which the newest pose arrived. Unit: seconds.
    private(set) var arrival = 0.0
    /// Number of poses since the start that came too fast to be shown.
    package private(set) var missed = 0
    private var scene: Waymark.Scene?
    private var targets: [LiveTarget] = []
    private var routePoints: [RadarPicture.RoutePoint] = []

    package init() {}

    package static let aheadLimit = 20

    /// Selectable ranges of the radar. Unit: metres.
    private static let radarRanges = [25.0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

    /// Sets the newest pose, to be drawn next.
    ///
    /// - Parameter time: boot time at which the pose arrived; nil if it is the pose's own time. The two times differ
    ///   while a recording is replayed. Unit: seconds.
    package mutating func show(_ pose: Waymark.Pose, at time: Double? = nil) {
        arrival = time ?? pose.time.seconds
        missed += max(0, min(pose.missed ?? 0, 1_000_000_000))
        self.pose = pose
    }

    /// Sets the newest state of the scene; nil removes it.
    package mutating func show(_ state: Waymark.SceneState?) {
        scene = state?.newest
        targets = state.map(LiveTarget.all) ?? []
        routePoints = state.map(Self.route) ?? []
    }

    package mutating func changeRadar(larger: Bool) {
        let next = larger ? Self.radarRanges.first { $0 > radarRange } : Self.radarRanges.last { $0 < radarRange }
        radarRange = next ?? radarRange
    }

    /// Maximum number of drawn points of the route.
    private static let routeLimit = 500

    /// Points of the route ahead, in order.
    private static func route(_ state: Waymark.SceneState) -> [RadarPicture.RoutePoint] {
        let kinds: [OpenWord<SceneInterface.PlacementKind>] = [
            .known(.arrow), .known(.node), .known(.turn), .known(.destination),
        ]
        let points = state.placements.values.compactMap { placement -> (Double, RadarPicture.RoutePoint)? in
            guard kinds.contains(placement.kind), let along = placement.alongRoute, let bearing = placement.bearing,
                along.isFinite, bearing.isFinite, placement.distance.isFinite
            else { return nil }
            return (along, RadarPicture.RoutePoint(bearing: bearing, distance: placement.distance))
        }
        return points.sorted { $0.0 < $1.0 }.prefix(routeLimit).map(\.1)
    }

    // MARK: - The picture

    /// - Parameter time: current boot time. Unit: seconds.
    package func picture(rows: Int, columns: Int, time: Double, canvas: Canvas) -> CellGrid {
        var grid = CellGrid(rows: rows, columns: columns, canvas: canvas)
        let notices = LiveNotices(self, time: time, columns: grid.columns)
        let sensors = SensorPanel(status: status, aids: aids)
        let layout = LiveLayout(
            rows: grid.rows, columns: grid.columns, notices: notices.lines.count, sensorRows: sensors.rows)
        drawBody(layout, sensors, &grid)
        // Without a connection the last known state is shown, faded.
        if link != .connected { grid.fade(grid.area) }
        drawTitle(layout.title, isAlone: layout.ribbon.isEmpty, &grid)
        for (row, line) in notices.lines.enumerated() {
            grid.put(line.text, in: layout.notices, row: row, line.ink)
        }
        drawFooter(layout.footer, &grid)
        return grid
    }

    private func drawBody(_ layout: LiveLayout, _ sensors: SensorPanel, _ grid: inout CellGrid) {
        sensors.draw(into: &grid, layout.sensors)
        RoutePanel(route: scene?.route, ahead: ahead).draw(into: &grid, layout.route)
        guard let pose else { return }
        // Bearings of placements refer to true north. The heading does so only once a position is known, so targets
        // cannot be placed before.
        let isTrue = pose.headingReference == .trueNorth && scene?.generation == pose.generation
        CompassRibbon(
            heading: pose.heading, accuracy: pose.accuracy.orientationYawAccuracy,
            reference: Words.reference(pose.headingReference), targets: isTrue ? targets : [], area: layout.ribbon
        ).draw(into: &grid)
        if let attitude = SightAttitude(pose.orientation) { draw(attitude, layout.horizon, &grid) }
        draw(radar: layout.radar, isTrue ? pose.heading : nil, &grid)
        StatePanel(pose: pose, frame: frame, missed: missed).draw(into: &grid, layout.state)
    }

    /// Draws the horizon, with its numbers in the last row.
    private func draw(_ attitude: SightAttitude, _ area: CellArea, _ grid: inout CellGrid) {
        guard area.rows >= 3 else { return }
        let picture = CellArea(row: area.row, column: area.column, rows: area.rows - 1, columns: area.columns)
        Horizon(attitude, picture, isFaded: link != .connected).draw(into: &grid)
        let unit = grid.canvas.unicode ? "°" : ""
        let text = "pitch \(attitude.pitch.signed(0))\(unit)  roll \(attitude.roll.signed(0))\(unit)"
        grid.put(text, in: area, row: area.rows - 1, .faint)
    }

    /// Draws the radar, with its range in the lower left corner.
    private func draw(radar area: CellArea, _ heading: Double?, _ grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        let pieces = pose?.geo.flatMap { plan?.pieces(around: $0, within: radarRange) } ?? []
        RadarPicture(
            range: radarRange, heading: heading, targets: targets, route: routePoints, plan: pieces, area: area
        ).draw(into: &grid)
        let text = RadarPicture.rangeText(radarRange)
        guard area.columns >= text.utf8.count + 4 else { return }
        grid.put(text, in: area, row: area.rows - 1, .faint)
    }

    // MARK: - Title and footer

    private func drawTitle(_ area: CellArea, isAlone: Bool, _ grid: inout CellGrid) {
        var (text, ink): (String, Ink) = ("waiting", .warning)
        if case .away = link {
            (text, ink) = ("daemon away", .bad)
        } else if let pose {
            (text, ink) = ("\(pose.state)", pose.state == .localized ? .good : .warning)
        }
        var column = grid.put(grid.canvas.unicode ? "● " : "* ", in: area, row: 0, ink)
        column += grid.put(text, in: area, row: 0, column: column, ink == .good ? .strong : ink)
        for (badge, ink) in badges(isAlone) where column + 2 + badge.count <= area.columns {
            column += 2 + grid.put(badge, in: area, row: 0, column: column + 2, ink)
        }
        guard let utc = pose?.utc.map({ "\($0)" }) else { return }
        let clock = String(utc.dropFirst(11).prefix(8))
        let texts = ["\(utc.prefix(10)) \(clock) UTC", "\(clock) UTC", clock]
        guard let fitting = texts.first(where: { column + 2 + $0.count <= area.columns }) else { return }
        grid.put(fitting, in: area, row: 0, column: area.columns - fitting.count, .faint)
    }

    /// Further words in the title.
    private func badges(_ isAlone: Bool) -> [(String, Ink)] {
        guard link == .connected else { return [] }
        var badges: [(String, Ink)] = []
        if isAlone, let pose {
            let heading = pose.heading.map { "\(Words.bearing($0, digits: 0)) \(Words.compassPoint($0))" }
            badges.append((heading ?? "heading not known", .strong))
            badges.append((Words.accuracy(pose.accuracy.horizontalAccuracy, " m"), .plain))
        }
        if let status {
            if status.recording != nil { badges.append(("recording", .bad)) }
            if let kind = status.calibration.running { badges.append(("calibrating \(kind)", .warning)) }
        }
        if let motion = pose?.motion, !isAlone { badges.append((Words.motion(motion), .plain)) }
        if let scene, scene.readiness != .ready { badges.append(("scene \(scene.readiness)", .warning)) }
        return badges
    }

    private func drawFooter(_ area: CellArea, _ grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        let keys = hasKeys ? "q quit   + - radar range" : "Ctrl-C quit"
        let used = grid.put(keys, in: area, row: 0, .faint)
        guard let status, link == .connected else { return }
        let source = StatusText.source(status)
        let version = "waymarkd \(OutsideText.line(status.version))"
        let texts = [
            "\(version) on \(source), up \(Words.duration(status.uptime)), \(status.clients) \(status.clients == 1 ? "connection" : "connections")",
            "\(version) on \(source)", version,
        ]
        guard let text = texts.first(where: { used + 3 + TextWidth.columns(of: $0) <= area.columns }) else { return }
        grid.put(text, in: area, row: 0, column: area.columns - TextWidth.columns(of: text), .faint)
    }
}
