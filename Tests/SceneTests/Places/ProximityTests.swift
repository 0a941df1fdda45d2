import Geometry
import Model
import Scene
import Testing

@Suite("Proximity")
struct ProximityTests {
    let settings = SceneSettings().places
    let streets: Streets

    init() throws { streets = try Streets() }

    func near(_ id: String, _ distance: Double) throws -> NearbyPlace {
        NearbyPlace(place: try streets.place(id, 0, distance), distance: distance, bearing: 0)
    }

    func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("behaviour 32: reached with P(d < 40 m) > 0.7, left with < 0.3, once each")
    func once() throws {
        var monitor = ProximityMonitor()
        // With 15.1 m of 68 % the deviation is 10 m: by Rice's distribution P is 0.7 at 33.5 m and 0.3 at 44.1 m.
        let walk: [(Double, [ProximityEvent.Kind])] = [
            (100, []), (45, []), (36, []), (34, []), (33, [.entered]), (30, []), (36, []), (43, []), (43.5, []),
            (45, [.left]), (46, []),
        ]
        for (second, step) in walk.enumerated() {
            let events = monitor.update(
                places: [try near("a", step.0)], accuracy: 15.1, at: time(Double(second)), settings: settings)
            #expect(events.map(\.kind) == step.1, "at \(step.0) m")
            #expect(events.allSatisfy { $0.id == "a" && $0.name == "A" && $0.distance == step.0 })
        }
    }

    @Test("behaviour 32: with a poor position nothing is reached, however near it seems")
    func poor() throws {
        var monitor = ProximityMonitor()
        let here = [try near("a", 0)]
        // P = 1 − exp(−R²/2σ²) is 0.7 for σ = 25.8 m, an accuracy of 38.9 m.
        #expect(monitor.update(places: here, accuracy: 39.5, at: time(0), settings: settings).isEmpty)
        #expect(monitor.update(places: here, accuracy: 38.5, at: time(1), settings: settings).count == 1)
    }

    @Test("behaviour 32: without an accuracy nothing is reached or left", arguments: [nil, -1, .nan, .infinity])
    func unknown(accuracy: Double?) throws {
        var monitor = ProximityMonitor()
        let here = [try near("a", 1)]
        let far = [try near("a", 500)]
        #expect(monitor.update(places: here, accuracy: accuracy, at: time(0), settings: settings).isEmpty)
        #expect(monitor.update(places: here, accuracy: 3, at: time(1), settings: settings).map(\.kind) == [.entered])
        #expect(monitor.update(places: far, accuracy: accuracy, at: time(2), settings: settings).isEmpty)
        #expect(monitor.update(places: far, accuracy: 3, at: time(3), settings: settings).map(\.kind) == [.left])
    }

    @Test("behaviour 32: what was left is not reached again before the cool-down is over")
    func coolDown() throws {
        var monitor = ProximityMonitor()
        func update(_ distance: Double, _ seconds: Double) throws -> [ProximityEvent.Kind] {
            monitor.update(
                places: [try near("a", distance)], accuracy: 3, at: time(seconds), settings: settings
            ).map(\.kind)
        }
        #expect(try update(10, 0) == [.entered])
        #expect(try update(100, 100) == [.left])
        #expect(try update(10, 110) == [])
        #expect(try update(10, 159) == [])
        #expect(try update(10, 160) == [.entered])
    }

    @Test("behaviour 32: noise about the edge reaches a place once")
    func noise() throws {
        var monitor = ProximityMonitor()
        var draws = Draws(state: 3)
        var events: [ProximityEvent.Kind] = []
        for second in 0..<600 {
            let distance = max(0, 36 + 1.5 * draws.normal())
            events += monitor.update(
                places: [try near("a", distance)], accuracy: 8, at: time(Double(second)), settings: settings
            ).map(\.kind)
        }
        #expect(events == [.entered])
    }

    @Test("several are reported in the order of their ids, what is left first; what is gone is left")
    func several() throws {
        var monitor = ProximityMonitor()
        let first = [try near("c", 5), try near("a", 20), try near("b", 10)]
        let entered = monitor.update(places: first, accuracy: 3, at: time(0), settings: settings)
        #expect(entered.map(\.id) == ["a", "b", "c"] && monitor.reachedIDs == ["a", "b", "c"])
        let second = [try near("b", 90), try near("0", 3), try near("a", 20)]
        let events = monitor.update(places: second, accuracy: 3, at: time(1), settings: settings)
        #expect(events.map(\.id) == ["b", "c", "0"])
        #expect(events.map(\.kind) == [.left, .left, .entered])
        #expect(events.map(\.distance) == [90, 5, 3])
        #expect(monitor.reachedIDs == ["0", "a"])
    }
}
