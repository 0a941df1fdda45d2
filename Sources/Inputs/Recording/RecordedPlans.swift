import PlanMatching

/// Plans that a recording has defined so far, and the plans in use.
struct RecordedPlans {
    /// Plans that were read; each is drawn at its first use.
    private var known: [String: Known] = [:]
    private(set) var library = PlanLibrary()

    private enum Known {
        case read(FloorPlan)
        case drawn(DrawnPlan)
    }

    /// Adds a plan; returns false if there are too many.
    mutating func take(_ plan: FloorPlan) -> Bool {
        guard known[plan.id] != nil || known.count < PlanMessages.maximumKnownCount else { return false }
        known[plan.id] = .read(plan)
        return true
    }

    /// Sets the plans in use; returns nil and changes nothing if one of them is unknown.
    mutating func use(_ ids: [String]) -> PlanLibrary? {
        guard ids.allSatisfy({ known[$0] != nil }) else { return nil }
        var (drawn, cells): ([DrawnPlan], Int) = ([], 0)
        for id in ids {
            // Plans beyond the limit were not available in the recorded run either.
            guard let next = plan(id, maximum: PlanLibrary.maximumCellCount - cells) else { break }
            cells += next.cells
            drawn.append(next)
        }
        // Other plans are dropped, because the recording repeats them before their next use.
        known = Dictionary(drawn.map { ($0.plan.id, .drawn($0)) }) { first, _ in first }
        library = PlanLibrary(drawn)
        return library
    }

    private func plan(_ id: String, maximum: Int) -> DrawnPlan? {
        switch known[id] {
        case .read(let plan): DrawnPlan(plan, maximum: maximum)
        case .drawn(let plan): plan
        case nil: nil
        }
    }
}
