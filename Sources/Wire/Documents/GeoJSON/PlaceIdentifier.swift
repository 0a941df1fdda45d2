import Scene

/// Identifiers for places whose source gives none. Each is a hash of the content, which is the same in every run and on
/// every machine.
enum PlaceIdentifier {
    /// Identifier derived from name, kind and position.
    static func derived(from place: Place) -> String {
        var bytes = Array(place.name.utf8) + [0] + Array(place.kind.utf8) + [0]
        for degrees in [place.position.latitudeDegrees, place.position.longitudeDegrees] {
            // Zero has two bit patterns, 0 and −0.
            withUnsafeBytes(of: (degrees == 0 ? 0 : degrees).bitPattern.littleEndian) { bytes += $0 }
        }
        let digits = String(FNV.hash(bytes), radix: 16)
        return "place-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
