import Linux

/// The devices that run, those that ran, and the kinds that nobody serves.
struct DeviceRoster {
    var workers: [DeviceWorker] = []
    /// By device name and kinds: counts go on when a device comes back.
    private var boards: [(plan: DevicePlan, board: ReportBoard)] = []
    private var missing: [(kind: SensorKind, board: ReportBoard)] = []

    /// The kinds that no running worker serves.
    mutating func wanted(_ settings: IIOSettings) -> [SensorKind] {
        workers.removeAll(where: \.hasEnded)
        let served = Set(workers.flatMap(\.plan.kinds))
        return SensorKind.allCases.filter { !served.contains($0) }
    }

    mutating func start(
        _ plan: DevicePlan, settings: IIOSettings, pace: PaceControl, queue: MeasurementQueue, ended: EventDescriptor
    ) {
        let board = board(for: plan)
        missing.removeAll { plan.kinds.contains($0.kind) }
        workers.append(
            DeviceWorker(plan: plan, settings: settings, pace: pace, queue: queue, board: board, ended: ended))
    }

    /// Notes that nothing serves a kind; said for a device that was there before by its own report.
    mutating func miss(_ kind: SensorKind, settings: IIOSettings, detail: String) {
        if let known = boards.first(where: { $0.plan.kinds.contains(kind) }) {
            // One that left has said so itself.
            if known.board.snapshot.state != .searching { known.board.set(.searching, detail) }
            return
        }
        if !missing.contains(where: { $0.kind == kind }) {
            missing.append((kind, ReportBoard(name: kind.rawValue, identifier: settings.contextURI)))
        }
        missing.first { $0.kind == kind }?.board.set(.searching, detail)
    }

    /// In the order of the kinds.
    var reports: [DeviceReport] {
        let found = boards.map { ($0.plan.kinds.first ?? .barometer, $0.board.snapshot) }
        let absent = missing.map { ($0.kind, $0.board.snapshot) }
        return (found + absent).sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    /// The board of the same device as before, under the identifier it has now; boards of others that served the same
    /// kinds are taken away.
    private mutating func board(for plan: DevicePlan) -> ReportBoard {
        if let place = boards.firstIndex(where: { $0.plan.name == plan.name && $0.plan.kinds == plan.kinds }) {
            boards[place].plan = plan
            boards[place].board.update { $0.identifier = plan.identifier }
            return boards[place].board
        }
        boards.removeAll { old in old.plan.kinds.contains { plan.kinds.contains($0) } }
        let board = ReportBoard(name: plan.name, identifier: plan.identifier)
        boards.append((plan, board))
        return board
    }
}
