// Exported, so that one import suffices to compare words and to name methods and errors of the interfaces.
@_exported import WaymarkInterface

/// Namespace of the library: a program that imports it gets this name and `WaymarkError`, and keeps `Pose`, `Scene` and
/// `Status` for types of its own.
///
/// The types are those of the interface files, generated in the module `WaymarkInterface`, whose enumerations hold the
/// rest: `PoseInterface`, `SceneInterface`, `StatusInterface`, `RecordingInterface`, `CalibrationInterface`,
/// `AidInterface`, `PlanInterface` and `TerrainInterface`.
public enum Waymark {
    // MARK: poses

    /// Pose of the board at one moment, in the scene and on the earth.
    public typealias Pose = PoseInterface.Pose
    /// Moment of CLOCK_BOOTTIME, or of the clock that is named beside it.
    public typealias Time = PoseInterface.Time
    /// Clock of the computer that runs the daemon.
    public typealias Clock = PoseInterface.Clock
    /// Three components along the axes of the frame that the field names.
    public typealias Vector = PoseInterface.Vector
    /// Rotation of unit length.
    public typealias Quaternion = PoseInterface.Quaternion
    /// Position on the earth with a height above the WGS84 ellipsoid. Units: degrees, metres.
    public typealias Geo = PoseInterface.Geo
    /// State of localization.
    public typealias LocalizationState = PoseInterface.LocalizationState
    /// Why the state of localization is not better.
    public typealias Reason = PoseInterface.Reason
    /// Direction that a heading counts from.
    public typealias HeadingReference = PoseInterface.HeadingReference
    /// How the wearer moves about.
    public typealias Motion = PoseInterface.Motion

    // MARK: the scene frame

    /// Scene frame relative to the earth.
    public typealias Frame = PoseInterface.Frame
    /// Transform scene from earth.
    public typealias Alignment = PoseInterface.Alignment
    /// Cause of a correction of the scene frame.
    public typealias FrameCause = PoseInterface.FrameCause
    /// Correction of the scene frame, and its causes.
    public typealias Correction = SceneInterface.Correction
    /// Floor plan and level on which the wearer is followed.
    public typealias PlanUse = SceneInterface.PlanUse
    /// Position that a client has determined itself, compared with the pose of the same moment.
    public typealias Estimate = SceneInterface.Estimate

    // MARK: the scene

    /// Scene, or what has changed of it.
    public typealias Scene = SceneInterface.Scene
    /// One thing to draw.
    public typealias Placement = SceneInterface.Placement
    /// Event of the scene.
    public typealias Event = SceneInterface.Event
    /// Sun at the wearer's place.
    public typealias Sun = SceneInterface.Sun
    /// Display that `visible` and `hint` of placements are computed for.
    public typealias Camera = SceneInterface.Camera
    /// Radar around the wearer.
    public typealias RadarView = SceneInterface.RadarView
    /// Size of labels as the client draws them.
    public typealias LabelSize = SceneInterface.LabelSize
    /// Size of the texts of hints.
    public typealias HintTextSize = SceneInterface.HintTextSize
    /// Content that a client places.
    public typealias Anchor = SceneInterface.Anchor
    /// Something ahead of the wearer.
    public typealias Item = SceneInterface.Item

    // MARK: places and routes

    /// Location on the earth with a height that may be missing. Units: degrees, metres.
    public typealias Location = SceneInterface.Location
    /// Place that the daemon has stored.
    public typealias Place = SceneInterface.Place
    /// Details of a place, under the same names whatever its source calls them.
    public typealias PlaceDetails = SceneInterface.Details
    /// Filter for the places that are shown.
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
    /// How the document of a route is to be read, and what the route is to be called.
    public typealias RouteRequest = SceneInterface.SetRoute
    /// Where a route leads, and what found it.
    public typealias Destination = SceneInterface.Destination
    /// Destination that a route is asked for by.
    public typealias DestinationRequest = SceneInterface.NavigateTo
    /// Route that a navigator is to find.
    public typealias NavigationRequest = SceneInterface.NavigationRequest

    // MARK: floor plans

    /// Stored floor plan, without what is drawn on it.
    public typealias Plan = PlanInterface.Plan
    /// Lines of one level of a floor plan around a location.
    public typealias PlanLines = PlanInterface.GetLines.Reply

    // MARK: terrain

    /// Stored tile of heights of the ground, without the heights.
    public typealias TerrainTile = TerrainInterface.Tile

    /// What is stored of terrain and buildings.
    public typealias StoredHeights = TerrainInterface.List.Reply
    /// Heights of the ground and of the roof at a location.
    public typealias HeightsThere = TerrainInterface.GetHeight.Reply
    /// Numbers of buildings stored and left out by an import.
    public typealias BuildingsImport = TerrainInterface.ImportBuildings.Reply
    /// Numbers of tiles and buildings removed.
    public typealias HeightsRemoval = TerrainInterface.Remove.Reply

    // MARK: status

    /// Health of the daemon and its sensors.
    public typealias Status = StatusInterface.Status
    /// Sensor device.
    public typealias Device = StatusInterface.Device
    /// Recording in progress, or as it was when it ended.
    public typealias Recording = StatusInterface.Recording
    /// State of the calibration of the sensors.
    public typealias CalibrationStatus = StatusInterface.Calibration

    // MARK: measurements of other programs

    /// Kind of measurement that a source offers.
    public typealias AidKind = AidInterface.AidKind
    /// Where a sensor is mounted on the board, and how.
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
