import Display
import Options
import WaymarkClient

/// `waymark devices`: what sensors were found and what they deliver.
enum DevicesCommand: Command {
    static let word = "devices"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "Shows the sensors: rates asked and got, scale, mount matrix, clock, gaps.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let devices = try WaymarkClient().devices()
        try options[json]
            ? Terminal.print(JSONText.line(["devices": devices])) : Terminal.print(DeviceText.lines(devices))
        return .done
    }
}
