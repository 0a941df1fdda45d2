// The English words of the announcements: all of them, so that a translation has one file to replace.

extension Announcement {
    /// Such as `Turn left in 40 metres`.
    public var text: String {
        // A route without a name has its id for one, which means nothing to a wearer.
        let destination = name.isEmpty || name == routeID ? "the destination" : name
        let far = distance.map(Self.spoken)
        switch kind {
        case .start: return (far.map { "Route to \(destination), \($0)" } ?? "Route to \(destination)") + firstTurn
        case .resumed:
            return (far.map { "Route to \(destination), \($0) left" } ?? "Route to \(destination)") + firstTurn
        case .turn: return turnText(far: isNow ? nil : far)
        case .destination: return far.map { "\(destination) in \($0)" } ?? "\(destination) ahead"
        case .arrived: return "You have arrived at \(destination)"
        case .offRoute: return "You have left the route"
        case .backOnRoute: return "Back on the route"
        }
    }

    /// The turn that is announced with the start, as a separate sentence.
    private var firstTurn: String {
        guard let turnDistance else { return "" }
        return ". " + turnText(far: isNow ? nil : Self.spoken(turnDistance))
    }

    /// - Parameter far: nil is here and now.
    private func turnText(far: String?) -> String {
        if let instruction { return far.map { "In \($0): \(instruction)" } ?? instruction }
        if let action { return far.map { "\(action) in \($0)" } ?? "\(action) now" }
        return far.map { "\(thing) ahead in \($0)" } ?? "\(thing) here"
    }

    /// What to do; nil if that needs a side and the side is unknown.
    private var action: String? {
        if turn == .uturn { return "Turn round" }
        guard let side = side.map({ $0 == .left ? "left" : "right" }) else { return nil }
        return switch turn {
        case .slight: "Turn slightly \(side)"
        case .sharp: "Turn sharply \(side)"
        case .keep: "Keep \(side)"
        case .roundabout: "Enter the roundabout"
        case .bend: "Follow the bend to the \(side)"
        case .normal, .uturn, nil: "Turn \(side)"
        }
    }

    /// What comes, without a side.
    private var thing: String {
        switch turn {
        case .keep: "Fork"
        case .roundabout: "Roundabout"
        case .bend: "Bend"
        case .slight, .normal, .sharp, .uturn, nil: "Turn"
        }
    }

    /// Rounded as one says it: to 5 m up to 20 m, 10 m up to 200 m, 50 m up to 1 km, 100 m up to 10 km, then to
    /// kilometres.
    static func spoken(_ metres: Double) -> String {
        guard metres.isFinite else { return "an unknown distance" }
        func steps(_ step: Double) -> Int { Int((min(max(0, metres), 1e9) / step).rounded()) }
        if metres < 17.5 { return "\(max(1, steps(5)) * 5) metres" }
        if metres < 195 { return "\(steps(10) * 10) metres" }
        if metres < 975 { return "\(steps(50) * 50) metres" }
        let tenths = steps(100)
        if tenths == 10 { return "1 kilometre" }
        if tenths >= 100 || tenths % 10 == 0 { return "\(steps(1000)) kilometres" }
        return "\(tenths / 10).\(tenths % 10) kilometres"
    }
}
