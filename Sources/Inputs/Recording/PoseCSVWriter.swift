import Geometry
import JSON
import Linux
import Messages
import Model
import WaymarkInterface

/// Writes poses as a table: one row for each instant, with empty cells for unknown values.
///
/// The quaternion rotates body vectors to ENU; accuracies are 68 % values. Equal poses give equal bytes.
public struct PoseCSVWriter: ~Copyable {
    /// First line of the table: the names of the columns, with units.
    public static let header: StaticString = """
        t_s,qw,qx,qy,qz,lat_deg,lon_deg,height_m,ve_mps,vn_mps,vu_mps,hacc_m,vacc_m,yaw_acc_deg,\
        scene_x_m,scene_y_m,scene_z_m,scene_qw,scene_qx,scene_qy,scene_qz,\
        map_lat_deg,map_lon_deg,map_height_m,map_yaw_deg,motion,motion_probability

        """
    private static let blockSize = 256 * 1024

    private let path: String
    private let file: File
    private var text = TextBuffer(capacity: PoseCSVWriter.blockSize + 1024)

    /// Writes to `file`; `path` names it in errors.
    public init(path: String, file: consuming File) {
        self.path = path
        self.file = file
        text.append(PoseCSVWriter.header)
    }

    /// Writes the known values of a row.
    public mutating func write(_ row: ReplayRow) throws(RecordingError) {
        text.append(seconds: row.time.nanoseconds)
        if let pose = row.pose { append(pose) } else { text.append(",,,,,,,,,,,,,,,,,,,,") }
        append(row.map)
        append(row.pose?.motion)
        text.append(UInt8(ascii: "\n"))
        if text.count >= PoseCSVWriter.blockSize { try flush() }
    }

    /// Writes the buffered rows, without which the end of the table would be missing.
    public mutating func finish() throws(RecordingError) { try flush() }

    private mutating func append(_ pose: PoseEstimate) {
        let oriented = pose.orientationTracking != .invalid
        append(oriented ? pose.rotationENUFromBody : nil)
        append(pose.geodetic)
        append(pose.velocityENU?.x, decimals: 6)
        append(pose.velocityENU?.y, decimals: 6)
        append(pose.velocityENU?.z, decimals: 6)
        append(pose.accuracy.horizontal, decimals: 6)
        append(pose.accuracy.vertical, decimals: 6)
        append(pose.accuracy.yaw.map(Angle.degrees(radians:)), decimals: 6)
        append(pose.positionInScene.x, decimals: 6)
        append(pose.positionInScene.y, decimals: 6)
        append(pose.positionInScene.z, decimals: 6)
        append(oriented ? pose.rotationSceneFromBody : nil)
    }

    private mutating func append(_ map: MapPose?) {
        append(map?.position)
        append(map.map { Angle.degrees(radians: $0.yaw) }, decimals: 9)
    }

    private mutating func append(_ motion: MotionEstimate?) {
        text.append(UInt8(ascii: ","))
        if let motion { text.append(motion.kind.message.word) }
        append(motion?.probability, decimals: 6)
    }

    private mutating func append(_ position: GeodeticPosition?) {
        append(position?.latitudeDegrees, decimals: 9)
        append(position?.longitudeDegrees, decimals: 9)
        append(position?.ellipsoidalHeight, decimals: 6)
    }

    private mutating func append(_ rotation: Rotation3?) {
        append(rotation?.w, decimals: 9)
        append(rotation?.x, decimals: 9)
        append(rotation?.y, decimals: 9)
        append(rotation?.z, decimals: 9)
    }

    private mutating func append(_ value: Double?, decimals: Int) {
        text.append(UInt8(ascii: ","))
        if let value { text.append(value, decimals: decimals) }
    }

    private mutating func flush() throws(RecordingError) {
        do throws(FileError) {
            try file.write(text.bytes)
        } catch {
            throw .cannotWrite(path: path, reason: error.description)
        }
        text.removeAll()
    }
}
