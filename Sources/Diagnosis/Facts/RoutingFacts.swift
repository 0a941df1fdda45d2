/// The routing service that the settings name, and what became of asking it.
public struct RoutingFacts: Hashable, Sendable {
    /// What became of asking.
    public enum Outcome: Hashable, Sendable {
        case answered
        /// No connection, or one that broke, in libcurl's words.
        case unreachable(String)
        case silent(seconds: Double)
        /// It does not take such questions, in its own words.
        case refused(String)
        /// What answers is no such service, in words that name it.
        case foreign(String)
        /// There is no libcurl, in the loader's words.
        case noLibrary(String)
    }

    /// With its address, such as `osrm+http://127.0.0.1:5000`.
    public var service: String
    /// `navigation.profile`.
    public var profile: String
    /// What became of asking it.
    public var outcome: Outcome

    /// A service that was asked.
    public init(service: String, profile: String, outcome: Outcome) {
        self.service = service
        self.profile = profile
        self.outcome = outcome
    }
}
