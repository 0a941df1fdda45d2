// Re-exported, so that a program that compares words or names methods and errors needs only one import.
@_exported import WaymarkInterface

/// Namespace of the library. Apart from `WaymarkError`, the library's types are named within it, so that a program can
/// use names such as `Pose`, `Scene` and `Status` for types of its own.
///
/// The types are generated from the interface files, in the module `WaymarkInterface`. Its enumerations contain the
/// other generated types: `PoseInterface`, `SceneInterface`, `StatusInterface`, `RecordingInterface`,
/// `CalibrationInterface`, `AidInterface`, `PlanInterface` and `TerrainInterface`.
public enum Waymark {
    // MARK: poses

    /// Pose of the board at one time, in the scene and on the earth.
    public typealias Pose = PoseInterface.Pose
    /// Time on CLOCK_BOOTTIME, or on the clock that is named beside it.
    public typealias Time = PoseInterface.Time
    /// Clock of the computer that runs the daemon.
    public typealias Clock = PoseInterface.Clock
    /// Components along the three axes of a frame, which the description of the field names.
    public typealias Vector = PoseInterface.Vector
    /// Rotation of unit length.
    public typealias Quaternion = PoseInterface.Quaternion
    /// Position on the earth with a height above the WGS84 ellipsoid. Units: degrees, metres.
    public typealias Geo = PoseInterface.Geo
    /// State of localization.
    public typealias LocalizationState = PoseInterface.LocalizationState
    /// Reason why the state of localization is not better.
    public typealias Reason = PoseInterface.Reason
    /// Reference direction of a heading.
    public typealias HeadingReference = PoseInterface.HeadingReference
    /// The wearer's kind of motion.
    public typealias Motion = PoseInterface.Motion

    // MARK: the scene frame

    /// Scene frame relative to the earth.
    public typealias Frame = PoseInterface.Frame
    /// Transform from the earth to the scene.
    public typealias Alignment = PoseInterface.Alignment
    /// Cause of a correction of the scene frame.
    public typealias FrameCause = PoseInterface.FrameCause
    /// Correction of the scene frame, and its causes.
    public typealias Correction = SceneInterface.Correction
    /// Floor plan and level on which the wearer is tracked.
    public typealias PlanUse = SceneInterface.PlanUse
    /// Position determined by a client, compared with the pose at the same time.
    public typealias Estimate = SceneInterface.Estimate

    // MARK: the scene

    /// Scene, or its changes.
    public typealias Scene = SceneInterface.Scene
    /// One object to draw.
    public typealias Placement = SceneInterface.Placement
    /// Event of the scene.
    public typealias Event = SceneInterface.Event
    /// Sun at the wearer's place.
    public typealias Sun = SceneInterface.Sun
    /// Display for which `visible` and `hint` of placements are computed.
    public typealias Camera = SceneInterface.Camera
    /// Radar around the wearer.
    public typealias RadarView = SceneInterface.RadarView
    /// Size of labels as the client draws them.
    public typealias LabelSize = SceneInterface.LabelSize
    /// Size of the texts of hints.
    public typealias HintTextSize = SceneInterface.HintTextSize
    /// Content placed by a client.
    public typealias Anchor = SceneInterface.Anchor
    /// Object ahead of the wearer.
    public typealias Item = SceneInterface.Item

    // MARK: places and routes

    /// Location on the earth with an optional height. Units: degrees, metres.
    public typealias Location = SceneInterface.Location
    /// Place that the daemon has stored.
    public typealias Place = SceneInterface.Place
    /// Details of a place, with the same names for all sources.
    public typealias PlaceDetails = SceneInterface.Details
    /// Filter for the shown places.
    public typealias PlaceFilter = SceneInterface.Filter
    /// Progress of an import, or its result.
    public typealias PlaceImport = SceneInterface.ImportPlaces.Reply
    /// Format of exported places.
    public typealias PlaceFormat = SceneInterface.PlaceFormat
    /// Route and the wearer's progress on it.
    public typealias Route = SceneInterface.Route
    /// Vertex of a route. Unit: degrees.
    public typealias RouteVertex = SceneInterface.RouteVertex
    /// Format of a route's document.
    public typealias RouteFormat = SceneInterface.RouteFormat
    /// Format of a route's document, and id and name of the route.
    public typealias RouteRequest = SceneInterface.SetRoute
    /// Destination of a route, and the service that found it.
    public typealias Destination = SceneInterface.Destination
    /// Destination for which a route is requested.
    public typealias DestinationRequest = SceneInterface.NavigateTo
    /// Request for a route to a navigator.
    public typealias NavigationRequest = SceneInterface.NavigationRequest

    // MARK: floor plans

    /// Stored floor plan, without its drawing.
    public typealias Plan = PlanInterface.Plan
    /// Lines of one level of a floor plan around a location.
    public typealias PlanLines = PlanInterface.GetLines.Reply

    // MARK: terrain

    /// Stored terrain tile, without its heights.
    public typealias TerrainTile = TerrainInterface.Tile

    /// Stored terrain and buildings.
    public typealias StoredHeights = TerrainInterface.List.Reply
    /// Heights of the ground and of the roof at a location.
    public typealias HeightsThere = TerrainInterface.GetHeight.Reply
    /// Numbers of buildings stored and skipped by an import.
    public typealias BuildingsImport = TerrainInterface.ImportBuildings.Reply
    /// Numbers of removed tiles and buildings.
    public typealias HeightsRemoval = TerrainInterface.Remove.Reply

    // MARK: status

    /// Health of the daemon and its sensors.
    public typealias Status = StatusInterface.Status
    /// Sensor device.
    public typealias Device = StatusInterface.Device
    /// Current recording, or the final state of a recording that has ended.
    public typealias Recording = StatusInterface.Recording
    /// State of the calibration of the sensors.
    public typealias CalibrationStatus = StatusInterface.Calibration

    // MARK: measurements of other programs

    /// Kind of measurement that a source offers.
    public typealias AidKind = AidInterface.AidKind
    /// Position and orientation of a sensor on the board.
    public typealias AidMount = AidInterface.AidMount
    /// Open source of measurements, with the numbers of its offers.
    public typealias AidSource = AidInterface.AidSource

    // MARK: calibration

    /// Kind of calibration.
    public typealias CalibrationKind = StatusInterface.CalibrationKind
    /// Progress of a calibration.
    public typealias CalibrationProgress = CalibrationInterface.Progress
    /// Result of a calibration.
    public typealias CalibrationResult = CalibrationInterface.Result
    /// Parameters of a sensor, or their standard deviations.
    public typealias CalibrationParameters = CalibrationInterface.Parameters
    /// Stored calibration of one sensor.
    public typealias CalibrationEntry = CalibrationInterface.Entry
    /// Noise of one axis of a sensor.
    public typealias AxisNoise = CalibrationInterface.AxisNoise
}
