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
        guard ids.allSatisfy({ known[$0] != nil }) else { return nil }
        var (drawn, cells): ([DrawnPlan], Int) = ([], 0)
        for id in ids {
            // What does not fit was not at hand when it was recorded.
            guard let next = plan(id, most: PlanLibrary.mostCells - cells) else { break }
            cells += next.cells
            drawn.append(next)
        }
        // The others are written again before they are used again.
        known = Dictionary(drawn.map { ($0.plan.id, .drawn($0)) }) { first, _ in first }
        library = PlanLibrary(drawn)
        return library
    }

    private func plan(_ id: String, most: Int) -> DrawnPlan? {
        switch known[id] {
        case .read(let plan): DrawnPlan(plan, most: most)
        case .drawn(let plan): plan
        case nil: nil
        }
    }
}
