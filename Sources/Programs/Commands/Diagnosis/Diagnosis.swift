package struct Diagnosis: Sendable {
    /// Findings by group, in the order of the checks.
    package let findings: [Finding]

    package init(of facts: BoardFacts) { findings = facts.allRules }

    package var level: Finding.Level { findings.map(\.level).max() ?? .ok }

    package func count(_ level: Finding.Level) -> Int { findings.reduce(0) { $0 + ($1.level == level ? 1 : 0) } }
}

extension BoardFacts {
    @Rules fileprivate var allRules: [Finding] {
        if let configuration { configurationRules(configuration) }
        if let unit { unitRules(unit) }
        if let socket { socketRules(socket) }
        if let daemon { daemonRules(daemon) }
        kernelRules
        accessRules
        if let changes { groupRules(changes) }
        if let account, account.isService, devices?.isLocal == true { openSensorRules(account) }
        deviceRules
        signalRules
        scaleRules
        mountRules
        magnetometerMatrixRules
        uprightRules
        if let receiver, configuration?.readsReceiver ?? true { receiverRules(receiver) }
        if let clock { clockRules(clock) }
        if let storage { storageRules(storage) }
        if let calibrations { calibrationRules(calibrations) }
        if let routing { routingRules(routing) }
        navigatorRules
    }
}
