import Geometry
import Glibc
import Linux
import Model
import TestTools
import Simulation

/// The scene in a dense city: how fast places come in, and what a frame costs among them.
enum SceneBench {
    /// Of the walk. Unit: seconds.
    private static let seconds = 120.0

    /// One JSON object with the figures, for scripts/bench.
    static func run(places: Int) throws {
        let folder = ScratchFolder()
        let measured = try measure(places, in: folder.path)
        print(measured)
    }

    /// Writes the city as a GeoJSON feature on each line, for scripts/daemon-load.
    static func write(places: Int, to path: String, around center: GeodeticPosition) throws {
        _ = try ImportRound.write(DenseCity(center: center, count: places), to: path)
    }

    private static func measure(_ places: Int, in folder: String) throws -> String {
        let start = BootTime(nanoseconds: 1_000_000_000_000)
        let settings = CityWalkSettings(seed: 1)
        guard let walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025) else {
            fatalError("the magnetic model reaches the walk")
        }
        let city = DenseCity(center: settings.origin, count: places)
        let intake = try ImportRound(city, in: folder)
        let searches = try SearchRound(intake.store, near: settings.origin)
        let round = try FrameRound(walk, seconds: seconds, store: intake.store)
        return
            """
            {"places": \(places), "documentBytes": \(intake.size), "importPerSecond": \(intake.placesPerSecond), \
            "importPerBusySecond": \(intake.placesPerBusySecond), \
            "frames": \(round.frames.count), "placements": \(round.maximumPlacementCount), \
            "messageBytes": \(round.bytes / max(1, round.frames.count)), \
            "query": \(figures(round.queries)), "composition": \(figures(round.compositions)), \
            "frame": \(figures(round.frames)), "search": \(searches.json), "residentKibibytes": \((ProcessResources.residentBytes ?? 0) / 1024)}
            """
    }

    /// Median, 99 % and most. Unit: nanoseconds.
    private static func figures(_ spans: [Double]) -> String {
        "[\(spans.quantile(0.5)), \(spans.quantile(0.99)), \(spans.quantile(1))]"
    }
}
