import CGPS
import Glibc

/// Parser of gpsd's lines, from libgps. Not thread-safe: for use by one thread.
package final class GPSDParser {
    private let parser: OpaquePointer
    private var report = cgps_report()

    /// Allocates the parser.
    package init() {
        guard let parser = cgps_parser_new() else { preconditionFailure("no memory left at start") }
        self.parser = parser
    }

    deinit { cgps_parser_free(parser) }

    /// Parses one line.
    ///
    /// - Parameter line: JSON object, zero-terminated.
    package func parse(_ line: UnsafePointer<CChar>) -> GPSDReport {
        cgps_parse(parser, line, &report)
        return GPSDReport(report)
    }
}

func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
