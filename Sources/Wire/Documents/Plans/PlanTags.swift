import PlanMatching

/// OpenStreetMap tags that determine what an element means in a plan.
///
/// Source: OpenStreetMap, "Simple Indoor Tagging", "Key:highway" and "Key:conveying".
struct PlanTags: OSMTags {
    enum Key: String, OSMKey {
        case indoor, door, entrance, highway, stairs, conveying, area, level, type
        case repetition = "repeat_on"
    }

    /// Geometry of an element.
    enum Form {
        case point, line
        /// Line that ends where it begins and may be the border of an area.
        case closedLine
        case area
    }

    /// Kind and shape of the part of a plan that an element becomes.
    struct Meaning: Hashable {
        enum Shape {
            case point, line, area
            /// Lines along the rings of an area.
            case borders
        }

        let kind: PlanFeature.Kind
        let shape: Shape
    }

    var values: [Key: String] = [:]

    /// Levels of the element, as text.
    var level: String? { values[.level] }

    /// Other levels on which the element is repeated, as text.
    var repeatedOn: String? { values[.repetition] }

    /// Meaning of the element if it has this form; nil if it is not part of a plan.
    func meaning(of form: Form) -> Meaning? {
        switch form {
        case .point: return pointKind.map { Meaning(kind: $0, shape: .point) }
        case .line, .closedLine, .area: return indoorMeaning(of: form) ?? wayMeaning(of: form)
        }
    }

    private var pointKind: PlanFeature.Kind? {
        if isToOtherLevels { return .stairs }
        return isSet(.door) || isSet(.entrance) || values[.indoor] == "door" ? .door : nil
    }

    private func indoorMeaning(of form: Form) -> Meaning? {
        if isToOtherLevels {
            let isArea = form == .area || form == .closedLine && enclosesArea
            return Meaning(kind: .stairs, shape: isArea ? .area : .line)
        }
        switch values[.indoor] {
        case "room": return Meaning(kind: .room, shape: .area)
        case "area": return Meaning(kind: .floor, shape: .area)
        case "corridor": return form == .line ? Meaning(kind: .path, shape: .line) : Meaning(kind: .floor, shape: .area)
        case "wall": return Meaning(kind: .wall, shape: wallShape(of: form))
        default: return nil
        }
    }

    /// A closed wall is the border of the space inside it, unless `area=yes` makes it a solid area.
    private func wallShape(of form: Form) -> Meaning.Shape {
        if form != .line, values[.area] == "yes" { return .area }
        return form == .area ? .borders : .line
    }

    /// Whether a closed line of stairs, a lift or an escalator is the border of an area.
    private var enclosesArea: Bool {
        ["room", "area", "corridor"].contains(values[.indoor]) || values[.area] == "yes"
            || values[.highway] == "elevator"
    }

    private func wayMeaning(of form: Form) -> Meaning? {
        guard let highway = values[.highway] else { return nil }
        let isStreet = Self.streets.contains(highway)
        guard isStreet || Self.walkedWays.contains(highway) else { return nil }
        let isArea = form == .area || form == .closedLine && values[.area] == "yes"
        return isArea ? Meaning(kind: .floor, shape: .area) : Meaning(kind: isStreet ? .street : .path, shape: .line)
    }

    /// Ways on which people walk in the middle.
    private static let walkedWays: Set = [
        "footway", "path", "pedestrian", "steps", "corridor", "platform", "cycleway", "bridleway", "track",
    ]
    /// Ways on which people walk along either side.
    private static let streets: Set = ["living_street", "service", "residential", "unclassified", "road"]

    /// Whether the element leads to other levels. Steps without a level are outdoors and count as paths; a conveyor
    /// along a footway is not an escalator.
    private var isToOtherLevels: Bool {
        if isSet(.stairs) { return true }
        switch values[.highway] {
        case "elevator": return true
        case "steps": return isSet(.conveying) || values[.level] != nil
        case nil: return isSet(.conveying)
        default: return false
        }
    }

    private func isSet(_ key: Key) -> Bool { values[key].map { $0 != "no" && !$0.isEmpty } ?? false }
}
