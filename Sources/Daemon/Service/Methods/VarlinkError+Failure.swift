import Linux
import Messages
import Model
import Persistence
import Scene
import Varlink
import WaymarkInterface

extension VarlinkError {
    static func limitExceeded(_ limit: StatusInterface.Limit, _ maximum: Int) -> VarlinkError {
        VarlinkError(StatusInterface.Failure.limitExceeded(limit: OpenWord(limit), maximum: maximum))
    }

    static func notLocalized(_ reason: String) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.notLocalized(reason: reason))
    }

    static let noPose = VarlinkError.notLocalized("no pose yet; see `waymark status`")
    static let noPosition = VarlinkError.notLocalized("no position yet; see `waymark status`")
}

/// Errors of navigation.
extension VarlinkError {
    static let navigationSuperseded = VarlinkError(SceneInterface.Failure.navigationSuperseded)
    static let noNavigator = VarlinkError(SceneInterface.Failure.noNavigator)

    static func navigationFailed(_ reason: String) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.navigationFailed(reason: reason))
    }

    /// - Parameter seconds: time that the navigator had to answer.
    static func navigationTimedOut(_ seconds: Double) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.navigationTimedOut(seconds: seconds))
    }

    static func invalidDestination(_ field: String, _ reason: String) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.invalidDestination(field: field, reason: reason))
    }

    static func ambiguousPlace(_ text: String, _ candidates: [SceneInterface.Place]) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.ambiguousPlace(text: text, candidates: candidates))
    }

    static func noSuchRequest(_ number: Int) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.noSuchRequest(request: number))
    }
}

/// Errors of requests for past poses.
extension VarlinkError {
    static let noPoseYet = VarlinkError(
        PoseInterface.Failure.notReady(reason: "no inertial sample has arrived yet; see `waymark devices`"))

    init(_ problem: PastPoseProblem) {
        switch problem {
        case .none: self = .noPoseYet
        case .tooEarly(let available):
            self.init(
                PoseInterface.Failure.tooEarly(
                    oldest: available.lowerBound.message, newest: available.upperBound.message))
        case .tooLate(let available):
            self.init(
                PoseInterface.Failure.tooLate(
                    oldest: available.lowerBound.message, newest: available.upperBound.message))
        case .inGap(let gap, let available):
            self.init(
                PoseInterface.Failure.inGap(
                    begin: gap.lowerBound.message, end: gap.upperBound.message, oldest: available.lowerBound.message,
                    newest: available.upperBound.message))
        }
    }
}

/// Errors of the place store.
extension VarlinkError {
    /// Creates the error of a request to the place store that was not carried out.
    init(store error: any Error) {
        switch error {
        case let error as PlaceRepository.Full: self = .limitExceeded(.placeRequests, error.maximum)
        default: self = .cannotStore("\(error)")
        }
    }

    init(_ failure: PlaceImport.Failure) {
        switch failure {
        case .document(let problem):
            self.init(SceneInterface.Failure.invalidDocument(path: problem.path, reason: problem.message))
        case .store(let error): self.init(store: error)
        case .tooMany(let maximum): self = .limitExceeded(.places, maximum)
        case .cancelled, .setAside: self = .cannotStore("\(failure)")
        }
    }

    init(_ failure: PlaceExport.Failure) {
        switch failure {
        case .file(let reason): self.init(SceneInterface.Failure.cannotExport(reason: reason))
        case .store(let error): self.init(store: error)
        case .cancelled: self.init(SceneInterface.Failure.cannotExport(reason: "the daemon is stopping"))
        }
    }

    static func cannotStore(_ reason: String) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.cannotStore(reason: reason))
    }

    static func noSuchPlace(_ id: String) -> VarlinkError { VarlinkError(SceneInterface.Failure.noSuchPlace(id: id)) }
}
