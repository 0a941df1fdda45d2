import Foundation
import JSON
import WaymarkClient

/// Messages as the daemon sends them, cut to what a test is about.
enum Samples {
    static func decode<Message: JSONReadable>(_ text: String) throws -> Message {
        try Message(JSONReader.read(Array(text.utf8)))
    }

    /// A pose that knows everything, with `changes` over it; a key changed to nil is left out.
    static func pose(_ changes: [String: Any?] = [:]) throws -> Waymark.Pose {
        var object = try JSONSerialization.jsonObject(with: Data(fullPose.utf8)) as? [String: Any] ?? [:]
        for (key, value) in changes { object[key] = value }
        return try Waymark.Pose(JSONReader.read(Array(JSONSerialization.data(withJSONObject: object))))
    }

    private static let fullPose = """
        {"sequence":812,"time":{"sec":90,"nsec":250000000},"utc":"2026-05-01T10:00:00.250Z","frame":"scene",
        "generation":1,"position":{"x":12.345,"y":-0.04,"z":-45.678},"orientation":{"x":0,"y":0,"z":0,"w":1},
        "linearVelocity":{"x":0,"y":0,"z":-1.4},"angularVelocity":{"x":0,"y":0,"z":0},
        "tracking":{"orientation":"tracked","position":"inferred"},
        "geo":{"latitude":47.37654321,"longitude":8.5481234,"height":431.25},"heading":359.96,
        "headingReference":"trueNorth","course":1.2,"speed":1.4,"motion":{"mode":"foot","probability":0.974},
        "accuracy":{"horizontalAccuracy":2.14,"verticalAccuracy":3.36,"orientationYawAccuracy":4.2},
        "state":"localized","reasons":[],"sources":["inertial","magnetometer"]}
        """

    static let frame = """
        {"sequence":3,"time":{"sec":90,"nsec":0},"generation":1,
        "published":{"yaw":179,"east":0,"north":0,"up":0},"target":{"yaw":-179.5,"east":3,"north":4,"up":0},
        "slewEnd":{"sec":92,"nsec":0},
        "before":{"yaw":179,"east":0,"north":0,"up":0},"causes":[]}
        """

    static let turn = """
        {"id":"t1","kind":"turn","name":"left into Mill Lane","distance":84.26,"alongRoute":120.4,"bearing":310,"turn":-50}
        """

    static let cafe = """
        {"id":"p7","kind":"place","name":"Café\\u001b[2J","distance":12345,"bearing":92}
        """

    static let device = """
        {"name":"lsm6dsx_gyro","identifier":"iio:device1","state":"streaming","detail":"rate rounded by the driver",
        "channels":[{"name":"anglvel_x","format":"le:s16/16>>0","scale":0.000153,"offset":0}],
        "requestedRate":200,"grantedRate":208,"mountMatrix":[0,1,0,-1,0,0,0,0,1],"mountMatrixOrigin":"udev",
        "clock":"boottime","samples":41600,"gaps":2,"dropped":0,"age":0.004}
        """

    static let inverted = """
        {"name":"hub","identifier":"iio:device0","state":"streaming","channels":[],"samples":1,"gaps":0,"dropped":0,
        "axes":[{"sensor":"accelerometer","mountMatrix":[0,1,0,-1,0,0,0,0,1],"origin":"udev","sign":-1,"mirrored":false},
        {"sensor":"gyroscope","mountMatrix":[0,1,0,-1,0,0,0,0,1],"origin":"udev","sign":1,"mirrored":false}]}
        """

    static let searching = """
        {"name":"magnetometer","identifier":"","state":"searching","channels":[],"samples":0,"gaps":0,"dropped":0}
        """

    static let status = """
        {"version":"0.1.0","uptime":3725,"source":"sensors","state":"limited","reasons":["noGNSSData","tooCold"],
        "advice":["go where the sky is free","wait\\u001b[2J"],
        "sources":["inertial"],"horizontalAccuracy":12.04,"orientationYawAccuracy":8,
        "bestEstimate":{"latitude":47,"longitude":8,"horizontalAccuracy":8.2,"travel":9.3,"age":12},
        "headingReference":"magneticNorth","motion":{"mode":"vehicle","probability":0.615},
        "headingMonitor":{"correction":-3.42,"deviation":2.5,"pairs":88,"age":4.1},
        "readiness":"searching","readinessReasons":["settling"],"generation":2,"slewAngle":1.5,"slewDistance":0.7,"poses":223000,"poseRate":59.94,"clients":2,"subscriptions":1,
        "warmStart":{"used":["gyroBias","place"],"dropped":[{"part":"hardIron","reason":"contradicted"}],"age":200},
        "calibration":{"sensors":[],"residuals":[]},"devices":[\(searching)],"recording":{"path":"walk.mcap","messages":5000,"bytes":1250000,"dropped":3}}
        """
}
