import Foundation
import Geometry

/// Documents of plans, and a folder for them.
enum SamplePlan {
    /// A corridor of 0.001° by 0.0001° with a wall and a door, whose south-western corner is given.
    static func document(latitude: Double = 47, longitude: Double = 8, name: String = "Hall") -> [UInt8] {
        func feature(_ kind: String, _ level: String, _ geometry: String, _ coordinates: String) -> String {
            """
            {"type":"Feature","properties":{"kind":"\(kind)","level":"\(level)"},
             "geometry":{"type":"\(geometry)","coordinates":\(coordinates)}}
            """
        }
        func point(_ east: Double, _ north: Double) -> String {
            let far = longitude + east
            return "[\(far > 180 ? far - 360 : far),\(latitude + north)]"
        }
        let corners = [point(0, 0), point(0.001, 0), point(0.001, 0.0001), point(0, 0.0001), point(0, 0)]
        let features = [
            feature("floor", "0", "Polygon", "[[\(corners.joined(separator: ","))]]"),
            feature("wall", "1", "LineString", "[\(point(0, 0)),\(point(0.001, 0.0001))]"),
            feature("door", "1", "Point", point(0.0005, 0.00005)),
        ]
        return Array(
            #"{"type":"FeatureCollection","name":"\#(name)","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    static func position(_ latitude: Double, _ longitude: Double) -> GeodeticPosition {
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)!
    }

    /// Path of a folder that does not exist yet, in one that does.
    static func folder() throws -> String {
        let parent = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        return parent.path + "/plans"
    }

    static func clean(_ folder: String) {
        try? FileManager.default.removeItem(at: URL(filePath: folder).deletingLastPathComponent())
    }
}
