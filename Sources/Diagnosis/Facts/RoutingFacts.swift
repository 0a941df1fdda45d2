/// The configured routing service and the result of a test request.
public struct RoutingFacts: Hashable, Sendable {
    /// Result of the test request.
    public enum Outcome: Hashable, Sendable {
        case answered
        /// No connection or a broken one, with the libcurl error.
        case unreachable(String)
        case silent(seconds: Double)
        /// The service rejected the request, with its error message.
        case refused(String)
        /// The response is not that of a routing service, with a description.
        case foreign(String)
        /// libcurl could not be loaded, with the error of the loader.
        case noLibrary(String)
    }

    /// Service with its address, such as `osrm+http://127.0.0.1:5000`.
    public var service: String
    /// `navigation.profile`.
    public var profile: String
    /// Result of the test request.
    public var outcome: Outcome

    /// A service and the result of a request to it.
    public init(service: String, profile: String, outcome: Outcome) {
        self.service = service
        self.profile = profile
        self.outcome = outcome
    }
}
