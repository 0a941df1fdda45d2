import Commands
import Foundation
import WaymarkClient

/// Values for pictures of the live view, made of messages as the daemon sends them.
enum LiveSamples {
    /// Time of the poses, on the boot clock. Unit: seconds.
    static let time = 90.25

    /// A view that knows everything: a route with a turn ahead to the right, and places around.
    static func view(heading: Double = 42, places: String = places) throws -> LiveView {
        var view = LiveView()
        view.show(try Samples.pose(["heading": heading]))
        view.show(try scene(places))
        view.ahead = [try Samples.decode(Samples.turn), try Samples.decode(Samples.cafe)]
        view.status = try Samples.decode(Samples.status)
        return view
    }

    static func scene(_ placements: String) throws -> Waymark.SceneState {
        var state = Waymark.SceneState()
        try state.apply(try Samples.decode(message(placements)))
        return state
    }

    private static func message(_ placements: String) -> String {
        """
        {"revision":1,"snapshot":true,"time":{"sec":90,"nsec":0},"generation":1,"readiness":"ready","reasons":[],
        "route":{"id":"r","name":"Home","state":"following","length":900,"vertices":4,"turns":2,"remaining":640,
        "remainingSeconds":500,"nextTurn":{"kind":"normal","side":"right","angle":90,"text":"Turn right",
        "alongRoute":31.4}},"labelRoll":0,"removed":[],"events":[],"changed":[\(placements)]}
        """
    }

    /// A placement; `more` are members that begin with a comma.
    static func placement(
        _ id: String, _ kind: String, name: String, bearing: Double, distance: Double, more: String = ""
    ) -> String {
        """
        {"id":"\(id)","revision":1,"kind":"\(kind)","name":\(quoted(name)),"lock":"scene",
        "position":{"x":0,"y":0,"z":0},"displayDistance":10,"yaw":0,"bearing":\(bearing),"distance":\(distance),
        "size":{"policy":"fading","angle":3,"scale":1},"order":1,"visible":true\(more)}
        """
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONSerialization.data(withJSONObject: [text])
        return String(String(decoding: data ?? Data("[\"\"]".utf8), as: UTF8.self).dropFirst().dropLast())
    }

    static let places = [
        placement(
            "t", "turn", name: "Turn right", bearing: 45, distance: 30, more: #","alongRoute":31.4,"side":"right""#),
        placement("a", "arrow", name: "", bearing: 44, distance: 10, more: #","alongRoute":10"#),
        placement("d", "destination", name: "Home", bearing: 200, distance: 300, more: #","alongRoute":640"#),
        placement("p", "place", name: "Corner Café", bearing: 20, distance: 60),
        placement("c", "cluster", name: "3", bearing: 80, distance: 90, more: #","members":["x","y","z"]"#),
    ].joined(separator: ",")
}

extension LiveView {
    /// Rows of a picture as they are read.
    func lines(_ rows: Int, _ columns: Int, unicode: Bool = true) -> [String] {
        picture(
            rows: rows, columns: columns, time: LiveSamples.time,
            canvas: Canvas(unicode: unicode, colour: false, columns: columns)
        ).lines
    }

    func text(_ rows: Int, _ columns: Int, unicode: Bool = true) -> String {
        lines(rows, columns, unicode: unicode).joined(separator: "\n")
    }
}
