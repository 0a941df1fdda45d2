import Model

/// Loss that was found when a file was recovered, as stated in the file's metadata. Repeated recoveries add up.
struct RecoveryRecord {
    /// Name of the metadata record.
    static let name = "waymark/recovered"

    private var places: UInt64 = 0
    private var messages: UInt64 = 0
    private var isCutShort = false
    /// Whether `messages` is the exact number of missing messages, not a lower bound.
    private var isCounted = true

    init() {}

    /// Reads a metadata record; nil if it has another name or is damaged.
    init?(metadata record: UnsafeRawBufferPointer) {
        guard let listed = RecordingAbout.values(record, named: Self.name) else { return nil }
        isCounted = false
        for (name, value) in listed {
            switch name {
            case "damaged_places": places = UInt64(value) ?? 0
            case "missing_messages": messages = UInt64(value) ?? 0
            case "cut_short": isCutShort = value == "true"
            case "counted": isCounted = value == "true"
            default: break
            }
        }
    }

    /// Adds the loss of a file that is recovered.
    mutating func add(_ loss: RecordingLoss, isCutShort: Bool) {
        places.addClamped(UInt64(loss.places))
        messages.addClamped(loss.count)
        self.isCutShort = self.isCutShort || isCutShort
        isCounted = isCounted && loss.isCounted
    }

    var metadata: [(name: String, value: String)] {
        [
            ("version", Release.version), ("damaged_places", "\(places)"), ("missing_messages", "\(messages)"),
            ("cut_short", "\(isCutShort)"), ("counted", "\(isCounted)"),
        ]
    }

    /// Warning for a replay of the file; nil unless messages are missing between others.
    func line(_ path: String) -> String? {
        guard places > 0, messages > 0 || !isCounted else { return nil }
        let missing = places == 1 ? "1 place is" : "\(places) places are"
        return "\(path): recovered from a damaged recording: \(missing) missing; the poses may differ from those that "
            + "were recorded"
    }
}
