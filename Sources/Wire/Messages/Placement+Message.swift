import Geometry
import Scene
import WaymarkInterface

extension ViewedPlacement {
    package func message(in language: Language) -> SceneInterface.Placement {
        SceneInterface.Placement(
            id: placement.id, revision: Int(clamping: revision), kind: OpenWord(placement.kind.message),
            name: placement.name(in: language).nonEmpty, category: placement.category.nonEmpty,
            lock: placement.lock.message,
            position: placement.position.message, displayDistance: placement.displayDistance,
            yaw: Angle.degrees(radians: placement.billboardYaw), bearing: bearingDegrees(placement.bearing),
            distance: placement.distance,
            distanceText: placement.shownDistance.map { ShortDistance.text(metres: $0, in: language) },
            alongRoute: placement.alongRoute,
            alongRouteText: placement.shownAlongRoute.map { ShortDistance.text(metres: $0, in: language) },
            sigma: placement.sigma.map { Angle.degrees(radians: $0) },
            size: SceneInterface.Size(
                policy: placement.sizePolicy.message, angle: Angle.degrees(radians: placement.size.angle),
                scale: placement.size.scale),
            band: placement.band?.message, order: placement.order, slot: placement.slot?.message,
            pulse: placement.pulse?.message, visible: isVisible,
            occluded: placement.isOccluded, hint: hint?.message,
            radar: radar.map { SceneInterface.Radar(x: $0.x, y: $0.y) },
            course: placement.course.map { Angle.degrees(radians: $0) },
            path: placement.path.isEmpty ? nil : placement.path.map(\.message), side: placement.side?.message,
            maneuver: placement.maneuver.map { OpenWord($0.message) }, favorite: placement.isFavorite ? true : nil,
            members: placement.members.isEmpty ? nil : placement.members,
            properties: placement.properties.isEmpty ? nil : placement.properties,
            details: placement.details?.message)
    }
}

extension Placement {
    /// Whether the name is composed in the reader's language, because the routing service gives the turn no name.
    private var isNamedByTurn: Bool { kind == .turn && name.isEmpty }

    /// Whether any text of the placement is composed in the reader's language.
    var hasWords: Bool { isNamedByTurn || shownDistance != nil || shownAlongRoute != nil }

    fileprivate func name(in language: Language) -> String {
        guard isNamedByTurn, let maneuver else { return name }
        return TurnMessages.words(maneuver, side).text(in: language)
    }
}

extension PlaceDetails {
    package var message: SceneInterface.Details {
        SceneInterface.Details(
            address: texts[.address], street: texts[.street], houseNumber: texts[.houseNumber],
            postcode: texts[.postcode], city: texts[.city], country: texts[.country], phone: texts[.phone],
            email: texts[.email], website: texts[.website], openingHours: texts[.openingHours],
            description: texts[.description], wheelchair: texts[.wheelchair], operator: texts[.operator],
            wikipedia: texts[.wikipedia], pictures: pictures.isEmpty ? nil : pictures)
    }
}

extension PathPoint {
    package var message: SceneInterface.PathPoint {
        SceneInterface.PathPoint(
            share: share, position: position.message, course: Angle.degrees(radians: course))
    }
}

extension LabelSlot {
    package var message: SceneInterface.Slot {
        SceneInterface.Slot(
            index: index, elevation: Angle.degrees(radians: elevation), width: Angle.degrees(radians: width),
            height: Angle.degrees(radians: height))
    }
}

extension Pulse {
    package var message: SceneInterface.Pulse {
        SceneInterface.Pulse(epoch: epoch.message, period: period, opacity: opacity, scale: scale)
    }
}

extension OffscreenHint {
    package var message: SceneInterface.Hint {
        SceneInterface.Hint(
            u: u, v: v, turn: Angle.degrees(radians: turn), order: order, count: count, box: box?.message)
    }
}

extension HintBox {
    package var message: SceneInterface.HintBox { SceneInterface.HintBox(u: u, v: v, width: width, height: height) }
}

extension PickedPlacement? {
    /// The reply of the method Pick; empty if there is no placement in the line of sight.
    package func message(in language: Language) -> SceneInterface.Pick.Reply {
        SceneInterface.Pick.Reply(
            placement: self?.viewed.message(in: language), angle: self.map { Angle.degrees(radians: $0.offAxis) },
            distance: self?.distance)
    }
}

extension String {
    /// The text, or nil if it is empty, because the interface omits empty texts.
    var nonEmpty: String? { isEmpty ? nil : self }
}

/// Angle in degrees, in [0, 360) with two decimals. A value that would round to 360 becomes 0.
func bearingDegrees(_ radians: Double?) -> Double? {
    guard let radians, radians.isFinite else { return nil }
    let degrees = Angle.degrees(radians: Angle.positive(radians))
    return degrees >= 359.995 ? 0 : degrees
}
