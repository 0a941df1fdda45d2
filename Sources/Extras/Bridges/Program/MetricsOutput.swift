import Glibc
import Linux
import Web

/// Metrics for Prometheus and other readers of OpenMetrics, over HTTP.
///
/// A request is answered on the web server's thread from the daemon's last answer, so that readers wait neither for the
/// daemon nor for the bridge's other outputs.
package final class MetricsOutput: BridgeOutput {
    private let server: WebServer

    /// Age above which an answer is ignored, because the daemon must have stopped. Unit: ns.
    private static let oldest: Int64 = 5_000_000_000
    private static let path = "/metrics"

    package var description: String { "metrics at http://\(server.address)\(Self.path)" }

    package var address: NetworkAddress { server.address }

    package init(at address: NetworkAddress, statuses: StatusSource) throws(WebServerError) {
        var site = WebSite()
        site.pages[Self.path] = { request in
            Self.page(MetricsFormat(accept: request.accept), statuses.newest, now: BootClock.nanoseconds)
        }
        site.pages["/"] = { _ in
            WebResponse(text: "Metrics of waymarkd are at \(Self.path), as OpenMetrics and as Prometheus' text format.")
        }
        if !address.isLoopback { site.hostNames = Self.hostNames }
        server = try WebServer(site, at: address)
    }

    package func close() { server.stop(timeoutSeconds: 1) }

    /// Returns the page of metrics, without outdated values.
    ///
    /// - Parameter now: CLOCK_BOOTTIME. Unit: nanoseconds.
    package static func page(_ format: MetricsFormat, _ answer: StatusSource.Answer?, now: Int64) -> WebResponse {
        let age = answer.map { max(0, now - $0.time) }
        let current = age.map { $0 <= oldest } == true ? answer : nil
        let families = WaymarkMetrics.families(current?.status, age: age.map { Double($0) / 1e9 })
        return WebResponse(type: format.contentType, body: Array(MetricsText.write(families, format).utf8))
    }

    /// Names under which other computers may reach this one.
    private static var hostNames: [String] {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return [] }
        let text = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return text.isEmpty ? [] : [text, text + ".local"]
    }
}
