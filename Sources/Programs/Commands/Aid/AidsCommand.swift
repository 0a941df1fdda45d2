import Configuration
import WaymarkClient
import WaymarkInterface

/// `waymark aids`: programs that provide aid measurements, and the use of these.
enum AidsCommand: Command {
    static let word = "aids"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "List the sources of measurements of other programs: rate, accuracy and trust.", options: [json],
        notes: """
            'claimed' is the accuracy of the newest offer, 'learned' the accuracy by the other measurements, or of
            odometry the factor by which it is worse than assumed, and 'refused' the share of the offers that the
            estimator has compared and not used.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let list = try Waymark.Client().call(AidInterface.List())
        try options[json] ? Terminal.print(JSONText.line(list)) : Terminal.print(AidText.lines(list.sources))
        return .done
    }
}
