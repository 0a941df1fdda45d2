import Model

/// Change of the plan or level that the wearer is on, reported once.
public struct PlanEvent: Hashable, Sendable {
    /// Kind of change.
    public enum Kind: Hashable, Sendable {
        /// Positions follow the plan since this event.
        case entered
        /// The wearer is on another level of the plan.
        case levelChanged
        /// No plan fits the path that was walked; the event names the most probable plan.
        case unfit
        /// Positions no longer follow the plan, or it is no longer certain that no plan fits.
        case left
    }

    package var kind: Kind
    /// Plan and level. For `left`, these are the plan and level before the change.
    public var use: PlanUse

    package init(kind: Kind, use: PlanUse) {
        self.kind = kind
        self.use = use
    }
}

/// Decides from the probabilities of plans, with hysteresis, whether a plan is used or no plan fits. Reports the
/// changes.
public struct PlanWatch: Sendable {
    /// Plan and level that were last reported; nil unless a plan is used or no plan fits.
    private var reported: PlanUse?
    private var reportedAt: BootTime?
    /// Time since which the probabilities have not shown whether the reported plan is used or does not fit.
    private var doubtedSince: BootTime?

    /// Probability above which a plan or a level counts as known.
    private static let known = 0.8
    /// Probability that no plan is right, above which no plan counts as fitting.
    private static let none = 0.9
    /// Probability below which a reported plan no longer counts as used, or as not fitting.
    private static let kept = 0.5
    /// Distance that has to be walked to show whether a plan fits. Unit: metres.
    private static let enough = 30.0
    /// Least time between two reports. Unit: seconds.
    private static let pause = 5.0
    /// Time for which a plan may be uncertain before it counts as left. The search for the plan starts again when
    /// another program has set the position. Unit: seconds.
    private static let patience = 15.0

    package init() {}

    /// Returns the use with the state that was last decided.
    public func evaluated(_ use: PlanUse?) -> PlanUse? {
        guard var use else { return nil }
        use.state = reported?.plan == use.plan || reported?.state == .unfit ? reported?.state ?? .uncertain : .uncertain
        return use
    }

    /// Returns the change at a time; nil if there is none. It has to be called about once a second.
    public mutating func update(_ use: PlanUse?, at time: BootTime) -> PlanEvent? {
        if let reportedAt, (0..<Self.pause).contains(time.seconds(since: reportedAt)) { return nil }
        guard let state = state(of: use), var now = use else { return doubt(at: time) }
        doubtedSince = nil
        now.state = state
        guard let kind = kind(of: &now) else { return nil }
        reported = now
        reportedAt = time
        return PlanEvent(kind: kind, use: now)
    }

    /// Returns the state according to the probabilities; nil while they are inconclusive.
    private func state(of use: PlanUse?) -> PlanUse.State? {
        guard let use else { return nil }
        let isSame = reported?.plan == use.plan && reported?.state == .used
        if use.planProbability >= (isSame ? Self.kept : Self.known) { return .used }
        let wasUnfit = reported?.state == .unfit
        let isSure = wasUnfit || use.distance >= Self.enough
        return isSure && use.noPlanProbability >= (wasUnfit ? Self.kept : Self.none) ? .unfit : nil
    }

    /// Compares `use` with the reported use of plans and returns what changed; nil if nothing changed. While the new
    /// level is uncertain, the reported level is kept.
    private func kind(of use: inout PlanUse) -> PlanEvent.Kind? {
        guard use.state == .used else { return reported?.state == .unfit ? nil : .unfit }
        guard let reported, reported.state == .used, reported.plan == use.plan else { return .entered }
        return use.level != reported.level && use.levelProbability >= Self.known ? .levelChanged : nil
    }

    private mutating func doubt(at time: BootTime) -> PlanEvent? {
        guard let last = reported else { return nil }
        // A clock that was set back also ends the wait.
        guard !(0..<Self.patience).contains(doubtedSince.lasting(at: time)) else { return nil }
        self = PlanWatch()
        reportedAt = time
        return PlanEvent(kind: .left, use: last)
    }
}
