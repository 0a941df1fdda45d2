import PlanMatching

/// Plans that a recording has named so far, and those in use.
struct RecordedPlans {
    /// Plans that were read, drawn when they are used first.
    private var known: [String: Known] = [:]
    private(set) var library = PlanLibrary()

    private enum Known {
        case read(FloorPlan)
        case drawn(DrawnPlan)
    }

    /// Takes a plan; false where there are too many.
    mutating func take(_ plan: FloorPlan) -> Bool {
        guard known[plan.id] != nil || known.count < PlanMessages.mostKnown else { return false }
        known[plan.id] = .read(plan)
        return true
    }

    /// Takes the plans in use; nil, and no change, where one of them is not known.
    mutating func use(_ ids: [String]) -> PlanLibrary? {
        var drawn: [DrawnPlan] = []
        for id in ids {
            switch known[id] {
            case .read(let plan):
                let new = DrawnPlan(plan)
                known[id] = .drawn(new)
                drawn.append(new)
            case .drawn(let plan): drawn.append(plan)
            case nil: return nil
            }
        }
        // The others are written again before they are used again.
        known = Dictionary(drawn.map { ($0.plan.id, .drawn($0)) }) { first, _ in first }
        library = PlanLibrary(drawn)
        return library
    }
}
