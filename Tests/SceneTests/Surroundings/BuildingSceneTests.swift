import Geometry
import Scene
import Testing

@Suite("Placements among buildings")
struct BuildingSceneTests {
    private let eyeHeight = SceneSettings.Placements().eyeHeightMetres

    /// Building whose rings are given by metres east and north of the streets' origin.
    private func building(_ id: Int64, height: Double, _ rings: [[(Double, Double)]], _ stage: Stage) throws -> Building
    {
        let rings = try rings.map { ring in
            try ring.map { Building.Vertex(try stage.streets.position($0.0, $0.1)) }
        }
        return try #require(Building(id: id, rings: rings, height: height))
    }

    private func block(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [(Double, Double)] {
        [(west, south), (east, south), (east, north), (west, north)]
    }

    private func stage(_ buildings: (Stage) throws -> [Building]) throws -> Stage {
        var stage = try Stage()
        let found = try buildings(stage)
        stage.composer.setBuildings(Buildings(found, around: try stage.streets.position(0, 0)))
        return stage
    }

    private func anchor(_ id: String, _ east: Double, _ north: Double, _ height: PlacementHeight, _ stage: Stage)
        throws -> Anchor
    {
        Anchor(id: id, site: .earth(try stage.streets.position(east, north), height: height))
    }

    private func isHidden(_ id: String, _ scene: SceneContent) throws -> Bool? {
        try #require(scene.placements.first { $0.id == "anchor/\(id)" }).isOccluded
    }

    // MARK: - Roofs

    @Test("behaviour 18: a thing on a roof is as high as the roof, also on a slope; in a courtyard it is on the ground")
    func roof() throws {
        var stage = try stage {
            [try building(1, height: 20, [block(-10, 80, 10, 120), block(-4, 96, 4, 104)], $0)]
        }
        let heights: [(String, Double, PlacementHeight, Double)] = [
            ("roof", 90, .roofRelative(0), 20), ("mast", 90, .roofRelative(3), 23),
            ("yard", 100, .roofRelative(1), 1), ("beside", 70, .roofRelative(0), 0),
            ("ground", 90, .groundRelative(0), 0),
        ]
        for (id, north, height, _) in heights { try stage.place(anchor(id, 0, north, height, stage)) }
        for isSlope in [false, true] {
            if isSlope {
                let here = try stage.streets.position(0, 0)
                stage.composer.setTerrain(try Hills.terrain(around: here, Hills.slope))
            }
            let scene = try stage.scene(0, 0, at: isSlope ? 3 : 0)
            let from = Hills.seconds(try stage.streets.position(0, 0)).north
            for (id, north, _, above) in heights {
                let placement = try #require(scene.placements.first { $0.id == "anchor/\(id)" })
                let rise = isSlope ? 3 * (Hills.seconds(try stage.streets.position(0, north)).north - from) : 0
                #expect(abs(placement.position.y - scene.eye.y - (rise + above - eyeHeight)) < 0.01, "\(id)")
            }
        }
    }

    @Test("behaviour 18: while the wearer walks away, what is on a roof sinks to the ground without a jump")
    func sinks() throws {
        var stage = try stage { [try building(1, height: 10, [block(-10, -10, 10, 10)], $0)] }
        try stage.place(anchor("a", 0, 0, .roofRelative(0), stage))
        var before: Double?
        for distance in stride(from: 250.0, through: 450, by: 2) {
            let scene = try stage.scene(0, distance, at: distance)
            let height = try #require(scene.placements.first).position.y - scene.eye.y + eyeHeight
            if distance <= 316 { #expect(abs(height - 10) < 0.01) }
            if distance >= 404 { #expect(abs(height) < 0.03) }
            if let before { #expect(abs(height - before) < 0.3) }
            before = height
        }
    }

    // MARK: - Occlusion

    /// Whether a straight line in the plane, sampled each 0.25 m, is in a block, and how far; a second opinion that
    /// knows no grid and no crossing of walls.
    private func lengths(to end: Vector2, in blocks: [(Vector2, Vector2, Double)], above: Double) -> [(Double, Double)]
    {
        blocks.compactMap { low, high, height in
            let count = Int(end.norm * 4)
            let inside = (0...count).map { Double($0) / Double(count) }.filter { share in
                let point = share * end
                let isIn = point.x > low.x && point.x < high.x && point.y > low.y && point.y < high.y
                return isIn && share * end.norm > 5 && (1 - share) * end.norm > 5
            }
            guard let first = inside.first, let last = inside.last else { return nil }
            let line = [first, last].map { eyeHeight + $0 * (above - eyeHeight) }
            return ((last - first) * end.norm, height - min(line[0], line[1]))
        }
    }

    @Test("behaviour 60: houses hide just what geometry says, in a seeded town of 500 of them")
    func town() throws {
        var random = RandomSource(seed: 60)
        var blocks: [(Vector2, Vector2, Double)] = []
        while blocks.count < 500 {
            let west = random.uniform(in: -600...600), south = random.uniform(in: -600...600)
            let width = random.uniform(in: 8...25), depth = random.uniform(in: 8...25)
            // The wearer is in none.
            if west < 1, west + width > -1, south < 1, south + depth > -1 { continue }
            blocks.append(
                (Vector2(west, south), Vector2(west + width, south + depth), random.uniform(in: 15...40)))
        }
        var stage = try stage { stage in
            try blocks.enumerated().map { index, each in
                try building(
                    Int64(index), height: each.2, [block(each.0.x, each.0.y, each.1.x, each.1.y)], stage)
            }
        }
        var (tested, hidden) = (0, 0)
        for number in 0..<200 {
            let end = Vector2(random.uniform(in: -580...580), random.uniform(in: -580...580))
            let isInside = blocks.contains { end.x > $0.0.x && end.x < $0.1.x && end.y > $0.0.y && end.y < $0.1.y }
            let above = random.uniform(in: 0...120)
            let crossed = lengths(to: end, in: blocks, above: above)
            // Near the limits either is right, and of the house around it nothing is said here.
            guard !isInside, end.norm > 12 else { continue }
            if crossed.contains(where: { abs($0.0 - 4) < 0.6 || abs($0.1 - 2) < 0.3 }) { continue }
            try stage.place(anchor("a\(number)", end.x, end.y, .groundRelative(above), stage))
            let scene = try stage.scene(0, 0, at: Double(number))
            let expected = crossed.contains { $0.0 > 4 && $0.1 > 2 }
            #expect(try isHidden("a\(number)", scene) == expected, "\(number): \(end)")
            _ = stage.composer.removeAnchor(id: "a\(number)")
            tested += 1
            hidden += expected ? 1 : 0
        }
        #expect(tested > 120 && hidden > 30 && hidden < tested - 30)
    }

    @Test("behaviour 60: the house of a thing and that around the wearer hide nothing; one in between does")
    func own() throws {
        var stage = try stage {
            [
                try building(1, height: 10, [block(-8, -8, 8, 8)], $0),
                try building(2, height: 10, [block(-8, 92, 8, 108)], $0),
            ]
        }
        try stage.place(anchor("in", 0, 100, .unstated, stage))
        try stage.place(anchor("behind", 0, 130, .unstated, stage))
        try stage.place(anchor("high", 0, 130, .groundRelative(30), stage))
        let scene = try stage.scene(0, 0, at: 0)
        #expect(try isHidden("in", scene) == false)
        #expect(try isHidden("behind", scene) == true)
        #expect(try isHidden("high", scene) == false)
        stage.composer.setBuildings(nil)
        #expect(try isHidden("behind", try stage.scene(0, 0, at: 1)) == nil)
    }

    @Test("behaviour 60: a position that wanders through the wall beside the wearer changes nothing")
    func wall() throws {
        var stage = try stage { [try building(1, height: 15, [block(-40, 1, 40, 21)], $0)] }
        try stage.place(anchor("a", 0, 60, .unstated, stage))
        var time = 0.0
        // North of the wall by a number of metres, after the first scene on the street; at last inside, and out again.
        for (north, isHidden) in [(0.0, true), (2, true), (-1, true), (5, true), (9, false), (3, false), (0, true)] {
            time += 1
            let found = try self.isHidden("a", try stage.scene(0, north, at: time))
            #expect(found == isHidden, "\(north) m")
        }
    }

    @Test("behaviour 60: at a corner a thing stays as it is until the line is clearly inside, or clearly beside it")
    func corner() throws {
        // The line from the origin to (100, 100 - e) is inside for some 0.7·e metres at the corner (50, 50).
        var stage = try stage { [try building(1, height: 20, [block(50, 30, 70, 50)], $0)] }
        var time = 0.0
        let moves = [(-1.0, false), (3, false), (8, true), (3, true), (0.5, true), (-1, false), (3, false)]
        for (aside, isHidden) in moves {
            time += 1
            try stage.place(anchor("a", 100, 100 - aside, .unstated, stage))
            let found = try self.isHidden("a", try stage.scene(0, 0, at: time))
            #expect(found == isHidden, "\(aside) m")
        }
    }
}
