import Geometry

/// gpsd and its GNSS receiver, clock, folders and routes.
extension BoardFacts {
    @Rules func receiverRules(_ receiver: ReceiverFacts) -> Finding? {
        let (address, host, isLocal) = (receiver.address, receiver.host, receiver.isLocal)
        let (name, wanted) = (receiver.device ?? "the receiver", receiver.wanted)
        let status = "ssh \(host.shellQuoted) systemctl status gpsd.socket"
        failure(.receiverUnreachable, address, receiver.problem.map { "gpsd \($0)" })
            .meaning("there is no geographic position and no heading from motion")
            .fix(isLocal ? "sudo apt install gpsd && sudo systemctl enable --now gpsd.socket" : status)
        rejected(receiver, receiver.refusal)
        let stuck = "fixes of \(name) arrive, but their time does not go on"
        let use =
            "fixes are stamped by their arrival, with a lower accuracy, and not used while their place is the same"
        failure(.receiverClockStuck, if: receiver.standingFixes > 0, address, stuck)
            .meaning("its clock stands still or goes back: \(use)")
            .fix("gpspipe -w -n 20 | grep TPV  # then cut the receiver's power and restart gpsd")
        if receiver.fixes > 0, let daemon, daemon.uptime > Limits.receiverPatience {
            // IPAddressAllow= takes only addresses. For a host name, the name server must also be allowed.
            let isNumeric = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
            let allowed = isNumeric ? host : "… with the addresses of \(host) and of the name server"
            let allow = "sudo systemctl edit waymarkd && \(Remedy.restart)  # [Service] IPAddressAllow=\(allowed)"
            let cutOff = "gpsd delivers fixes to this command, but not to the daemon: "
            failure(.receiverCutOff, address, daemon.receiverProblem.map { cutOff + $0 })
                .meaning("the unit's sandbox blocks gpsd, or the daemon runs with other settings")
                .fix(isLocal ? Remedy.restart : allow)
        }
        warning(.receiverSimulated, if: receiver.isSimulated, address, "fixes come from the simulator of \(name)")
            .meaning("poses follow a position that is not the wearer's")
            .fix("gpspipe -w -n 20 | grep TPV  # then end the simulation in the receiver's own menu")
        if receiver.fixes > 0 {
            let isTimeless = receiver.timelessFixes == receiver.fixes
            warning(.receiverNoTime, if: isTimeless, address, "fixes of \(name) have no time")
                .meaning("the daemon stamps them by their arrival less gnss.latency_seconds, with a lower accuracy")
                .fix("gpspipe -r -n 30 | cut -c 1-6 | sort -u  # RMC or ZDA has the date: enable it in the receiver")
            ok(.receiverFix, address, "fixes" + (receiver.device.map { " of \($0)" } ?? ""))
        }
        if receiver.receivers == 0, !wanted.isEmpty { rejected(receiver, "no receiver of that name") }
        failure(.receiverMissing, if: receiver.receivers == 0, address, "gpsd has no receiver")
            .meaning("gpsd is running but has no device configured, or the device was unplugged")
            .fix("sudo gpsdctl add /dev/ttyACM0  # to keep it: DEVICES in /etc/default/gpsd")
        warning(.receiverNoFix, if: receiver.reports > 0, address, "\(name) has no fix")
            .meaning("too few satellites: it needs a clear view of the sky, for minutes after a cold start")
            .fix("cgps -s")
        let silent = receiver.device ?? (wanted.isEmpty ? "the receiver" : wanted)
        failure(.receiverSilent, address, "no data from \(silent)")
            .meaning("check the cable, the power supply and the baud rate")
            .fix("sudo systemctl restart gpsd; gpspipe -R -n 5")
    }

    @Rules private func rejected(_ receiver: ReceiverFacts, _ reason: String?) -> Finding? {
        failure(
            .receiverRefused, receiver.address, reason.map { "gpsd rejects the device '\(receiver.wanted)': \($0)" }
        )
        .meaning("gpsd has no receiver of the name in the settings")
        .fix("gpspipe -w -n 3 | grep DEVICES; " + edit("gnss.device"))
    }

    /// Finding about the system clock, on which the magnetic model and the ages of calibrations and fixes depend.
    @Rules func clockRules(_ clock: ClockFacts) -> Finding? {
        let synchronise = "sudo timedatectl set-ntp true"
        let year = DecimalYear.of(utcSeconds: clock.now).map { Int64($0) }
        let isSet = clock.now >= Limits.earliestTime && year != nil
        let unset = "the system clock is not set: it shows the year \(year.map(String.init) ?? "?")"
        failure(.clockUnset, if: !isSet, "clock", unset)
            .meaning("magnetic declination, calibration ages and timestamps of recordings are wrong")
            .fix(synchronise + "  # without a network: sudo date -s '2026-01-31 12:00'")
        // If the receiver's clock has stopped, the age of a fix is meaningless.
        if let receiver, receiver.standingFixes == 0, let age = receiver.age, !Limits.fixAge.contains(age) {
            let seconds = Amount.text(age.magnitude, digits: 1)
            let behind = "the system clock is at least \(seconds) s behind GNSS time"
            let ahead = "fixes appear \(seconds) s old: the system clock is ahead of GNSS time"
            warning(.clockOffset, "clock", age < 0 ? behind : ahead)
                .meaning("the epoch of a fix cannot be determined, so gnss.latency_seconds is assumed").fix(synchronise)
        }
        let isBeyond = Double(year ?? 0) >= WorldMagneticModel.validYears.upperBound
        warning(.clockBeyondModel, if: isBeyond, "clock", "the year \(year ?? 0) is outside the magnetic model")
            .meaning("WMM2025 is valid until 2030; the declination error grows each year after")
            .fix("sudo apt update && sudo apt install --only-upgrade waymark  # or: \(synchronise)")
        let synchronised = clock.isSynchronised.map { $0 ? ", synchronised" : ", not synchronised" } ?? ""
        let proven = receiver?.age == nil ? "" : ", in agreement with GNSS time"
        ok(.clockSet, "clock", "the system clock is set\(synchronised)\(proven)")
    }

    @Rules func storageRules(_ storage: StorageFacts) -> [Finding] {
        let problem = problem(with: storage.state)
        let limits = problem == nil ? limits(of: storage) : []
        let room = storage.state.free.map { "\(Amount.bytes($0)) free" } ?? "writable"
        problem
        limits
        ok(.diskRoom, if: problem == nil && limits.isEmpty, storage.state.path, room)
    }

    @Rules private func limits(of storage: StorageFacts) -> [Finding] {
        let (path, free, minimum) = (storage.recordings.path, storage.recordings.free, storage.recordingMinimum)
        // A recording folder within the state folder is protected by the permissions of the state folder.
        let isWithin = "\(path)/".hasPrefix("\(storage.state.path)/")
        openFolder(storage.state)
        if !isWithin { openFolder(storage.recordings) }
        if let free, free < minimum {
            let minimum = "less than the minimum of \(Amount.bytes(minimum)) for recordings"
            warning(.diskRecordings, path, "\(Amount.bytes(free)) free, \(minimum)")
                .meaning("recordings are rejected")
                .fix("ls -lhS \(path.shellQuoted)  # then delete files that are not needed")
        }
    }

    @Rules private func problem(with folder: StorageFacts.Folder) -> Finding? {
        let (path, word) = (folder.path, folder.path.shellQuoted)
        let loss = "sensor estimates, calibrations and places are lost at the next start"
        failure(.diskReadOnly, if: folder.isReadOnly, path, "its file system is read-only")
            .meaning("sensor estimates and calibrations are lost at the next start, and places cannot be changed")
            .fix("sudo mount -o remount,rw \"$(findmnt -nT \(word) -o TARGET)\"; sudo dmesg | grep -i ext4")
        let user = account.flatMap { $0.user == nil ? nil : $0 }
        let isDenied = user.flatMap { user in folder.permission.map { !$0.allows(3, to: user) } } ?? false
        // The unit creates folders in /var/lib at its start, with the right owner.
        let isExpected = isDenied || path.hasPrefix("/var/lib/")
        warning(.diskMissing, if: !folder.exists && isExpected, path, "the folder does not exist")
            .meaning("the daemon has not run yet, or " + loss).fix(Remedy.restart)
        if folder.exists, isDenied, let user {
            failure(.diskDenied, path, "permission denied: \(user.noun) cannot write to this folder")
                .meaning(loss).fix("sudo chown -R \("\(user.name):".shellQuoted) \(word)")
        }
        if folder.exists, let free = folder.free, free < Limits.minimumStateByteCount || folder.hasNoNodes {
            let full = folder.hasNoNodes ? "the file system has no free inodes" : "only \(Amount.bytes(free)) free"
            failure(.diskFull, path, full)
                .meaning(loss).fix("sudo du -xh --max-depth=2 \(word) | sort -h | tail; df -hi \(word)")
        }
    }

    /// Finding for a folder that other users than the service's user can access.
    @Rules private func openFolder(_ folder: StorageFacts.Folder) -> Finding? {
        if let account, account.isService, folder.exists {
            let (word, owner) = (folder.path.shellQuoted, "\(account.name):".shellQuoted)
            let others = folder.permission?.others(than: account, with: 7)
            warning(.diskOpen, folder.path, others.map { "\($0) has access to this folder" })
                .meaning("calibrations, places and recordings contain positions")
                .fix("sudo chown \(owner) \(word) && sudo chmod 0700 \(word)")
        }
    }

    /// Finding about the routing service of `waymark route to`. Poses do not depend on it.
    @Rules func routingRules(_ routing: RoutingFacts) -> [Finding] {
        let (setting, service) = ("navigation.service", routing.service)
        let meaning = "`waymark route to` fails, except with another --service or with --straight"
        // The command reads the settings itself, so the daemon need not be restarted.
        let edit = "sudoedit \(settingsFile)  # "
        switch routing.outcome {
        case .answered:
            ok(.routingAnswers, setting, "\(service) answers")
        case .unreachable(let reason):
            warning(.routingUnreachable, setting, "cannot connect to \(service): \(reason)")
                .meaning(meaning).fix(edit + "navigation.service, if the address is wrong; else start the service")
        case .silent(let seconds):
            warning(.routingSilent, setting, "\(service) does not answer within \(Amount.text(seconds)) s")
                .meaning(meaning)
                .fix(edit + "navigation.service, if the address is wrong; else check the log of the service")
        case .refused(let reason):
            let what = "\(service) rejects the request for the profile '\(routing.profile)': \(reason)"
            warning(.routingRefused, setting, what)
                .meaning(meaning).fix(edit + "navigation.profile, or the path in navigation.service")
        case .foreign(let answer):
            warning(.routingForeign, setting, answer)
                .meaning(meaning).fix(edit + "navigation.service: its kind, its address or its path")
        case .noLibrary(let reason):
            warning(.routingNoLibrary, setting, "\(service) cannot be used without libcurl: \(reason)")
                .meaning(meaning).fix("sudo apt install libcurl4t64 || sudo apt install libcurl4")
        }
    }

    /// Finding about the navigator, which finds routes for the daemon. Poses do not depend on it.
    @Rules var navigatorRules: Finding? {
        // A navigator may run without its unit.
        if let unit = navigatorUnit, daemon?.hasNavigator != true, unit.file == "enabled" {
            let hasEnded = unit.active == "failed" || unit.active == "inactive"
            // `waymark navigator` exits with status 2 if no routing service is set, or if a setting is invalid.
            let isUnset = unit.active == "failed" && unit.exitStatus == 2
            let reason = isUnset ? ": no routing service is set, or a setting is invalid" : ""
            let look = isUnset ? "waymarkd --check-config" : "journalctl -u \(unit.name) -n 30"
            warning(.routingNavigatorStopped, if: hasEnded, unit.name, "enabled, but \(unit.active)\(reason)")
                .meaning("displays get straight lines, and a wearer who leaves a route is not given another one")
                .fix("\(look); sudo systemctl restart \(unit.name)")
        }
        let lost = "a navigator has found the present route, and none is registered any more"
        warning(.routingNoNavigator, if: daemon?.lacksNavigator == true, "navigator", lost)
            .meaning("a wearer who leaves the route is not given another one")
            .fix("sudo systemctl enable --now waymark-navigator.service  # or: waymark navigator")
    }
}
