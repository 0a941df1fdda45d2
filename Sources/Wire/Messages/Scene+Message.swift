import Geometry
import Scene
import WaymarkInterface

extension SceneUpdate {
    /// Whether any text of the scene is composed in the reader's language.
    var hasWords: Bool {
        if let turn = route?.nextTurn, (turn.text ?? "").isEmpty { return true }
        return changed.contains(where: \.placement.hasWords) || events.contains(where: \.hasWords)
    }

    package func message(in language: Language) -> SceneInterface.Scene {
        SceneInterface.Scene(
            revision: Int(clamping: revision), snapshot: isSnapshot, missed: missed > 0 ? missed : nil,
            time: time.message, generation: Int(generation), readiness: readiness.state.message,
            reasons: readiness.reasons.message, route: route?.message(in: language),
            motion: motion.map { SceneInterface.ArrowMotion(epoch: $0.epoch.message, period: $0.period) },
            sun: sun?.message, labelRoll: Angle.degrees(radians: labelRoll),
            changed: changed.map { $0.message(in: language) },
            removed: removed, events: events.map { $0.message(in: language) },
            eventsDropped: eventsDropped > 0 ? eventsDropped : nil,
            left: left > 0 ? left : nil)
    }
}

extension Sun {
    package var message: SceneInterface.Sun {
        SceneInterface.Sun(
            elevation: Angle.degrees(radians: elevation), azimuth: bearingDegrees(azimuth) ?? .nan,
            isDay: daylight == .day, light: daylight.message)
    }
}

extension RouteStatus {
    package func message(in language: Language) -> SceneInterface.Route {
        SceneInterface.Route(
            id: id, name: name, state: state.message, length: length, duration: duration, vertices: vertices,
            turns: turns, along: along, remaining: remaining, remainingSeconds: remainingSeconds,
            distanceFromRoute: distanceFromRoute,
            nextTurn: nextTurn.map { $0.message(distance: nextTurnDistance ?? .nan, in: language) })
    }
}

extension RouteTurn {
    package func message(distance: Double, in language: Language) -> SceneInterface.RouteTurn {
        SceneInterface.RouteTurn(
            kind: OpenWord(kind.message), side: side.message, angle: angle * 180 / .pi, text: words(in: language),
            alongRoute: distance)
    }
}

extension GeodeticPosition {
    /// A vertex of a route.
    package var vertex: SceneInterface.RouteVertex {
        SceneInterface.RouteVertex(latitude: latitudeDegrees, longitude: longitudeDegrees)
    }
}

extension PublishedEvent {
    /// Whether the text of the event is composed in the reader's language.
    fileprivate var hasWords: Bool {
        switch event {
        case .announcement, .correction, .plan: true
        default: false
        }
    }

    package func message(in language: Language) -> SceneInterface.Event {
        func event(_ kind: SceneInterface.EventKind) -> SceneInterface.Event {
            SceneInterface.Event(sequence: Int(sequence), time: time.message, kind: OpenWord(kind))
        }
        var message: SceneInterface.Event
        switch self.event {
        case .proximity(let proximity):
            message = event(proximity.kind == .entered ? .proximityEntered : .proximityLeft)
            message.id = PlacementID.place(proximity.id)
            message.text = proximity.name.nonEmpty
            message.distance = proximity.distance
        case .announcement(let announcement):
            message = event(.announcement)
            message.about = OpenWord(announcement.kind.message)
            message.isNow = announcement.isNow ? true : nil
            message.route = announcement.routeID
            message.text = announcement.text(in: language)
            message.distance = announcement.distance
            message.side = announcement.side?.message
        case .turnAhead(let turn):
            message = event(.turnAhead)
            message.route = turn.routeID
            message.distance = turn.distance
            message.side = turn.turn.side.message
        case .route(let id, let state):
            message = event(state.eventKind)
            message.route = id
        case .readiness(let readiness):
            message = event(.readiness)
            message.state = readiness.state.message
            message.reasons = readiness.reasons.message.words
        case .correction(let correction):
            message = event(.correction)
            message.text = correction.text(in: language)
            message.distance = correction.shift
            message.turn = Angle.degrees(radians: correction.turn)
            message.reasons = correction.causes.message.words
        case .plan(let change):
            message = event(change.kind.message)
            message.text = change.text(in: language)
            message.plan = change.use.message
        case .anchorLost(let id):
            message = event(.anchorLost)
            message.id = PlacementID.anchor(id)
        case .anchorMoved(let id, let distance):
            message = event(.anchorMoved)
            message.id = PlacementID.anchor(id)
            message.distance = distance
        }
        return message
    }
}
