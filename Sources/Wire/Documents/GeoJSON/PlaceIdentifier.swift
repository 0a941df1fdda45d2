import Scene

/// Identifiers for places whose source gives none: a hash of the content, the same in every run and on every machine.
enum PlaceIdentifier {
    /// Identifier derived from name, kind and position.
    ///
    /// Source: Fowler, Noll and Vo, FNV-1a of 64 bits.
    static func derived(from place: Place) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for text in [place.name, place.kind] {
            for byte in text.utf8 { add(byte) }
            add(0)
        }
        for degrees in [place.position.latitudeDegrees, place.position.longitudeDegrees] {
            // Zero has two bit patterns, 0 and −0.
            var bits = (degrees == 0 ? 0 : degrees).bitPattern
            for _ in 0..<8 {
                add(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
            }
        }
        let digits = String(hash, radix: 16)
        return "place-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
