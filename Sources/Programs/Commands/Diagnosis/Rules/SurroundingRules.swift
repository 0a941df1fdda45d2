import Geometry

/// gpsd and its GNSS receiver.
enum ReceiverRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let receiver = facts.receiver, facts.configuration?.readsReceiver ?? true else { return [] }
        return [finding(receiver, facts)]
    }

    private static func finding(_ receiver: ReceiverFacts, _ facts: BoardFacts) -> Finding {
        if let problem = receiver.problem { return unreachable(receiver, problem) }
        if let refusal = receiver.refusal { return refused(receiver, refusal, facts) }
        if receiver.standingFixes > 0 { return standing(receiver) }
        if receiver.fixes > 0, let daemon = facts.daemon, daemon.uptime > Limits.receiverPatience,
            let problem = daemon.receiverProblem
        {
            return cutOff(receiver, problem)
        }
        if receiver.isSimulated { return simulated(receiver) }
        if receiver.fixes > 0, receiver.timelessFixes == receiver.fixes { return timeless(receiver) }
        if receiver.fixes > 0 {
            let name = receiver.device.map { " of \($0)" } ?? ""
            return .ok(.receiverFix, receiver.address, "fixes\(name)")
        }
        if receiver.receivers == 0 { return missing(receiver, facts) }
        return receiver.reports > 0 ? blind(receiver) : silent(receiver)
    }

    private static func unreachable(_ receiver: ReceiverFacts, _ problem: String) -> Finding {
        .failure(
            .receiverUnreachable, receiver.address, "gpsd \(problem)",
            meaning: "there is no geographic position and no heading from motion",
            remedy: receiver.isLocal
                ? "sudo apt install gpsd && sudo systemctl enable --now gpsd.socket"
                : "ssh \(receiver.host.shellQuoted) systemctl status gpsd.socket")
    }

    private static func cutOff(_ receiver: ReceiverFacts, _ problem: String) -> Finding {
        .failure(
            .receiverCutOff, receiver.address, "gpsd delivers fixes to this command, but not to the daemon: \(problem)",
            meaning: "the unit's sandbox blocks gpsd, or the daemon runs with other settings",
            remedy: receiver.isLocal
                ? "sudo systemctl restart waymarkd"
                : "sudo systemctl edit waymarkd && sudo systemctl restart waymarkd  # [Service] IPAddressAllow="
                    + allowed(receiver.host))
    }

    private static func standing(_ receiver: ReceiverFacts) -> Finding {
        .failure(
            .receiverClockStuck, receiver.address,
            "fixes of \(receiver.device ?? "the receiver") arrive, but their time does not go on",
            meaning:
                "its clock stands still or goes back: fixes are stamped by their arrival, with a lower accuracy, and "
                + "not used while their place is the same",
            remedy: "gpspipe -w -n 20 | grep TPV  # then cut the receiver's power and restart gpsd")
    }

    private static func timeless(_ receiver: ReceiverFacts) -> Finding {
        .warning(
            .receiverNoTime, receiver.address, "fixes of \(receiver.device ?? "the receiver") have no time",
            meaning: "the daemon stamps them by their arrival less gnss.latency_seconds, with a lower accuracy",
            remedy: "gpspipe -r -n 30 | cut -c 1-6 | sort -u  # RMC or ZDA has the date: enable it in the receiver")
    }

    private static func simulated(_ receiver: ReceiverFacts) -> Finding {
        .warning(
            .receiverSimulated, receiver.address,
            "fixes come from the simulator of \(receiver.device ?? "the receiver")",
            meaning: "poses follow a position that is not the wearer's",
            remedy: "gpspipe -w -n 20 | grep TPV  # then end the simulation in the receiver's own menu")
    }

    /// IPAddressAllow= takes addresses only; for a host name, the name server must be allowed as well.
    private static func allowed(_ host: String) -> String {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress ? host : "… with the addresses of \(host) and of the name server"
    }

    private static func refused(_ receiver: ReceiverFacts, _ refusal: String, _ facts: BoardFacts) -> Finding {
        .failure(
            .receiverRefused, receiver.address, "gpsd rejects the device '\(receiver.wanted)': \(refusal)",
            meaning: "gpsd has no receiver of the name in the settings", remedy: choose(facts))
    }

    private static func choose(_ facts: BoardFacts) -> String {
        "gpspipe -w -n 3 | grep DEVICES; " + Remedy.edit(facts, "gnss.device")
    }

    private static func missing(_ receiver: ReceiverFacts, _ facts: BoardFacts) -> Finding {
        guard receiver.wanted.isEmpty else {
            return refused(receiver, "no receiver of that name", facts)
        }
        return .failure(
            .receiverMissing, receiver.address, "gpsd has no receiver",
            meaning: "gpsd is running but has no device configured, or the device was unplugged",
            remedy: "sudo gpsdctl add /dev/ttyACM0  # to keep it: DEVICES in /etc/default/gpsd")
    }

    private static func silent(_ receiver: ReceiverFacts) -> Finding {
        let name = receiver.device ?? (receiver.wanted.isEmpty ? "the receiver" : receiver.wanted)
        return .failure(
            .receiverSilent, receiver.address, "no data from \(name)",
            meaning: "check the cable, the power supply and the baud rate",
            remedy: "sudo systemctl restart gpsd; gpspipe -R -n 5")
    }

    private static func blind(_ receiver: ReceiverFacts) -> Finding {
        .warning(
            .receiverNoFix, receiver.address, "\(receiver.device ?? "the receiver") has no fix",
            meaning: "too few satellites: it needs a clear view of the sky, for minutes after a cold start",
            remedy: "cgps -s")
    }
}

/// The system clock, which the magnetic model, calibration ages and fix ages depend on.
enum ClockRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let clock = facts.clock else { return [] }
        let year = DecimalYear.of(utcSeconds: clock.now).map { Int64($0) }
        guard clock.now >= Limits.earliestTime, let year else { return [unset(year)] }
        // The age by a clock that does not go on says nothing.
        if let receiver = facts.receiver, receiver.standingFixes == 0, let age = receiver.age,
            !Limits.fixAge.contains(age)
        {
            return [offset(age)]
        }
        if Double(year) >= WorldMagneticModel.validYears.upperBound { return [expired(year)] }
        let synchronised = clock.isSynchronised.map { $0 ? ", synchronised" : ", not synchronised" } ?? ""
        let proven = facts.receiver?.age == nil ? "" : ", in agreement with GNSS time"
        return [.ok(.clockSet, "clock", "the system clock is set\(synchronised)\(proven)")]
    }

    private static let synchronise = "sudo timedatectl set-ntp true"

    private static func unset(_ year: Int64?) -> Finding {
        .failure(
            .clockUnset, "clock",
            "the system clock is not set: it shows the year \(year.map(String.init) ?? "?")",
            meaning: "magnetic declination, calibration ages and timestamps of recordings are wrong",
            remedy: synchronise + "  # without a network: sudo date -s '2026-01-31 12:00'")
    }

    private static func offset(_ age: Double) -> Finding {
        let seconds = Amount.text(age.magnitude, digits: 1)
        return .warning(
            .clockOffset, "clock",
            age < 0
                ? "the system clock is at least \(seconds) s behind GNSS time"
                : "fixes appear \(seconds) s old: the system clock is ahead of GNSS time",
            meaning: "the epoch of a fix cannot be determined, so gnss.latency_seconds is assumed",
            remedy: synchronise)
    }

    private static func expired(_ year: Int64) -> Finding {
        .warning(
            .clockBeyondModel, "clock", "the year \(year) is outside the magnetic model",
            meaning: "WMM2025 is valid until 2030; the declination error grows each year after",
            remedy: "sudo apt update && sudo apt install --only-upgrade waymark  # or: " + synchronise)
    }
}

/// Folders of the daemon: state and recordings.
enum StorageRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let storage = facts.storage else { return [] }
        if let trouble = trouble(storage.state, minimum: Limits.minimumStateByteCount, facts) { return [trouble] }
        var findings = open(storage, facts)
        let recordings = storage.recordings
        if let free = recordings.free, free < storage.recordingMinimum {
            findings.append(noRecordings(recordings, free, storage.recordingMinimum))
        }
        guard findings.isEmpty else { return findings }
        let room = storage.state.free.map { "\(Amount.bytes($0)) free" } ?? "writable"
        return [.ok(.diskRoom, storage.state.path, room)]
    }

    private static func trouble(
        _ folder: StorageFacts.Folder, minimum: UInt64, _ facts: BoardFacts
    ) -> Finding? {
        if folder.isReadOnly { return readOnly(folder) }
        let isSystem = folder.path.hasPrefix("/var/lib/")
        let account = facts.account
        let isDenied =
            if let permission = folder.permission, let account, account.user != nil {
                !permission.allows(3, to: account)
            } else { false }
        // The unit creates it with the right owner.
        if !folder.exists { return isDenied || isSystem ? missing(folder, isDenied) : nil }
        if isDenied, let account { return denied(folder, account) }
        if let free = folder.free, free < minimum || folder.hasNoNodes { return full(folder, free) }
        return nil
    }

    private static let loss = "sensor estimates, calibrations and places are lost at the next start"

    private static func readOnly(_ folder: StorageFacts.Folder) -> Finding {
        .failure(
            .diskReadOnly, folder.path, "its file system is read-only",
            meaning: "sensor estimates and calibrations are lost at the next start, and places cannot be changed",
            remedy:
                "sudo mount -o remount,rw \"$(findmnt -nT \(folder.path.shellQuoted) -o TARGET)\"; sudo dmesg | "
                + "grep -i ext4"
        )
    }

    private static func missing(_ folder: StorageFacts.Folder, _ isDenied: Bool) -> Finding {
        let finding = Finding.failure(
            .diskMissing, folder.path, "the folder does not exist", meaning: "the daemon has not run yet, or " + loss,
            remedy: "sudo systemctl restart waymarkd")
        // The unit creates it at start.
        return finding.at(.warning)
    }

    private static func denied(_ folder: StorageFacts.Folder, _ account: AccountFacts) -> Finding {
        .failure(
            .diskDenied, folder.path,
            "permission denied: \(account.isCaller ? "you" : account.name) cannot write to this folder", meaning: loss,
            remedy: "sudo chown -R \("\(account.name):".shellQuoted) \(folder.path.shellQuoted)")
    }

    /// Folders that are not the service's alone. Recordings within the state folder are as closed as that is.
    private static func open(_ storage: StorageFacts, _ facts: BoardFacts) -> [Finding] {
        guard let account = facts.account, account.isService else { return [] }
        let isWithin = "\(storage.recordings.path)/".hasPrefix("\(storage.state.path)/")
        let folders = [storage.state] + (isWithin ? [] : [storage.recordings])
        return folders.compactMap { folder in
            guard folder.exists, let others = folder.permission?.others(than: account, with: 7) else { return nil }
            return .warning(
                .diskOpen, folder.path, "\(others) has access to this folder",
                meaning: "calibrations, places and recordings contain positions",
                remedy: "sudo chown \("\(account.name):".shellQuoted) \(folder.path.shellQuoted) && "
                    + "sudo chmod 0700 \(folder.path.shellQuoted)")
        }
    }

    private static func full(_ folder: StorageFacts.Folder, _ free: UInt64) -> Finding {
        let path = folder.path.shellQuoted
        return .failure(
            .diskFull, folder.path,
            folder.hasNoNodes ? "the file system has no free inodes" : "only \(Amount.bytes(free)) free",
            meaning: loss, remedy: "sudo du -xh --max-depth=2 \(path) | sort -h | tail; df -hi \(path)")
    }

    private static func noRecordings(_ folder: StorageFacts.Folder, _ free: UInt64, _ minimum: UInt64) -> Finding {
        .warning(
            .diskRecordings, folder.path,
            "\(Amount.bytes(free)) free, less than the minimum of \(Amount.bytes(minimum)) for recordings",
            meaning: "recordings are rejected",
            remedy: "ls -lhS \(folder.path.shellQuoted)  # then delete files that are not needed")
    }
}

/// The routing service of `waymark route to`. Poses do not depend on it, so its findings are warnings at most.
enum RoutingRules {
    static func findings(_ facts: BoardFacts) -> [Finding] { facts.routing.map { [finding($0, facts)] } ?? [] }

    private static let subject = "navigation.service"

    private static func finding(_ routing: RoutingFacts, _ facts: BoardFacts) -> Finding {
        let service = routing.service
        switch routing.outcome {
        case .answered: return .ok(.routingAnswers, subject, "\(service) answers")
        case .unreachable(let reason):
            return warning(
                .routingUnreachable, "cannot connect to \(service): \(reason)",
                remedy: edit(facts, "\(subject), if the address is wrong; else start the service"))
        case .silent(let seconds):
            return warning(
                .routingSilent, "\(service) does not answer within \(Amount.text(seconds)) s",
                remedy: edit(facts, "\(subject), if the address is wrong; else check the log of the service"))
        case .refused(let words):
            return warning(
                .routingRefused, "\(service) rejects the request for the profile '\(routing.profile)': \(words)",
                remedy: edit(facts, "navigation.profile, or the path in \(subject)"))
        case .foreign(let words):
            return warning(.routingForeign, words, remedy: edit(facts, "\(subject): its kind, its address or its path"))
        case .noLibrary(let reason):
            return warning(
                .routingNoLibrary, "\(service) cannot be used without libcurl: \(reason)",
                remedy: "sudo apt install libcurl4t64 || sudo apt install libcurl4")
        }
    }

    private static func warning(_ code: FindingCode, _ what: String, remedy: String) -> Finding {
        .warning(
            code, subject, what,
            meaning: "`waymark route to` fails, except with another --service or with --straight",
            remedy: remedy)
    }

    /// The command reads the settings itself, so the daemon need not be restarted.
    private static func edit(_ facts: BoardFacts, _ hint: String) -> String {
        "sudoedit \((facts.configuration?.file ?? Remedy.systemFile).shellQuoted)  # \(hint)"
    }
}
