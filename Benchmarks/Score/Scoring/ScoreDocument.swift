import JSON

/// The score as JSON, for programs that compare two of them.
package enum ScoreDocument {
    /// `conditions`: readings of each walk by seed; `recordings`: readings of each recording. Missing readings are
    /// absent.
    package static func bytes(
        _ scores: [ConditionScore], seeds: [UInt64], recordings: RecordingTable?
    ) -> [UInt8] {
        var writer = JSONWriter(precision: .exact)
        writer.beginObject()
        writer.key("conditions")
        writer.beginObject()
        for score in scores {
            writer.key(text: score.name)
            writer.beginObject()
            for (seed, walk) in zip(seeds, score.walks) {
                writer.key(text: "\(seed)")
                append(Reading.allCases.compactMap { reading in walk[reading].map { (reading.rawValue, $0) } }, &writer)
            }
            writer.endObject()
        }
        writer.endObject()
        writer.key("recordings")
        writer.beginObject()
        for row in recordings?.rows ?? [] {
            guard let scores = row.scores else { continue }
            writer.key(text: row.name)
            append(scores, &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func append(_ values: [(name: String, value: Double)], _ writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in values {
            writer.key(text: name)
            writer.value(value, .exact)
        }
        writer.endObject()
    }
}
