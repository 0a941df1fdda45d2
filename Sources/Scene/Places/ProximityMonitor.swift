import Model

/// A place was reached or left.
public struct ProximityEvent: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case entered
        case left
    }

    public var kind: Kind
    public var id: String
    public var name: String
    /// As it was known last. Unit: metres.
    public var distance: Double

    public init(kind: Kind, id: String, name: String, distance: Double) {
        self.kind = kind
        self.id = id
        self.name = name
        self.distance = distance
    }
}

/// Tells which places the wearer reaches and leaves, by probability: a poor position does not reach anything.
///
/// A place is reached with a probability of more than 0.7 to be nearer than 40 m and left with less than 0.3; then it is not
/// reached again for a while. What is no longer among the places is left too. Without an accuracy nothing is reached or left.
public struct ProximityMonitor: Sendable {
    /// What is inside, in the order of the ids.
    private var inside: [Reached] = []
    /// What was left a short time ago, in the order of leaving.
    private var resting: [(id: String, since: BootTime)] = []

    private struct Reached {
        var id: String
        var name: String
        var distance: Double
    }

    /// Far more than a wearer can be near to at a time.
    private static let mostResting = 256

    public init() {}

    /// Places that are reached, in the order of the ids.
    public var reachedIDs: [String] { inside.map(\.id) }

    /// In the order of the ids, what is left first.
    ///
    /// - Parameter accuracy: radius of 68 %, metres; nil is not known.
    public mutating func update(
        places: [NearbyPlace], accuracy: Double?, at time: BootTime, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        resting.removeAll { !(time.seconds(since: $0.since) < settings.proximityCooldownSeconds) }
        guard let accuracy, accuracy >= 0, accuracy.isFinite else { return [] }
        let circle = Circle(radius: settings.proximityMetres, deviation: accuracy / PoseAccuracy.radius68)
        let left = leave(places, circle, at: time, settings: settings)
        let entered = enter(places, circle, settings: settings)
        return left + entered
    }

    private struct Circle {
        var radius: Double
        var deviation: Double

        func probability(_ distance: Double) -> Double {
            CircleProbability.within(radius: radius, distance: distance, deviation: deviation)
        }
    }

    private mutating func leave(
        _ places: [NearbyPlace], _ circle: Circle, at time: BootTime, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        guard !inside.isEmpty else { return [] }
        var events: [ProximityEvent] = []
        var staying: [Reached] = []
        for var reached in inside {
            let here = places.first { $0.place.id == reached.id }
            reached.distance = here?.distance ?? reached.distance
            if let here, circle.probability(here.distance) >= settings.proximityLeave {
                staying.append(reached)
            } else {
                events.append(
                    ProximityEvent(kind: .left, id: reached.id, name: reached.name, distance: reached.distance))
                resting.append((reached.id, time))
            }
        }
        inside = staying
        if resting.count > Self.mostResting { resting.removeFirst(resting.count - Self.mostResting) }
        return events
    }

    private mutating func enter(
        _ places: [NearbyPlace], _ circle: Circle, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        var events: [ProximityEvent] = []
        // From outside the circle it is never more than half as probable to be in it.
        let isCertain = settings.proximityEnter >= 0.5
        for near in places where near.distance < circle.radius || !isCertain {
            let place = near.place
            guard !inside.contains(where: { $0.id == place.id }),
                !resting.contains(where: { $0.id == place.id }),
                circle.probability(near.distance) > settings.proximityEnter
            else { continue }
            events.append(ProximityEvent(kind: .entered, id: place.id, name: place.name, distance: near.distance))
            inside.append(Reached(id: place.id, name: place.name, distance: near.distance))
        }
        inside.sort { $0.id < $1.id }
        return events.sorted { $0.id < $1.id }
    }
}
