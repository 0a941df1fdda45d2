import Geodesy
import Geometry

/// Line of sight from the wearer's eyes over the terrain.
struct LineOfSight {
    let ground: WearerGround
    /// Wearer, by the terrain's coordinates.
    private let start: Terrain.Coordinates
    private let map: SceneMap
    /// Eyes, at the height that placements count from. Frame: scene. Unit: metres.
    private let eye: Vector3
    private let eyeHeight: Double

    /// Distance from either end within which the terrain does not count: an elevation model knows no shape smaller than
    /// the spacing of its samples. Unit: metres.
    static let blindLength = 30.0

    init(_ ground: WearerGround, _ viewpoint: Viewpoint, eyeHeight: Double) {
        self.ground = ground
        start = ground.terrain.coordinates(of: viewpoint.position)
        (map, eye) = (viewpoint.map, viewpoint.positionInScene)
        self.eyeHeight = eyeHeight
    }

    /// Greatest height of the terrain above the straight line to a point; below 0 where the line passes above all of
    /// it, and nil where no height between is known. Where the line leaves the terrain's window, the terrain up to
    /// there counts. Frame of `point`: scene. Unit: metres.
    func obstruction(of point: Vector3) -> Double? {
        guard let end = map.position(ofScene: point).map(ground.terrain.coordinates(of:)) else { return nil }
        let line = point - eye
        let distance = SceneAxes.horizontalNorm(line)
        guard distance > 2 * Self.blindLength else { return nil }
        let (rows, columns) = (end.row - start.row, end.column - start.column)
        // At each row and column of nodes, whichever are crossed faster, and half-way between.
        let count = (2 * max(rows.magnitude, columns.magnitude)).rounded(.up)
        let blind = Self.blindLength / distance
        var greatest: Double?
        // Beyond the window's width no height is known.
        for number in stride(from: max(1, (blind * count).rounded(.up)), through: min(count, 4096), by: 1) {
            let share = number / count
            if share > 1 - blind { break }
            let coordinates = Terrain.Coordinates(row: start.row + share * rows, column: start.column + share * columns)
            guard let height = ground.terrain.height(at: coordinates) else { continue }
            let rise = height - ground.height - WearerGround.drop(distance: share * distance)
            greatest = max(greatest ?? -.infinity, rise - eyeHeight - share * line.y)
        }
        return greatest
    }
}

/// Which placements are behind the terrain, from scene to scene.
///
/// A scene tests a limited number of lines of sight, those of new placements first and the others in turn. One that is
/// about grazing the ground stays as it is.
struct OcclusionMemory {
    private var isHidden: [String: Bool] = [:]
    /// Index at which the tests in turn go on.
    private var next = 0

    /// Maximum number of lines of sight in one scene.
    static let mostLines = 16
    /// Height by which the ground has to reach above the line of sight, or stay below it, before a placement changes:
    /// the errors of elevation models next to each other. Unit: metres.
    static let margin = 2.0

    /// Sets for each placement whether it is behind the terrain; nothing where the terrain is unknown.
    ///
    /// - Parameter placements: of the whole scene, each scene in the same order.
    mutating func update(_ placements: inout [Placement], in view: WearerView) {
        guard let ground = view.ground, let viewpoint = view.viewpoint, !placements.isEmpty else {
            isHidden.removeAll()
            return
        }
        let sight = LineOfSight(ground, viewpoint, eyeHeight: view.settings.eyeHeightMetres)
        var left = Self.mostLines
        for index in placements.indices where left > 0 && isHidden[placements[index].id] == nil {
            left -= test(placements[index], sight)
        }
        for _ in placements.indices where left > 0 {
            next = (next + 1) % placements.count
            left -= test(placements[next], sight)
        }
        for index in placements.indices where placements[index].lock == .scene {
            placements[index].isOccluded = isHidden[placements[index].id]
        }
        if isHidden.count > 2 * placements.count + Self.mostLines { forget(except: placements) }
    }

    /// Returns the number of lines of sight tested.
    private mutating func test(_ placement: Placement, _ sight: LineOfSight) -> Int {
        guard placement.lock == .scene else { return 0 }
        let obstruction = sight.obstruction(of: placement.position) ?? -.infinity
        let limit =
            switch isHidden[placement.id] {
            case nil: 0.0
            case false?: Self.margin
            case true?: -Self.margin
            }
        isHidden[placement.id] = obstruction > limit
        return 1
    }

    private mutating func forget(except placements: [Placement]) {
        let present = Set(placements.map(\.id))
        isHidden = isHidden.filter { present.contains($0.key) }
    }
}
