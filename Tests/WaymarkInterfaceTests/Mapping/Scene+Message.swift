import Geodesy
import Geometry
import Model
import Scene
import WaymarkInterface

extension ViewedPlacement {
    var message: SceneInterface.Placement {
        let route = placement
        return SceneInterface.Placement(
            id: placement.id, revision: Int(clamping: revision), kind: OpenWord(placement.kind.message),
            name: placement.name.orNil, category: placement.category.orNil, lock: placement.lock.message,
            position: placement.position.message, displayDistance: placement.displayDistance,
            yaw: Angle.degrees(radians: placement.billboardYaw), bearing: circle(placement.bearing),
            distance: placement.distance, distanceText: placement.distanceText, alongRoute: placement.alongRoute,
            alongRouteText: placement.alongRouteText, sigma: placement.sigma.map { Angle.degrees(radians: $0) },
            size: SceneInterface.Size(
                policy: placement.sizePolicy.message, angle: Angle.degrees(radians: placement.size.angle),
                scale: placement.size.scale),
            band: placement.band?.message, order: placement.order, slot: placement.slot?.message,
            pulse: placement.pulse?.message, visible: isVisible, hint: hint?.message,
            radar: radar.map { SceneInterface.Radar(x: $0.x, y: $0.y) },
            course: route.course.map { Angle.degrees(radians: $0) },
            path: route.path.isEmpty ? nil : route.path.map(\.message), side: route.side?.message,
            maneuver: route.maneuver.map { OpenWord($0.message) }, favorite: placement.isFavorite ? true : nil,
            members: placement.members.isEmpty ? nil : placement.members,
            properties: placement.properties.isEmpty ? nil : placement.properties,
            details: placement.details?.message)
    }
}

extension String {
    fileprivate var orNil: String? { isEmpty ? nil : self }
}

/// Degrees in [0, 360) with two decimals; what would round up to 360 becomes 0.
private func circle(_ radians: Double?) -> Double? {
    guard let radians, radians.isFinite else { return nil }
    let degrees = Angle.degrees(radians: Angle.positive(radians))
    return degrees >= 359.995 ? 0 : degrees
}

extension PlaceDetails {
    var message: SceneInterface.Details {
        SceneInterface.Details(
            address: texts[.address], street: texts[.street], houseNumber: texts[.houseNumber],
            postcode: texts[.postcode], city: texts[.city], country: texts[.country], phone: texts[.phone],
            email: texts[.email], website: texts[.website], openingHours: texts[.openingHours],
            description: texts[.description], wheelchair: texts[.wheelchair], operator: texts[.operator],
            wikipedia: texts[.wikipedia], pictures: pictures.isEmpty ? nil : pictures)
    }
}

extension PathPoint {
    var message: SceneInterface.PathPoint {
        SceneInterface.PathPoint(
            share: share, position: position.message, course: Angle.degrees(radians: course))
    }
}

extension LabelSlot {
    var message: SceneInterface.Slot {
        SceneInterface.Slot(
            index: index, elevation: Angle.degrees(radians: elevation), width: Angle.degrees(radians: width),
            height: Angle.degrees(radians: height))
    }
}

extension Pulse {
    var message: SceneInterface.Pulse {
        SceneInterface.Pulse(epoch: epoch.message, period: period, opacity: opacity, scale: scale)
    }
}

extension OffscreenHint {
    var message: SceneInterface.Hint {
        SceneInterface.Hint(u: u, v: v, turn: Angle.degrees(radians: turn), order: order, count: count)
    }
}

extension Sun {
    var message: SceneInterface.Sun {
        SceneInterface.Sun(
            elevation: Angle.degrees(radians: elevation), azimuth: circle(azimuth) ?? .nan, isDay: daylight == .day,
            light: daylight.message)
    }
}

extension RouteTurn {
    func message(distance: Double) -> SceneInterface.RouteTurn {
        SceneInterface.RouteTurn(
            kind: OpenWord(kind.message), side: side.message, angle: angle * 180 / .pi, text: words,
            alongRoute: distance)
    }
}

extension RouteStatus {
    var message: SceneInterface.Route {
        SceneInterface.Route(
            id: id, name: name, state: state.message, length: length, duration: duration, vertices: vertices,
            turns: turns, along: along, remaining: remaining, remainingSeconds: remainingSeconds,
            distanceFromRoute: distanceFromRoute,
            nextTurn: nextTurn.map { $0.message(distance: nextTurnDistance ?? .nan) })
    }
}

extension SceneUpdate {
    var message: SceneInterface.Scene {
        SceneInterface.Scene(
            revision: Int(clamping: revision), snapshot: isSnapshot, missed: missed > 0 ? missed : nil,
            time: time.message, generation: Int(generation), readiness: readiness.state.message,
            reasons: WordSet(bits: UInt64(readiness.reasons.rawValue)), route: route?.message,
            motion: motion.map { SceneInterface.ArrowMotion(epoch: $0.epoch.message, period: $0.period) },
            sun: sun?.message, labelRoll: Angle.degrees(radians: labelRoll), changed: changed.map(\.message),
            removed: removed, events: events.map(\.message), eventsDropped: eventsDropped > 0 ? eventsDropped : nil,
            left: left > 0 ? left : nil)
    }
}

extension TimedEvent {
    var message: SceneInterface.Event {
        func event(_ kind: SceneInterface.EventKind) -> SceneInterface.Event {
            SceneInterface.Event(time: time.message, kind: OpenWord(kind))
        }
        var message: SceneInterface.Event
        switch self.event {
        case .proximity(let proximity):
            message = event(proximity.kind == .entered ? .proximityEntered : .proximityLeft)
            message.id = PlacementID.place(proximity.id)
            message.text = proximity.name.orNil
            message.distance = proximity.distance
        case .announcement(let announcement):
            message = event(.announcement)
            message.about = OpenWord(announcement.kind.message)
            message.route = announcement.routeID
            message.text = announcement.text
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
            message.reasons = WordSet<SceneInterface.ReadinessReason>(bits: UInt64(readiness.reasons.rawValue)).words
        case .correction(let correction):
            message = event(.correction)
            message.text = correction.text
            message.distance = correction.shift
            message.turn = Angle.degrees(radians: correction.turn)
            message.reasons = correction.causes.message.words
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

extension FrameCorrection {
    func message(utcOffset: Int64?, effect: Effect?) -> SceneInterface.Correction {
        SceneInterface.Correction(
            time: time.message, utc: time.utc(offset: utcOffset), large: isLarge, end: slewEnd?.message,
            generation: Int(generation), before: before.message, target: target.message,
            turn: Angle.degrees(radians: turn), shift: shift,
            // Content goes the other way than the wearer.
            rise: -displacement.z, causes: causes.message, mainCause: mainCause?.message.map(OpenWord.known),
            pairs: evidence?.message, text: text, moved: effect?.distance,
            angle: effect.map { Angle.degrees(radians: $0.angle) })
    }
}

extension HeadingReading {
    var message: [SceneInterface.HeadingPairs] {
        [(SceneInterface.PairKind.velocities, velocities), (.positions, positions)].compactMap { kind, pairs in
            guard let pairs else { return nil }
            // A heading counts clockwise.
            return SceneInterface.HeadingPairs(
                kind: kind, count: pairs.count, correction: pairs.correction.map { -Angle.degrees(radians: $0) },
                deviation: Angle.degrees(radians: pairs.deviation))
        }
    }
}

extension PairedEstimate {
    func message(_ pose: PoseEstimate) -> SceneInterface.Estimate {
        SceneInterface.Estimate(
            time: pose.time.message, generation: Int(pose.generation), position: pointInScene.message,
            geo: position.message, horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
            fixPosition: fixInScene.message, east: difference.x, north: difference.y,
            up: hasHeight ? difference.z : nil, distance: Vector3(difference.x, difference.y, 0).norm,
            deviations: deviations)
    }
}
