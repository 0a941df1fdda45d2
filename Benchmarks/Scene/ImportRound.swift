import Documents
import Geometry
import Glibc
import JSON
import Linux
import Persistence
import Service

/// Brings a city from a file into a store on disk, as the daemon does.
struct ImportRound {
    let store: PlaceStore
    /// From the first byte read to the last place that would survive a loss of power. Unit: 1/s.
    let placesPerSecond: Double
    /// By the time for which the thread really ran. Unit: 1/s.
    let placesPerBusySecond: Double
    /// Of the document. Unit: bytes.
    let size: Int

    /// - Parameter folder: for the document and the store.
    init(_ city: DenseCity, in folder: String) throws {
        let document = folder + "/city.geojsonl"
        size = try Self.write(city, to: document)
        let file = PlaceFile(directory: folder, name: "places.db")
        store = try PlaceStore(file)
        let (begin, busy) = (BootClock.nanoseconds, ThreadClock.now)
        let counts = try Self.bring(document, into: try PlaceStore(file, isFirst: false))
        placesPerSecond = Double(counts.taken) / (Double(BootClock.nanoseconds - begin) * 1e-9)
        placesPerBusySecond = Double(counts.taken) / ((ThreadClock.now - busy) * 1e-9)
        precondition(counts.added == city.count && counts.flawed == 0, "the city is imported as it is")
    }

    /// A GeoJSON feature on each line. Returns its size in bytes.
    static func write(_ city: DenseCity, to path: String) throws -> Int {
        let file = try File.createNew(path, mode: 0o600)
        var writer = PlaceDocumentWriter(form: .lines)
        var size = 0
        func flush() throws {
            size += writer.bytes.count
            try file.write(writer.bytes)
            writer.removeAll()
        }
        try city.forEach { place in
            writer.append(place)
            if writer.bytes.count > 1 << 16 { try flush() }
        }
        writer.finish()
        try flush()
        return size
    }

    private static func bring(_ document: String, into store: PlaceStore) throws -> PlaceImport.Counts {
        let file = try File.openForReading(document)
        let descriptor = file.descriptor
        var reader = PlaceDocumentReader { room in
            let count = read(descriptor, room.baseAddress, room.count)
            guard count >= 0 else { throw FileError.last }
            return count
        }
        var work = try PlaceImport(into: store, source: "bench", replace: false)
        let counts = try work.run(
            next: { () throws(PlaceImport.Failure) in
                do throws(DocumentProblem) {
                    return try reader.next().map { .place($0) } ?? .end
                } catch {
                    throw .document(error)
                }
            }, progress: { _ in true })
        _ = consume file
        return counts
    }
}
