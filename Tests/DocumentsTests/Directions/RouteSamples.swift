import Documents
import Geometry

/// A walk in Münster's old town as each service would answer it: north, right, left, and there.
enum RouteSamples {
    static let points = [
        (51.9610, 7.6250), (51.9620, 7.6251), (51.9621, 7.6270), (51.9632, 7.6272), (51.9633, 7.6273),
    ].map { GeodeticPosition(latitudeDegrees: $0.0, longitudeDegrees: $0.1, ellipsoidalHeight: 0)! }

    static func encoded(_ range: ClosedRange<Int>, _ precision: EncodedPolyline.Precision = .five) -> String {
        let text = EncodedPolyline.encode(points[range], precision: precision)
        // Inside of a JSON string.
        return String(decoding: text, as: UTF8.self).replacing("\\", with: "\\\\")
    }

    static func line(_ range: ClosedRange<Int>) -> String {
        let pairs = points[range].map { "[\($0.longitudeDegrees),\($0.latitudeDegrees)]" }
        return #"{"type":"LineString","coordinates":[\#(pairs.joined(separator: ","))]}"#
    }

    static func step(
        _ range: ClosedRange<Int>, geometry: String, maneuver: String, extra: String = ""
    ) -> String {
        let at = points[range.lowerBound]
        return """
            {"geometry":\(geometry),"maneuver":{\(maneuver),"location":[\(at.longitudeDegrees),\(at.latitudeDegrees)]},
            "mode":"walking","driving_side":"right","name":"","intersections":[{"out":0,"entry":[true],"bearings":[4],
            "location":[7.625,51.961]}],"weight":80.1,"duration":80.1,"distance":111.3\(extra)}
            """
    }

    static func osrm(_ precision: EncodedPolyline.Precision = .five) -> String {
        func text(_ range: ClosedRange<Int>) -> String { "\"\(encoded(range, precision))\"" }
        return """
            {"code":"Ok","routes":[{"geometry":\(text(0...4)),"legs":[{"steps":[
            \(step(0...1, geometry: text(0...1), maneuver: #""bearing_after":4,"bearing_before":0,"type":"depart""#)),
            \(step(1...2, geometry: text(1...2), maneuver: """
                "bearing_after":85,"bearing_before":4,"modifier":"right","type":"turn"
                """)),
            \(step(2...4, geometry: text(2...4), maneuver: """
                "bearing_after":6,"bearing_before":85,"modifier":"left","type":"end of road"
                """)),
            \(step(4...4, geometry: text(4...4), maneuver: #""bearing_after":0,"bearing_before":32,"type":"arrive""#))
            ],"summary":"Domplatz, Salzstraße","weight":240.5,"duration":241.5,"distance":385.2}],
            "weight_name":"duration","weight":240.5,"duration":241.5,"distance":385.2}],
            "waypoints":[{"hint":"x","distance":3.2,"name":"Domplatz","location":[7.625,51.961]},
            {"hint":"y","distance":1.1,"name":"Salzstraße","location":[7.6273,51.9633]}]}
            """
    }

    static var mapbox: String {
        let instruction = #""instruction":"Turn right onto Salzstraße.","bearing_after":85,"bearing_before":4"#
        let banner = """
            ,"bannerInstructions":[{"distanceAlongGeometry":111,"primary":{"text":"Keep right","type":"fork"}}],
            "voiceInstructions":[{"distanceAlongGeometry":111,"announcement":"Go north"}]
            """
        return """
            {"routes":[{"weight_name":"pedestrian","weight":250,"duration":255.5,"distance":385.2,"legs":[{"summary":"",
            "via_waypoints":[],"admins":[],"duration":255.5,"distance":385.2,"steps":[
            \(step(0...1, geometry: line(0...1), maneuver: #""type":"depart","instruction":"Walk north.""#)),
            \(step(1...3, geometry: line(1...3), maneuver: "\(instruction),\"type\":\"turn\",\"modifier\":\"right\"", extra: banner)),
            \(step(3...4, geometry: line(3...4), maneuver: #""type":"fork","modifier":"slight right""#)),
            \(step(4...4, geometry: line(4...4), maneuver: #""type":"arrive","instruction":"You have arrived.""#))
            ]}],"geometry":\(line(0...4))}],"waypoints":[{"distance":1,"name":"","location":[7.625,51.961]},
            {"distance":1,"name":"Stadttheater","location":[7.6273,51.9633]}],"code":"Ok","uuid":"a1"}
            """
    }

    static func valhalla(_ precision: EncodedPolyline.Precision = .six) -> String {
        """
        {"trip":{"locations":[{"type":"break","lat":51.961,"lon":7.625,"original_index":0},
        {"type":"break","lat":51.9633,"lon":7.6273,"name":"Theatre","original_index":1}],
        "legs":[{"maneuvers":[
        {"type":2,"instruction":"Walk north on Domplatz.","street_names":["Domplatz"],"time":81.4,"length":0.115,
        "begin_shape_index":0,"end_shape_index":1,"travel_mode":"pedestrian","travel_type":"foot"},
        {"type":10,"instruction":"Turn right onto Salzstraße.","time":90.1,"length":0.13,"begin_shape_index":1,
        "end_shape_index":2},
        {"type":24,"instruction":"Keep left at the fork.","time":80,"length":0.12,"begin_shape_index":2,"end_shape_index":4},
        {"type":4,"instruction":"You have arrived at your destination.","time":0,"length":0,"begin_shape_index":4,
        "end_shape_index":4}],
        "summary":{"time":251.5,"length":0.386},"shape":"\(encoded(0...4, precision))"}],
        "summary":{"has_toll":false,"min_lat":51.96,"time":251.5,"length":0.386,"cost":320.1},
        "status_message":"Found route between points","status":0,"units":"kilometers","language":"en-US"},"id":"walk"}
        """
    }

    static var google: String {
        func place(_ index: Int) -> String {
            #"{"lat":\#(points[index].latitudeDegrees),"lng":\#(points[index].longitudeDegrees)}"#
        }
        func step(_ range: ClosedRange<Int>, _ html: String, _ extra: String = "") -> String {
            """
            {"distance":{"text":"0.1 km","value":115},"duration":{"text":"1 min","value":82},
            "start_location":\(place(range.lowerBound)),"end_location":\(place(range.upperBound)),
            "html_instructions":"\(html)","polyline":{"points":"\(encoded(range))"},"travel_mode":"WALKING"\(extra)}
            """
        }
        return """
            {"geocoded_waypoints":[{"geocoder_status":"OK"}],"routes":[{"bounds":{},"copyrights":"Map data","legs":[{
            "distance":{"text":"0.4 km","value":385},"duration":{"text":"4 mins","value":246},
            "end_address":"Neubrückenstraße 63, 48143 Münster","end_location":\(place(4)),"start_location":\(place(0)),
            "steps":[\(step(0...1, "Head \\u003cb\\u003enorth\\u003c/b\\u003e")),
            \(step(1...2, #"Turn <b>right</b> onto <b>Salzstr.</b>"#, #","maneuver":"turn-right""#)),
            \(step(
                2...4, #"Turn <b>left</b><div style=\"font-size:0.9em\">Fish &amp; chips on the&nbsp;left</div>"#,
                #","maneuver":"turn-left""#))]}],
            "overview_polyline":{"points":"\(encoded(0...4))"},"summary":"Salzstraße","warnings":["Walking is beta"],
            "waypoint_order":[]}],"status":"OK"}
            """
    }

    static var googleRoutes: String {
        func place(_ index: Int) -> String {
            """
            {"latLng":{"latitude":\(points[index].latitudeDegrees),"longitude":\(points[index].longitudeDegrees)}}
            """
        }
        func step(_ range: ClosedRange<Int>, _ maneuver: String, _ text: String) -> String {
            """
            {"distanceMeters":115,"staticDuration":"82s","polyline":{"encodedPolyline":"\(encoded(range))"},
            "startLocation":\(place(range.lowerBound)),"endLocation":\(place(range.upperBound)),
            "navigationInstruction":{"maneuver":"\(maneuver)","instructions":"\(text)"},"travelMode":"WALK"}
            """
        }
        return """
            {"routes":[{"legs":[{"distanceMeters":385,"duration":"246s","polyline":{"encodedPolyline":"\(encoded(0...4))"},
            "startLocation":\(place(0)),"endLocation":\(place(4)),"steps":[
            \(step(0...1, "DEPART", "Head north")),\(step(1...2, "TURN_RIGHT", "Turn right onto Salzstr.")),
            \(step(2...4, "TURN_SLIGHT_LEFT", "Slight left"))]}],"distanceMeters":385,"duration":"246.5s",
            "polyline":{"encodedPolyline":"\(encoded(0...4))"},"description":"Salzstraße"}]}
            """
    }

    static let gpx = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="planner" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
          <metadata><name>Old town</name></metadata>
          <wpt lat="51.96" lon="7.6"><name>Start</name></wpt>
          <rte><name>To the theatre</name>
            <rtept lat="51.9610" lon="7.6250"><ele>62.5</ele><geoidheight>46.5</geoidheight><name>a</name></rtept>
            <rtept lat="51.9620" lon="7.6251"><ele>62.5</ele><extensions><x:turn>right</x:turn></extensions></rtept>
            <rtept lat="51.9621" lon="7.6270"/>
            <rtept lat="51.9632" lon="7.6272"/>
            <rtept lat="51.9633" lon="7.6273"/>
          </rte>
        </gpx>
        """

    /// Each with the format it is in.
    static let all: [(format: RouteFormat, text: String)] = [
        (.osrm, osrm()), (.mapbox, mapbox), (.valhalla, valhalla()), (.google, google), (.google, googleRoutes),
        (.geojson, line(0...4)), (.gpx, gpx), (.polyline5, encodedText),
    ]

    static let encodedText = String(decoding: EncodedPolyline.encode(points, precision: .five), as: UTF8.self)
}
