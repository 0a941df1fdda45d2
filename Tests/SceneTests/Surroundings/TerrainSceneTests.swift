import Geometry
import Glibc
import Scene
import Testing

@Suite("Placements on terrain")
struct TerrainSceneTests {
    private let eyeHeight = SceneSettings.Placements().eyeHeightMetres

    private func stage(_ shape: Hills.Shape) throws -> Stage {
        var stage = try Stage()
        stage.composer.setTerrain(try Hills.terrain(around: try stage.streets.position(0, 0), shape))
        return stage
    }

    private func anchor(_ id: String, _ east: Double, _ north: Double, _ height: PlacementHeight, _ stage: Stage)
        throws -> Anchor
    {
        Anchor(id: id, site: .earth(try stage.streets.position(east, north), height: height))
    }

    @Test("behaviour 18: up a slope of 9.7 % things are seen by just its angle, but those that count from the eyes")
    func slope() throws {
        var stage = try stage(Hills.slope)
        let heights: [(String, PlacementHeight, Double)] = [
            ("none", .unstated, 0), ("ground", .groundRelative(0), -eyeHeight),
            ("mast", .groundRelative(10), 10 - eyeHeight),
        ]
        for distance in [100.0, -100, 1500] {
            for (id, height, _) in heights { try stage.place(anchor(id, 0, distance, height, stage)) }
            try stage.place(anchor("eye", 0, distance, .atEye, stage))
            let scene = try stage.scene(0, 0, up: 7, at: 0)
            let north = Hills.seconds(try stage.streets.position(0, distance)).north
            let here = Hills.seconds(try stage.streets.position(0, 0)).north
            for (id, _, above) in heights {
                let placement = try #require(scene.placements.first { $0.id == "anchor/\(id)" })
                let seen = placement.position - scene.eye
                // Of the earth's curvature, less the refraction: 0.7 mm in 100 m, 15 cm in 1500 m.
                let drop = distance * distance * 0.87 / (2 * 6_378_137)
                let expected = atan2(3 * (north - here) + above - drop, distance.magnitude)
                #expect(abs(atan2(seen.y, (seen.x * seen.x + seen.z * seen.z).squareRoot()) - expected) < 1e-5)
            }
            let level = try #require(scene.placements.first { $0.id == "anchor/eye" })
            #expect(abs(level.position.y - scene.eye.y) < 1e-9)
        }
    }

    @Test("behaviour 18: arrows lie on the slope, the destination is at eye height above it, and a climb moves neither")
    func route() throws {
        var stage = try stage(Hills.slope)
        try stage.follow([(0, 0), (0, 80)])
        var heights: [String: Double] = [:]
        for step in 0...20 {
            let north = Double(step)
            let here = Hills.seconds(try stage.streets.position(0, north)).north
            let climbed = 3 * (here - Hills.seconds(try stage.streets.position(0, 0)).north)
            // The heights of eyes and ground are smoothed alike: a metre a second.
            let scene = try stage.scene(0, north, up: 1.6 + climbed, at: north)
            for placement in scene.placements where placement.kind == .arrow || placement.kind == .destination {
                let above = placement.kind == .arrow ? 0 : eyeHeight
                let map = SceneMap(plane: stage.streets.plane, alignment: stage.alignment)
                let there = try #require(map.position(ofScene: placement.position))
                let ground = 3 * (Hills.seconds(there).north - Hills.seconds(try stage.streets.position(0, 0)).north)
                let expected = 1.6 - eyeHeight + ground + above
                #expect(abs(there.ellipsoidalHeight - 400 - expected) < 0.01, "\(placement.id) after \(step) s")
                let before = heights.updateValue(there.ellipsoidalHeight, forKey: placement.id)
                if let before { #expect(abs(before - there.ellipsoidalHeight) < 0.01, "\(placement.id)") }
            }
        }
        #expect(heights.count > 10)
    }

    @Test("behaviour 18: where the terrain is unknown, under the wearer or at the place, it is as without one")
    func unknown() throws {
        var stage = try Stage()
        let here = Hills.seconds(try stage.streets.position(0, 0))
        let known: Hills.Shape = { north, _ in north < here.north + 3 ? 100 : north < here.north + 8 ? nil : 150 }
        stage.composer.setTerrain(try Hills.terrain(around: try stage.streets.position(0, 0), known))
        for (id, north) in [("near", 20.0), ("void", 150), ("far", 400)] {
            try stage.place(anchor(id, 0, north, .unstated, stage))
        }
        func rise(_ id: String, from north: Double, at time: Double) throws -> Double {
            let scene = try stage.scene(0, north, at: time)
            return try #require(scene.placements.first { $0.id == "anchor/\(id)" }).position.y - scene.eye.y
        }
        #expect(abs(try rise("near", from: 0, at: 0)) < 0.001)
        #expect(abs(try rise("void", from: 0, at: 1)) < 0.01)
        #expect(abs(try rise("far", from: 0, at: 2) - 50) < 0.02)
        #expect(abs(try rise("far", from: 150, at: 5)) < 0.01)
        #expect(abs(try rise("far", from: 0, at: 8) - 50) < 0.02)
        stage.composer.setTerrain(nil)
        // What ends under the wearer ceases to count in two seconds.
        let sinking = try [8.5, 9, 9.5, 10.5].map { try rise("far", from: 0, at: $0) }
        for (found, expected) in zip(sinking, [37.5, 25, 12.5, 0]) { #expect(abs(found - expected) < 0.05) }
    }

    // MARK: occlusion

    /// Hill of 60 m, 600 m north of the wearer.
    private func hill(_ stage: Stage) -> @Sendable (_ east: Double, _ north: Double) -> Double {
        { east, north in 60 * exp(-(east * east + (north - 600) * (north - 600)) / (2 * 150 * 150)) }
    }

    private func hillStage() throws -> Stage {
        var stage = try Stage()
        let (hill, plane) = (hill(stage), stage.streets.plane)
        let terrain = try Hills.terrain(around: try stage.streets.position(0, 0)) { north, east in
            let position = GeodeticPosition(
                latitudeDegrees: 47 + north / 3600, longitudeDegrees: 8 + east / 3600, ellipsoidalHeight: 400)!
            let point = plane.pointENU(of: position)
            return hill(point.x, point.y)
        }
        stage.composer.setTerrain(terrain)
        return stage
    }

    /// Height by which the hill is above the line of sight to a thing above the ground, in steps of half a metre.
    private func obstruction(_ east: Double, _ north: Double, above: Double, _ stage: Stage) throws -> Double {
        let hill = hill(stage)
        let distance = (east * east + north * north).squareRoot()
        func drop(_ along: Double) -> Double { along * along * 0.87 / (2 * 6_378_137) }
        let rise = hill(east, north) - drop(distance) + above - eyeHeight - hill(0, 0)
        return stride(from: 30.0, through: distance - 30, by: 0.5).map { along in
            let share = along / distance
            return hill(east * share, north * share) - hill(0, 0) - drop(along) - eyeHeight - rise * share
        }.max() ?? -.infinity
    }

    @Test("behaviour 60: a hill hides just what geometry says, against steps of half a metre")
    func hides() throws {
        var stage = try hillStage()
        var anchors: [(id: String, obstruction: Double)] = []
        for (east, north) in [(0.0, 1500.0), (400, 1200), (-150, 900), (0, 450), (800, -100), (0, 620)] {
            for above in [0.0, 20, 50, 100] {
                let id = "\(east),\(north),\(above)"
                try stage.place(anchor(id, east, north, .groundRelative(above), stage))
                anchors.append((id, try obstruction(east, north, above: above, stage)))
            }
        }
        var scene = try stage.scene(0, 0, at: 0)
        #expect(scene.placements.count { $0.isOccluded != nil } == 16, "a limited number of lines in one scene")
        scene = try stage.scene(0, 0, at: 0.1)
        var hidden = 0
        for (id, obstruction) in anchors {
            let found = scene.placements.first { $0.id == "anchor/\(id)" }
            let isOccluded: Bool = try #require(found?.isOccluded as Bool?)
            // The hill between samples 30 m apart is up to 40 cm lower, and rounded.
            if abs(obstruction - 2) > 0.5 { #expect(isOccluded == (obstruction > 2), "\(id): \(obstruction) m") }
            hidden += isOccluded ? 1 : 0
        }
        #expect(hidden > 4 && hidden < anchors.count - 4)
    }

    @Test("behaviour 60: what is about grazing the ground does not flicker")
    func hysteresis() throws {
        var stage = try hillStage()
        /// Height of a thing that has this obstruction, which falls as it rises.
        func height(of wanted: Double) throws -> Double {
            var (low, high) = (0.0, 400.0)
            while high - low > 0.01 {
                let middle = (low + high) / 2
                if try obstruction(0, 1500, above: middle, stage) > wanted { low = middle } else { high = middle }
            }
            return low
        }
        var time = 0.0
        for (obstruction, isHidden) in [(1.0, false), (5, true), (0.7, true), (-1, false), (1, false), (3.5, true)] {
            time += 1
            try stage.place(anchor("a", 0, 1500, .groundRelative(try height(of: obstruction)), stage))
            let scene = try stage.scene(0, 0, at: time)
            #expect(scene.placements.first?.isOccluded == isHidden, "\(obstruction) m")
        }
    }

    @Test("behaviour 60: on flat ground what a hill or a house has hidden is seen again, lying on the ground or not")
    func seenAgain() throws {
        var stage = try Stage()
        let here = try stage.streets.position(0, 0)
        stage.composer.setTerrain(try Hills.terrain(around: here) { _, _ in 500 })
        let corners = try [(-5.0, 40.0), (5, 40), (5, 50), (-5, 50)].map {
            Building.Vertex(try stage.streets.position($0.0, $0.1))
        }
        let house = try #require(Building(id: 1, rings: [corners], height: 12))
        stage.composer.setBuildings(Buildings([house], around: here))
        try stage.place(anchor("eye", 0, 100, .unstated, stage))
        try stage.place(anchor("ground", 0, 100, .groundRelative(0), stage))
        #expect(try stage.scene(0, 0, at: 0).placements.map(\.isOccluded) == [true, true])
        #expect(try stage.scene(30, 0, at: 1).placements.map(\.isOccluded) == [false, false])
    }

    @Test("behaviour 60: a place up a slope in plain view is not hidden while terrain comes to count, nor near its end")
    func fading() throws {
        var stage = try Stage()
        let here = Hills.seconds(try stage.streets.position(0, 0))
        for distance in [500.0, 2000, 6000, 7000, 7900] {
            try stage.place(anchor("\(distance)", 0, distance, .unstated, stage))
        }
        _ = try stage.scene(0, 0, at: 0)
        // Ever steeper, so that each place is seen over all that is before it.
        let terrain = try Hills.terrain(around: try stage.streets.position(0, 0)) { north, _ in
            200 + 0.02 * max(0, north - here.north) * max(0, north - here.north)
        }
        stage.composer.setTerrain(terrain)
        for step in 1...30 {
            let scene = try stage.scene(0, 0, at: Double(step) / 10)
            for placement in scene.placements { #expect(placement.isOccluded == false, "\(placement.id) at \(step)") }
        }
    }

    @Test("behaviour 60: a ridge hides what is behind it, and in no other direction; beyond 8 km nothing is said")
    func directions() throws {
        var stage = try Stage()
        let here = try stage.streets.position(0, 0)
        let compass = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7)]
        for (index, (east, north)) in compass.enumerated() {
            for distance in [5.5, 7, 9.5, 60] {
                let place = try anchor(
                    "\(index) \(distance)", east * distance * 1000, north * distance * 1000, .unstated, stage)
                try stage.place(place)
            }
        }
        for (index, (east, north)) in compass.enumerated() where [1, 2, 7].contains(index) {
            let (ridgeNorth, ridgeEast) = Hills.seconds(try stage.streets.position(east * 4000, north * 4000))
            stage.composer.setTerrain(
                try Hills.terrain(around: here) { north, east in
                    let (high, wide) = (30.9 * (north - ridgeNorth), 20.9 * (east - ridgeEast))
                    return 800 * max(0, 1 - (high * high + wide * wide) / 1_000_000)
                })
            for step in 0...4 { _ = try stage.scene(0, 0, at: Double(index * 10 + step)) }
            let scene = try stage.scene(0, 0, at: Double(index * 10 + 5))
            for placement in scene.placements {
                let isBehind = placement.id.hasPrefix("anchor/\(index) ")
                let isFar = placement.id.hasSuffix(" 9.5") || placement.id.hasSuffix(" 60.0")
                #expect(placement.isOccluded == (isFar ? nil : isBehind), "ridge \(index), \(placement.id)")
            }
        }
    }

    @Test("behaviour 60: without terrain, and for what is fixed to the head, nothing is said")
    func unsaid() throws {
        var stage = try hillStage()
        try stage.place(anchor("a", 0, 1500, .unstated, stage))
        try stage.place(Anchor(id: "h", site: .head(Vector3(0, 0, -1))))
        var scene = try stage.scene(0, 0, at: 0)
        #expect(scene.placements.map(\.isOccluded) == [true, nil])
        stage.composer.setTerrain(nil)
        scene = try stage.scene(0, 0, at: 3)
        #expect(scene.placements.map(\.isOccluded) == [nil, nil])
    }
}
