import JSON

extension ReceiverView {
    /// Receiver under an open sky, for simulated poses. It sees twelve GPS and Galileo satellites and uses ten of them,
    /// whose directions determine the dilutions of precision.
    package static let simulated: ReceiverView = {
        var view = ReceiverView()
        view.isSimulated = true
        view.satellites = SimulatedSky.satellites.count { $0.isUsed }
        view.horizontalDilution = SimulatedSky.horizontalDilution
        view.sky = SimulatedSky.report()
        return view
    }()
}

/// SKY of the simulated receiver.
private enum SimulatedSky {
    static let horizontalDilution = 0.91
    static let satellites:
        [(number: Int64, system: Int64, own: Int64, elevation: Int64, azimuth: Int64, signal: Int64, isUsed: Bool)] = [
            (5, 0, 5, 62, 48, 44, true),
            (13, 0, 13, 41, 103, 42, true),
            (15, 0, 15, 23, 172, 36, true),
            (18, 0, 18, 55, 262, 43, true),
            (20, 0, 20, 15, 285, 30, true),
            (24, 0, 24, 34, 312, 39, true),
            (29, 0, 29, 12, 36, 27, false),
            (303, 2, 3, 48, 201, 41, true),
            (308, 2, 8, 29, 71, 38, true),
            (313, 2, 13, 18, 238, 33, true),
            (325, 2, 25, 74, 330, 45, true),
            (331, 2, 31, 9, 140, 24, false),
        ]

    /// Returns the report as one JSON object. Source: gpsd_json(5), "SKY".
    static func report() -> [UInt8] {
        JSONWriter.object(capacity: 2048) { json in
            json.member("class", "SKY" as String?)
            json.member("device", GPSDReportWriter.device)
            json.member("hdop", horizontalDilution, .fixed(2))
            json.member("vdop", 1.47, .fixed(2))
            json.member("pdop", 1.73, .fixed(2))
            json.objects("satellites", satellites) { satellite, json in
                json.member("PRN", satellite.number)
                json.member("gnssid", satellite.system)
                json.member("svid", satellite.own)
                json.member("el", satellite.elevation)
                json.member("az", satellite.azimuth)
                json.member("ss", satellite.signal)
                json.member("used", satellite.isUsed)
            }
        }
    }
}
