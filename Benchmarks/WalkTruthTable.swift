import Geometry
import JSON
import Model
import Service
import Simulation

/// The built-in walk as it really is, for tests that see the daemon from outside.
enum WalkTruthTable {
    /// Rows a second.
    private static let rate = 100

    /// Writes the truth of a seed's walk to standard output: `t_s` since the walk began, `utc_s`; the place in metres
    /// east, north and up of the walk's origin, with the origin's latitude, longitude and ellipsoidal height in a line
    /// before; the rotation ENU-from-body as a quaternion; and the speed over ground.
    static func run(seed: UInt64, seconds: Int) {
        var settings = CityWalkSettings(seed: seed)
        // As the daemon begins it.
        settings.startUTCSeconds = CityWalkSettings.midday
        let start = BootTime(nanoseconds: 0)
        guard let walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025) else {
            fatalError("the magnetic model reaches the walk")
        }
        let origin = settings.origin
        var text = TextBuffer(capacity: 1 << 20)
        append([origin.latitudeDegrees, origin.longitudeDegrees, origin.ellipsoidalHeight], to: &text)
        text.append("t_s,utc_s,east,north,up,x,y,z,w,speed\n")
        for row in 0...(seconds * rate) {
            let time = BootTime(nanoseconds: Int64(row) * 1_000_000_000 / Int64(rate))
            let truth = walk.truth(at: time)
            let (place, turn, velocity) = (truth.positionENU, truth.rotationENUFromBody, truth.velocityENU)
            let elapsed = time.seconds(since: start)
            append(
                [
                    elapsed, settings.startUTCSeconds + elapsed, place.x, place.y, place.z, turn.x, turn.y, turn.z,
                    turn.w, (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot(),
                ], to: &text)
        }
        print(String(decoding: text.bytes, as: UTF8.self), terminator: "")
    }

    private static func append(_ values: [Double], to text: inout TextBuffer) {
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(",") }
            text.append(value, decimals: 7)
        }
        text.append("\n")
    }
}
