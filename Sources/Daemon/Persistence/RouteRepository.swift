import Documents
import Linux
import Scene

/// Keeps the route from one run of the daemon to the next. To be used on a thread that may wait for the disk.
package struct RouteRepository: Sendable {
    package let file: WholeFile

    package init(file: WholeFile) { self.file = file }

    private static let log = LogLimiter("route", lines: 1, interval: 3_600_000_000_000)

    /// Returns the stored route; nil if there is none, or if the file cannot be read and was moved aside.
    package func load() -> Route? {
        do {
            guard let bytes = try file.read(maximumLength: RouteFeature.maximumSize) else { return nil }
            return try RouteFeature.read(bytes)
        } catch {
            Log.warning(file.movedAside("not a valid route", "\(error)").text)
            return nil
        }
    }

    /// Writes the route. A failure is only logged, because the route is followed nevertheless.
    package func keep(_ route: Route) {
        do throws(FileError) {
            try file.replace(with: RouteFeature.bytes(route))
        } catch {
            Self.log.write(.warning, "\(file.path) cannot be written; the route will not survive a restart: \(error)")
        }
    }

    package func forget() {
        do throws(FileError) {
            try file.remove()
        } catch {
            Self.log.write(.warning, "\(file.path) cannot be removed; the next start will restore the route: \(error)")
        }
    }
}
