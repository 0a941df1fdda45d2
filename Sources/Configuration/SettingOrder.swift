/// Order constraint between two numeric settings: less than, or at most equal.
struct SettingOrder: Sendable {
    let lesser: Setting
    let greater: Setting
    let mayBeEqual: Bool

    /// All constraints: pairs of settings that are each in range but contradict each other in the wrong order.
    static let all: [SettingOrder] = [
        SettingOrder("pose.default_rate_hz", atMost: "pose.max_rate_hz"),
        SettingOrder("route.arrow_spacing_m", atMost: "route.window_m"),
        SettingOrder("route.node_spacing_m", atMost: "route.window_m"),
        SettingOrder("places.least_radius_m", atMost: "places.radius_m"),
        SettingOrder("places.radius_m", atMost: "places.most_radius_m"),
        SettingOrder("places.near_m", below: "places.middle_m"),
        SettingOrder("places.proximity_leave", below: "places.proximity_enter"),
        SettingOrder("places.most_shown", atMost: "placements.most_placements"),
        SettingOrder("placements.size_near_m", below: "placements.size_far_m"),
        SettingOrder("placements.behind_enter_degrees", below: "placements.behind_leave_degrees"),
        SettingOrder("anchors.most_per_client", atMost: "anchors.most"),
        SettingOrder("labels.height_degrees", atMost: "labels.slot_degrees"),
    ]

    private init(_ lesser: String, below greater: String) {
        self.init(lesser, greater, mayBeEqual: false)
    }

    private init(_ lesser: String, atMost greater: String) {
        self.init(lesser, greater, mayBeEqual: true)
    }

    private init(_ lesser: String, _ greater: String, mayBeEqual: Bool) {
        self.lesser = Self.setting(lesser)
        self.greater = Self.setting(greater)
        self.mayBeEqual = mayBeEqual
    }

    private static func setting(_ path: String) -> Setting {
        guard let setting = Setting.all.first(where: { $0.path == path }) else {
            preconditionFailure("\(path) is no setting")
        }
        return setting
    }

    /// Problem of a configuration that violates the constraint; else nil.
    func problem(in configuration: Configuration) -> String? {
        guard let less = lesser.number(configuration), let more = greater.number(configuration) else { return nil }
        guard mayBeEqual ? less > more : less >= more else { return nil }
        let demand = mayBeEqual ? "must not be greater than" : "must be less than"
        return "\(lesser.path): \(demand) \(greater.path), which is \(greater.written(configuration))"
    }
}
