import Synchronization

/// The id of the newest route on the thread that reads them, one after the other: when what a document becomes reaches the
/// reactor, this is what is followed there, whatever else waits. So a comparison on that thread leaves no moment in between.
final class NewestRoute: Sendable {
    private let id: Mutex<String?>

    init(_ id: String?) { self.id = Mutex(id) }

    func become(_ new: String?) { id.withLock { $0 = new } }

    /// - Parameter replaced: only this one gives way; nil for any.
    /// - Returns: why it stays as it is; nil where it does not.
    func become(_ new: String, after replaced: String?) -> RouteLoader.Failure? {
        id.withLock { present in
            guard let replaced, replaced != present else {
                present = new
                return nil
            }
            return .otherRoute(id: present)
        }
    }
}
