import Geodesy

extension RouteFinder {
    /// Checks the service: returns if there is none, or if it responds, is of the declared kind and supports the
    /// profile.
    ///
    /// The request is one for a route, but at latitude and longitude 0°, so that it does not reveal the wearer's
    /// position. Few maps extend there: a service that finds no route works.
    ///
    /// - Parameter cancel: descriptor that ends the wait when it is readable.
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
