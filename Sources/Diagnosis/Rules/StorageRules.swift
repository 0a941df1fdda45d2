/// Folders of the daemon: state and recordings.
enum StorageRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let storage = facts.storage else { return [] }
        if let trouble = trouble(storage.state, least: Limits.leastStateBytes, facts) { return [trouble] }
        var findings: [Finding] = []
        let recordings = storage.recordings
        if let free = recordings.free, free < storage.recordingMinimum {
            findings.append(noRecordings(recordings, free, storage.recordingMinimum))
        }
        guard findings.isEmpty else { return findings }
        let room = storage.state.free.map { "\(Amount.bytes($0)) free" } ?? "writable"
        return [.ok(.diskRoom, storage.state.path, room)]
    }

    private static func trouble(
        _ folder: StorageFacts.Folder, least: UInt64, _ facts: BoardFacts
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
        if let free = folder.free, free < least || folder.hasNoNodes { return full(folder, free) }
        return nil
    }

    private static let loss = "sensor estimates, calibrations and places are lost at the next start"

    private static func readOnly(_ folder: StorageFacts.Folder) -> Finding {
        .failure(
            .diskReadOnly, folder.path, "its file system is read-only", meaning: loss,
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
