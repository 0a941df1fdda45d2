import CHTTP
import Configuration
import Documents
import Geometry

/// Request to a service for a route between two positions.
///
/// Source: OSRM API 5, "Route service"; Valhalla, "Turn-by-turn API".
package struct RoutingRequest: Hashable, Sendable {
    /// URL with the query.
    package let url: String
    /// JSON body of a POST request; nil for a GET request.
    package let body: String?

    /// - Parameter profile: profile that satisfies `RoutingService.isProfile`.
    package init(_ service: RoutingService, profile: String, from: GeodeticPosition, to: GeodeticPosition) {
        switch service.kind {
        case .osrm:
            // Steps contain every vertex. Six decimals make positions exact to a decimetre.
            url =
                "\(service.address)/route/v1/\(profile)/\(Self.pair(from));\(Self.pair(to))"
                + "?steps=true&geometries=polyline6&overview=full"
            body = nil
        case .valhalla:
            url = "\(service.address)/route"
            body =
                "{\"locations\":[\(Self.location(from)),\(Self.location(to))],"
                + "\"costing\":\"\(Self.costing(profile))\",\"units\":\"kilometers\"}"
        }
    }

    /// Number of decimals of the requested polylines.
    package static let precision = 6

    /// Returns Valhalla's name of a profile.
    private static func costing(_ profile: String) -> String {
        switch profile {
        case "foot", "walk", "walking": "pedestrian"
        case "bike", "cycling": "bicycle"
        case "car", "driving": "auto"
        default: profile
        }
    }

    private static func pair(_ position: GeodeticPosition) -> String {
        "\(longitude(position)),\(position.latitudeDegrees.fixed(7))"
    }

    private static func location(_ position: GeodeticPosition) -> String {
        "{\"lat\":\(position.latitudeDegrees.fixed(7)),\"lon\":\(longitude(position))}"
    }

    /// Longitude from -180 to 180 degrees, because services refuse any other longitude, or find nothing there. It has
    /// seven decimals (a centimetre) and never an exponent, which some services cannot parse.
    private static func longitude(_ position: GeodeticPosition) -> String {
        position.longitudeDegrees.remainder(dividingBy: 360).fixed(7)
    }
}

package struct HTTPAnswer: Hashable, Sendable {
    package var status: Int
    /// `Content-Type` in lower case; empty if there is none.
    package var contentType: String
    /// `Content-Encoding` in lower case; empty if there is none.
    package var contentEncoding: String
    package var location: String
    package var body: [UInt8]

    package init(
        status: Int, contentType: String = "", contentEncoding: String = "", location: String = "", body: [UInt8]
    ) {
        (self.status, self.contentType, self.contentEncoding) = (status, contentType, contentEncoding)
        (self.location, self.body) = (location, body)
    }
}

/// Sends HTTP requests to a routing service, with libcurl.
struct HTTPTransfer {
    let service: RoutingService
    let timeoutSeconds: Double
    /// Descriptor that cancels the transfer when it is readable; -1 for none.
    let cancel: Int32

    /// Sends a request and waits for the response.
    func answer(to request: RoutingRequest) throws(RoutingProblem) -> HTTPAnswer {
        var response = chttp_response()
        defer { chttp_free(&response) }
        let outcome = perform(request, &response)
        let problem = Self.text(&response.problem)
        switch outcome {
        case CHTTP_DONE: return Self.answer(&response)
        case CHTTP_NO_LIBRARY: throw .noTransport(reason: problem)
        case CHTTP_CANCELLED: throw .cancelled
        case CHTTP_NO_CONNECTION: throw .noConnection(service, seconds: timeoutSeconds / 2)
        case CHTTP_TIMED_OUT: throw .timedOut(service, seconds: timeoutSeconds)
        case CHTTP_TOO_LONG: throw .tooLong(service)
        case CHTTP_NO_MEMORY: throw .outOfMemory
        default: throw .noAnswer(service, reason: problem)
        }
    }

    private func perform(_ request: RoutingRequest, _ response: inout chttp_response) -> chttp_outcome {
        request.url.withCString { url in
            "waymark/\(Program.version)".withCString { userAgent in
                func perform(_ body: UnsafePointer<CChar>?) -> chttp_outcome {
                    var asked = chttp_request(
                        url: url, user_agent: userAgent, body: body,
                        timeout_milliseconds: Int(timeoutSeconds * 1000), longest: RouteDocument.maximumSize,
                        cancel: cancel)
                    return chttp_perform(&asked, &response)
                }
                return request.body?.withCString { perform($0) } ?? perform(nil)
            }
        }
    }

    private static func answer(_ response: inout chttp_response) -> HTTPAnswer {
        let body = UnsafeRawBufferPointer(start: response.body, count: response.length)
        return HTTPAnswer(
            status: response.status, contentType: text(&response.content_type).lowercased(),
            contentEncoding: text(&response.content_encoding).lowercased(), location: text(&response.location),
            body: Array(body))
    }

    /// Text of a zero-terminated C array of characters.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
