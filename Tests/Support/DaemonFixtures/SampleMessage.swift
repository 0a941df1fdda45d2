/// Messages of a daemon, as JSON.
public enum SampleMessage {
    public static func pose(sequence: Int = 7) -> String {
        #"{"sequence":\#(sequence),"time":{"sec":12,"nsec":0},"utc":"2026-05-01T12:00:00Z","frame":"scene","#
            + #""generation":1,"position":{"x":1,"y":2,"z":-3},"orientation":{"x":0,"y":0,"z":0,"w":1},"#
            + #""linearVelocity":{"x":0,"y":0,"z":0},"angularVelocity":{"x":0,"y":0,"z":0},"#
            + #""tracking":{"orientation":"tracked","position":"tracked"},"#
            + #""geo":{"latitude":47.5,"longitude":8.25,"height":450},"heading":12,"headingReference":"trueNorth","#
            + #""motion":{"mode":"foot","probability":1},"accuracy":{"horizontalAccuracy":3},"state":"localized","#
            + #""reasons":[],"sources":["inertial"]}"#
    }

    public static let device =
        #"{"name":"imu","identifier":"iio:device3","state":"streaming","channels":[],"samples":10,"gaps":0,"#
        + #""dropped":0,"mountMatrix":[1,0,0,0,1,0,0,0,1]}"#

    /// - Parameter residuals: JSON of `ResidualBias`.
    public static func status(residuals: String = "") -> String {
        #"{"status":{"version":"1.0","uptime":4,"source":"sensors","state":"localized","reasons":[],"advice":[],"#
            + #""sources":[],"headingReference":"none","motion":{"mode":"rest","probability":1},"readiness":"ready","#
            + #""readinessReasons":[],"generation":1,"slewAngle":0,"slewDistance":0,"poses":12,"poseRate":60,"#
            + #""clients":1,"subscriptions":0,"warmStart":{"used":[],"dropped":[]},"#
            + #""calibration":{"sensors":[],"residuals":[\#(residuals)]},"devices":[\#(device)]}}"#
    }

    public static func route(id: String, state: String) -> String {
        #"{"route":{"id":"\#(id)","name":"Home","state":"\#(state)","length":100,"vertices":2,"turns":0},"vertices":[]}"#
    }
}
