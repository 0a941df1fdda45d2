import Linux

extension Setting {
    static let serve: [Setting] = [
        Setting(
            .serve, "http",
            .text(
                \.serve.http, range: "numeric address and port (\"127.0.0.1:PORT\")", check: SettingChecks.givenAddress),
            requiresRestart: true,
            "Address of the live page and of Foxglove's protocol. 8765 is the port that Foxglove connects to by itself."
        ),
        Setting(
            .serve, "allow_remote", .toggle(\.serve.allowRemote), requiresRestart: true,
            "Whether it may be reachable from other computers. Positions are personal data: they and the token pass "
                + "the network unencrypted."),
        Setting(
            .serve, "require_token", .toggle(\.serve.requireToken), requiresRestart: true,
            "Whether readers need a token, a part of the address that `waymark serve` prints and waymark-serve.service writes "
                + "to /run/waymark-serve/address for members of service.socket_group. Without it every user and program of "
                + "this computer can read; other computers always need it."),
        Setting(
            .serve, "token_file",
            .text(\.serve.tokenFile, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "File with a token that stays the same, readable by the group waymark: 16 to 128 letters, digits, hyphens and "
                + "underscores. Empty: each start makes a new one."),
        Setting(
            .serve, "host_names",
            .text(\.serve.hostNames, range: "host names separated by spaces, or empty", check: SettingChecks.words),
            requiresRestart: true,
            "Names of this computer by which browsers may call it, such as \"board.local\"; numeric addresses always work."
        ),
        Setting(
            .serve, "origins",
            .text(
                \.serve.origins, range: "origins (\"https://HOST\") separated by spaces, or empty",
                check: SettingChecks.origins),
            requiresRestart: true,
            "Web pages of other hosts that may connect by Foxglove's protocol, and so read all poses while a browser on "
                + "this computer shows them, such as \"https://app.foxglove.dev\". None by default."),
        Setting(
            .serve, "allow_changes", .toggle(\.serve.allowChanges), requiresRestart: true,
            "Whether the page may set the wearer's destination, and end the route. It needs the token, and the program the "
                + "group waymark-change."),
        Setting(
            .serve, "pictures",
            .text(\.serve.pictures, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "Folder with pictures of places, readable by all: a place with the tag image=mill.jpg has mill.jpg of it. Empty: "
                + "none."),
        Setting(
            .serve, "tiles",
            .text(\.serve.tiles, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "File with a map's raster tiles (MBTiles or PMTiles), readable by all, which the map of the page shows. Empty: "
                + "none, and the map has a grid alone."),
    ]
}

extension SettingChecks {
    /// A numeric address with a port.
    @Sendable static func givenAddress(_ text: String) -> String? {
        text.isEmpty ? "must be ADDRESS:PORT, such as 127.0.0.1:8765" : address(text)
    }

    /// Words of printable ASCII, separated by spaces.
    @Sendable static func words(_ text: String) -> String? {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? nil : "must be printable ASCII"
    }

    /// Origins of web pages, separated by spaces.
    @Sendable static func origins(_ text: String) -> String? {
        if let problem = words(text) { return problem }
        let isOrigin = text.split(separator: " ").allSatisfy { origin in
            ["http://", "https://"].contains { origin.hasPrefix($0) && !origin.dropFirst($0.count).contains("/") }
        }
        return isOrigin ? nil : "each must be http:// or https:// and a host, without a path"
    }
}
