/// Sources of scene events around the wearer; each event is reported once.
struct SceneEventMonitor {
    private var proximity = ProximityMonitor()
    private var announcer = Announcer()
    private var route = RouteWatch()

    mutating func update(_ moment: SceneMoment, nearby: [NearbyPlace], settings: SceneSettings) -> [SceneEvent] {
        let time = moment.pose.time
        var events: [SceneEvent] = proximity.update(
            places: nearby, accuracy: moment.viewpoint?.horizontalAccuracy, at: time, settings: settings.places
        ).map { .proximity($0) }
        events += route.update(progress: moment.progress, settings: settings.announcements)
        let announcement = announcer.update(
            progress: moment.progress, yawDeviation: moment.viewpoint?.yawDeviation, at: time,
            settings: settings.announcements)
        if let announcement { events.append(.announcement(announcement)) }
        return events
    }
}
