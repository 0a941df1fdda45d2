import Configuration
import Scene
import Testing

@Suite("Settings of the scene")
struct SceneSettingTests {
    private static let groups: [(section: Setting.Section, values: any Sendable)] = [
        (.frame, SceneSettings().frame), (.route, SceneSettings().route), (.places, SceneSettings().places),
        (.placements, SceneSettings().placements), (.labels, SceneSettings().labels),
        (.announcements, SceneSettings().announcements),
        (.anchors, SceneSettings().anchors),
    ]

    @Test("each group of the scene's settings is a section of the file")
    func sections() {
        let groups = Mirror(reflecting: SceneSettings()).children.compactMap(\.label)
        #expect(groups == Self.groups.map(\.section.rawValue))
    }

    /// Keys of these sections whose values belong to the program around the scene.
    private static let others: Set = ["language"]

    @Test("each field has a key, named after it, and no key fills two fields", arguments: groups.indices)
    func fields(group: Int) throws {
        let (section, values) = Self.groups[group]
        let fields = Mirror(reflecting: values).children.compactMap(\.label)
        let keys = Setting.all.filter { $0.section == section }.map(\.key).filter { !Self.others.contains($0) }
        #expect(keys == fields.map(Self.key))
    }

    /// `sizeNearMetres` is `size_near_m`: the words apart, and metres as their symbol. Limits are `most_hints` and
    /// `least_size` for `maximumHintCount` and `minimumSize`.
    private static func key(of field: String) -> String {
        let words = field.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
        let short = words.hasSuffix("_metres") ? String(words.dropLast(6)) + "m" : words
        return short.replacing("minimum_", with: "least_").replacing(/^maximum_count/, with: "most")
            .replacing("maximum_shown_count", with: "most_shown")
            .replacing(/^maximum_(\w+)_count$/) { "most_\($0.1)s" }.replacing("maximum_", with: "most_")
    }

    @Test("a key fills its own field and leaves all others at their defaults")
    func values() throws {
        let text = """
            [frame]
            ready_yaw_degrees = 12.5
            [places]
            radius_m = 250
            most_shown = 20
            [placements]
            pulse_scale = 1.5
            [announcements]
            distances_m = [60, 20]
            """
        var expected = Configuration()
        expected.scene.frame.readyYawDegrees = 12.5
        expected.scene.places.radiusMetres = 250
        expected.scene.places.maximumShownCount = 20
        expected.scene.placements.pulseScale = 1.5
        expected.scene.announcements.distancesMetres = [60, 20]
        #expect(try Configuration.parse(Array(text.utf8), file: "w.toml") == expected)
    }

    @Test("what the scene shows changes on reload, its frame at the next start")
    func reload() {
        for group in Self.groups {
            let settings = Setting.all.filter { $0.section == group.section }
            #expect(!settings.isEmpty)
            for setting in settings { #expect(setting.requiresRestart == (group.section == .frame), "\(setting.path)") }
        }
    }
}
