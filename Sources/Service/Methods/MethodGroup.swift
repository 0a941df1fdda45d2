import Varlink

/// Group of methods of an interface that has too many for one type.
protocol MethodGroup: AnyObject {
    /// Answers the call; false, and nothing done, for a method of another group's.
    func answer(_ call: Call) throws(VarlinkError) -> Bool
}
