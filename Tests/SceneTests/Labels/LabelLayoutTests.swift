import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("Label layout")
struct LabelLayoutTests {
    let settings = SceneSettings().labels

    func label(_ id: String, _ degrees: Double, _ distance: Double, priority: Int = 0) -> LabelRequest {
        LabelRequest(id: id, azimuth: Angle.radians(degrees: degrees), distance: distance, priority: priority)
    }

    func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("behaviour 36: labels in one direction are stacked from the lowest slot up, the nearest first")
    func stacked() throws {
        var layout = LabelLayout(settings: settings)
        let slots = layout.place([label("c", 11, 300), label("a", 10, 100), label("b", 12, 200)], at: time(0))
        #expect(slots["a"]?.index == 0 && slots["b"]?.index == 1 && slots["c"]?.index == 2)
        let elevation = try #require(slots["c"]?.elevation)
        #expect(abs(Angle.degrees(radians: elevation) - (settings.lowestDegrees + 2 * settings.slotDegrees)) < 1e-9)
    }

    @Test("behaviour 36: the height is the distance by the tangent of the elevation")
    func height() {
        let slot = LabelSlot(index: 2, elevation: 0.1, width: 0.14, height: 0.035)
        #expect(abs(slot.height(at: 200) - 20.0669) < 1e-3)
    }

    @Test("behaviour 36: labels side by side share the lowest slot")
    func sideBySide() {
        var layout = LabelLayout(settings: settings)
        let labels = (0..<30).map { label("p\($0)", Double($0) * 12, 100 + Double($0)) }
        let slots = layout.place(labels, at: time(0))
        #expect(slots.count == 30 && slots.values.allSatisfy { $0.index == 0 })
    }

    @Test("labels to either side of north and of south are neighbours")
    func wrap() {
        var layout = LabelLayout(settings: settings)
        let slots = layout.place(
            [label("a", 359, 100), label("b", 1, 200), label("c", 179, 100), label("d", -179, 200)], at: time(0))
        #expect(slots["a"]?.index != slots["b"]?.index && slots["c"]?.index != slots["d"]?.index)
    }

    @Test("behaviour 36: where there are more labels than slots, the important and the near are shown")
    func crowded() {
        var layout = LabelLayout(settings: settings)
        var labels = (0..<12).map { label("p\($0)", 40 + 0.1 * Double($0), 100 + 50 * Double($0)) }
        labels[11].priority = 1
        let slots = layout.place(labels, at: time(0))
        #expect(Set(slots.keys) == Set((0..<7).map { "p\($0)" } + ["p11"]))
    }

    @Test(
        "behaviour 36: of those that compete for the last slot the noise of distances does not show now one, now another"
    )
    func hysteresis() {
        var layout = LabelLayout(settings: settings)
        var draws = Draws(state: 4)
        var shown: [Set<String>] = []
        for step in 0..<600 {
            let labels = (0..<12).map { label("p\($0)", 40, 200 + Double($0) + 10 * draws.normal()) }
            shown.append(Set(layout.place(labels, at: time(Double(step) * 0.1)).keys))
        }
        #expect(Set(shown).count == 1)
    }

    @Test("behaviour 36: a clearly nearer label takes the slot of a far one, after a while")
    func displaces() {
        var layout = LabelLayout(settings: settings)
        let far = (0..<8).map { label("p\($0)", 40, 400 + Double($0)) }
        _ = layout.place(far, at: time(0))
        _ = layout.place(far + [label("new", 40, 390)], at: time(1))
        for second in 2...60 {
            let slots = layout.place(far + [label("new", 40, 390)], at: time(Double(second)))
            #expect(slots["new"] == nil, "not clearly nearer")
        }
        #expect(layout.place(far + [label("new", 40, 100)], at: time(61))["new"] == nil)
        #expect(layout.place(far + [label("new", 40, 100)], at: time(62))["new"] == nil)
        let slots = layout.place(far + [label("new", 40, 100)], at: time(63))
        #expect(slots["new"] != nil && slots["p7"] == nil && slots.count == 8)
    }

    @Test("behaviour 36: a label comes down when the lower slot has been free for the patience, not before")
    func patience() {
        var layout = LabelLayout(settings: settings)
        let stack = (0..<5).map { label("p\($0)", 40, 100 + Double($0)) }
        #expect(layout.place(stack, at: time(0))["p4"]?.index == 4)
        let alone = [stack[4]]
        #expect(layout.place(alone, at: time(1))["p4"]?.index == 4)
        #expect(layout.place(alone, at: time(1 + 0.9 * settings.patienceSeconds))["p4"]?.index == 4)
        // Someone there for an instant begins the wait anew.
        _ = layout.place(alone + [label("q", 40, 50), label("r", 40, 51)], at: time(2.9))
        #expect(layout.place(alone, at: time(3.5))["p4"]?.index == 4)
        #expect(layout.place(alone, at: time(3.5 + settings.patienceSeconds))["p4"]?.index == 0)
    }

    @Test("a slot that is one lower is not worth a move")
    func notWorth() {
        var layout = LabelLayout(settings: settings)
        _ = layout.place([label("a", 40, 100), label("b", 40, 200)], at: time(0))
        for second in 1...100 {
            #expect(layout.place([label("b", 40, 200)], at: time(Double(second)))["b"]?.index == 1)
        }
    }

    @Test("who is away comes back to its slot, for as long as moves count")
    func absence() {
        var layout = LabelLayout(settings: settings)
        let pair = [label("a", 40, 100), label("b", 40, 200)]
        _ = layout.place(pair, at: time(0))
        _ = layout.place([], at: time(5))
        #expect(layout.place([pair[1]], at: time(10))["b"]?.index == 1)
        _ = layout.place([], at: time(11))
        #expect(layout.place([pair[1]], at: time(500))["b"]?.index == 1)
        _ = layout.place([], at: time(501))
        _ = layout.place([], at: time(1200))
        #expect(layout.place([pair[1]], at: time(1201))["b"]?.index == 0)
    }

    @Test("behaviour 36: the order of the labels does not matter", arguments: [UInt64(1), 2, 3])
    func order(seed: UInt64) {
        let walk = LabelWalk(.grid, seed: seed)
        var draws = Draws(state: seed)
        var layout = LabelLayout(settings: settings)
        var shuffled = LabelLayout(settings: settings)
        for step in stride(from: 0, to: 3000, by: 10) {
            let requests = walk.requests(at: step)
            let slots = layout.place(requests, wearerVelocity: walk.velocity(at: step), at: walk.time(at: step))
            let others = shuffled.place(
                requests.shuffled(using: &draws), wearerVelocity: walk.velocity(at: step), at: walk.time(at: step))
            #expect(slots == others)
        }
    }

    @Test("what is not a direction gets no slot, and of one id the first counts")
    func hostile() {
        var layout = LabelLayout(settings: settings)
        let slots = layout.place(
            [
                label("nan", .nan, 100), label("far", 10, .infinity), label("twice", 10, 100), label("twice", 90, 50),
                label("here", 200, 0), label("huge", 1e300, 1e300),
            ], wearerVelocity: Vector3(.nan, 0, 0), at: time(0))
        #expect(Set(slots.keys) == ["twice", "here", "huge"])
        #expect(layout.place([], at: time(1)).isEmpty)
    }

    @Test("without slots no label is shown; slots that go up to the zenith do no harm")
    func oddSettings() {
        var none = settings
        none.slots = 0
        var layout = LabelLayout(settings: none)
        #expect(layout.place([label("a", 10, 100)], at: time(0)).isEmpty)
        var high = settings
        high.slotDegrees = 30
        high.widthDegrees = 120
        layout = LabelLayout(settings: high)
        let labels = (0..<20).map { label("p\($0)", Double($0) * 18, 100 + Double($0)) }
        for second in 0..<20 {
            let slots = layout.place(labels, wearerVelocity: Vector3(1, 0, 1), at: time(Double(second)))
            #expect(!slots.isEmpty)
        }
    }
}
