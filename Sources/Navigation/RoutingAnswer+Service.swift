import Configuration
import Formats

extension RoutingAnswer {
    /// Codes of responses to valid requests, including those for which there is no route.
    ///
    /// Source: OSRM API 5, "Responses"; Valhalla, "Turn-by-turn API", "HTTP status codes and conditions".
    private static let osrmCodes = ["Ok", "NoRoute", "NoSegment"]
    private static let valhallaCodes = [154.0, 170, 171, 442, 443]

    /// Returns if a response is of the expected kind of service and the service accepts such requests, whether there is
    /// a route or not.
    package func checkService(_ answer: HTTPAnswer) throws(RoutingProblem) {
        try checkPlace(answer)
        let root = try? JSONReader.read(answer.body)
        if let root, understood(root) { return }
        if let words = refusal(answer.body) { throw .refused(service, words) }
        guard answer.status == 200 else { throw .failed(service, status: answer.status) }
        try checkForm(answer)
        throw .invalid(service, DocumentProblem(path: "", message: "no answer of \(RoutingProblem.product(service))"))
    }

    private func understood(_ root: JSONNode) -> Bool {
        switch service.kind {
        case .osrm: root["code"]?.string.map(Self.osrmCodes.contains) ?? false
        case .valhalla: root["trip"] != nil || root["error_code"]?.number.map(Self.valhallaCodes.contains) ?? false
        }
    }
}
