/// Stable identifiers of the findings, explained in `docs/doctor.md`. The part before the dot is the group.
public enum FindingCode: String, Hashable, Sendable, CaseIterable {
    case configurationRead = "configuration.read"
    case configurationInvalid = "configuration.invalid"
    case configurationUnreadable = "configuration.unreadable"
    case configurationNoSensors = "configuration.no-sensors"
    case configurationNoReceiver = "configuration.no-receiver"
    case configurationSimulation = "configuration.simulation"

    case serviceRunning = "service.running"
    case serviceStopped = "service.stopped"
    case serviceFailed = "service.failed"
    case serviceDisabled = "service.disabled"
    case serviceMasked = "service.masked"
    case serviceMissing = "service.missing"
    case serviceRestarted = "service.restarted"

    case socketAnswers = "socket.answers"
    case socketMissing = "socket.missing"
    case socketStale = "socket.stale"
    case socketDenied = "socket.denied"
    case socketOther = "socket.not-a-socket"
    case socketFull = "socket.full"
    case socketMute = "socket.mute"
    case socketForeign = "socket.foreign"

    case daemonVersion = "daemon.version"
    case daemonOtherVersion = "daemon.other-version"
    case daemonSimulation = "daemon.simulation"
    case daemonState = "daemon.state"
    case daemonLimited = "daemon.limited"
    case daemonNoPoses = "daemon.no-poses"
    case daemonSlow = "daemon.slow"
    case daemonKeepsData = "daemon.no-samples"
    case daemonDamagedPlaces = "daemon.damaged-places"

    case kernelReady = "kernel.ready"
    case kernelNoIIO = "kernel.no-iio"
    case kernelNoDriver = "kernel.no-driver"
    case kernelNoBuffers = "kernel.no-buffers"

    case accessGranted = "access.granted"
    case accessNoAccount = "access.no-account"
    case accessNoRules = "access.no-rules"
    case accessNoNode = "access.no-node"
    case accessNode = "access.node"
    case accessAttributes = "access.attributes"
    case accessLimited = "access.limited"

    case deviceFound = "device.found"
    case deviceMissing = "device.missing"
    case deviceNotCalled = "device.not-called"
    case deviceTaken = "device.taken"
    case deviceFailed = "device.failed"
    case deviceSilent = "device.silent"
    case devicesUnreachable = "device.unreachable"

    case signalRate = "signal.rate"
    case signalOtherRate = "signal.other-rate"
    case signalSlow = "signal.slow"
    case signalFast = "signal.fast"
    case signalJitter = "signal.jitter"
    case signalGaps = "signal.gaps"
    case signalStuck = "signal.stuck"

    case scaleGravity = "scale.gravity"
    case scaleGravityOff = "scale.gravity-off"
    case scaleGravityWrong = "scale.gravity-wrong"
    case scaleField = "scale.field"
    case scaleFieldOff = "scale.field-off"
    case scaleFieldWrong = "scale.field-wrong"
    case scaleTurnRate = "scale.turn-rate"
    case scaleTurnRateOff = "scale.turn-rate-off"
    case scaleTurnRateWrong = "scale.turn-rate-wrong"

    case mountKnown = "mount.known"
    case mountUnknown = "mount.unknown"
    case mountRefused = "mount.refused"
    case mountUpright = "mount.upright"
    case mountTilted = "mount.tilted"
    case mountUpsideDown = "mount.upside-down"

    case receiverFix = "gnss.fix"
    case receiverUnreachable = "gnss.unreachable"
    case receiverCutOff = "gnss.cut-off"
    case receiverRefused = "gnss.refused"
    case receiverMissing = "gnss.no-receiver"
    case receiverSilent = "gnss.silent"
    case receiverNoFix = "gnss.no-fix"
    case receiverClockStuck = "gnss.clock-stuck"

    case clockSet = "clock.set"
    case clockUnset = "clock.unset"
    case clockBeyondModel = "clock.beyond-model"
    case clockOffset = "clock.offset"

    case diskRoom = "disk.room"
    case diskMissing = "disk.missing"
    case diskFull = "disk.full"
    case diskReadOnly = "disk.read-only"
    case diskDenied = "disk.denied"
    case diskRecordings = "disk.no-recordings"

    case calibrationInForce = "calibration.in-force"
    case calibrationMissing = "calibration.missing"
    case calibrationOld = "calibration.old"
    case calibrationUnused = "calibration.unused"
    case calibrationDamaged = "calibration.damaged"
    case calibrationOtherMount = "calibration.other-mount"

    case routingAnswers = "routing.answers"
    case routingUnreachable = "routing.unreachable"
    case routingSilent = "routing.silent"
    case routingRefused = "routing.refused"
    case routingForeign = "routing.foreign"
    case routingNoLibrary = "routing.no-library"

    /// Group of the finding, such as `socket`.
    public var group: String { String(rawValue.prefix { $0 != "." }) }

    /// The groups in the order of their first codes.
    public static let groups = allCases.reduce(into: [String]()) { groups, code in
        if groups.last != code.group { groups.append(code.group) }
    }
}
