import Geodesy

extension RouteFinder {
    /// Returns if there is no service, or if it answers, is of the kind that it is declared as and takes the profile.
    ///
    /// It is asked for a route as by `find`, but where the equator meets the meridian of Greenwich: nothing of the wearer goes
    /// out. Few maps reach there, so that a service which knows no way there does its work.
    ///
    /// - Parameter cancel: a descriptor that ends the wait when it is readable.
    public func check(cancel: Int32) throws(RoutingProblem) {
        let nowhere = GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0)
        guard let service, let nowhere else { return }
        let transfer = HTTPTransfer(
            service: service, userAgent: userAgent, timeoutSeconds: timeoutSeconds, cancel: cancel)
        let request = RoutingRequest(service, profile: profile, from: nowhere, to: nowhere)
        let answer = RoutingAnswer(service: service, from: nowhere, to: nowhere)
        try answer.checkService(transfer.answer(to: request))
    }
}
