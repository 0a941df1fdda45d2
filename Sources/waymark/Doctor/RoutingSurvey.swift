import Configuration
import Diagnosis
import Navigation

/// The routing service of the settings, asked for a route that says nothing of the wearer.
enum RoutingSurvey {
    /// The program was asked to stop.
    struct Cancelled: Error {}

    /// One that works answers so small a question at once. Unit: seconds.
    private static let patience = 3.0

    /// Nil where the settings name none.
    ///
    /// - Parameter cancel: a descriptor that ends the wait when it is readable.
    static func facts(_ settings: Configuration.Navigation, cancel: Int32) throws(Cancelled) -> RoutingFacts? {
        guard !settings.service.isEmpty, let service = try? RoutingService(settings.service) else { return nil }
        let finder = RouteFinder(
            service: service, profile: settings.profile, timeoutSeconds: min(settings.timeoutSeconds, patience),
            userAgent: "waymark/\(Program.version)")
        var outcome = RoutingFacts.Outcome.answered
        do throws(RoutingProblem) {
            try finder.check(cancel: cancel)
        } catch {
            guard error != .cancelled else { throw Cancelled() }
            outcome = Self.outcome(of: error)
        }
        return RoutingFacts(service: service.description, profile: settings.profile, outcome: outcome)
    }

    private static func outcome(of problem: RoutingProblem) -> RoutingFacts.Outcome {
        switch problem {
        case .noTransport(let reason): .noLibrary(reason)
        case .noAnswer(_, let reason): .unreachable(reason)
        case .noConnection(_, let seconds): .unreachable("no connection within \(seconds) s")
        case .timedOut(_, let seconds): .silent(seconds: seconds)
        case .refused(_, let words): .refused(words)
        case .cancelled, .outOfMemory, .tooLong, .redirected, .failed, .notJSON, .invalid, .elsewhere:
            .foreign("\(problem)")
        }
    }
}
