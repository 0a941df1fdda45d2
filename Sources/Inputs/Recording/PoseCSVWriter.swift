import Documents
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
        let (pose, map) = (row.pose, row.map)
        let isOriented = pose?.orientationTracking != .invalid
        text.write("\(seconds: row.time.nanoseconds)")
        append(isOriented ? pose?.rotationENUFromBody : nil)
        append(pose?.geodetic)
        let velocity = pose?.velocityENU
        text.write(",\(velocity?.x, 6),\(velocity?.y, 6),\(velocity?.z, 6)")
        let accuracy = pose?.accuracy
        let yawAccuracy = accuracy?.yaw.map(Angle.degrees(radians:))
        text.write(",\(accuracy?.horizontal, 6),\(accuracy?.vertical, 6),\(yawAccuracy, 6)")
        let position = pose?.positionInScene
        text.write(",\(position?.x, 6),\(position?.y, 6),\(position?.z, 6)")
        append(isOriented ? pose?.rotationSceneFromBody : nil)
        append(map?.position)
        text.write(",\(map.map { Angle.degrees(radians: $0.yaw) }, 9),")
        if let motion = pose?.motion { text.append(motion.kind.message.word) }
        text.write(",\(pose?.motion?.probability, 6)\n")
        if text.count >= PoseCSVWriter.blockSize { try flush() }
    }

    /// Writes the buffered rows. Without this call, the end of the table is missing.
    public mutating func finish() throws(RecordingError) { try flush() }

    private mutating func append(_ position: GeodeticPosition?) {
        text.write(",\(position?.latitudeDegrees, 9),\(position?.longitudeDegrees, 9)")
        text.write(",\(position?.ellipsoidalHeight, 6)")
    }

    private mutating func append(_ rotation: Rotation3?) {
        text.write(",\(rotation?.w, 9),\(rotation?.x, 9),\(rotation?.y, 9),\(rotation?.z, 9)")
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
