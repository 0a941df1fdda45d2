extends Camera
# The wearer's eyes: the newest pose, brought to the time of the frame.

const Wire := preload("res://wire.gd")

# From the start of a frame to light on the display: to be measured with each display. The daemon predicts by it.
# Seconds.
const LATENCY := 0.025
# A pose that is older is not carried on farther. Seconds.
const LONGEST_PREDICTION := 0.1
# The offset between the clocks may shrink by this, in seconds for each second: clocks drift less.
const CLOCK_DRIFT := 1e-3

# Whether there is a pose.
var is_known := false
# Of the scene in which the pose is.
var generation := 0.0
# Seconds since the newest pose came.
var silence := 0.0
# The time of the frame on the daemon's clock. Seconds.
var time := 0.0

var _position: Vector3
var _orientation: Quat
var _velocity: Vector3
var _angular_velocity: Vector3
var _pose_time := 0.0
# The daemon's clock less that of this program. Godot cannot read CLOCK_BOOTTIME, but no pose comes before its time, and
# the one that was on its way for the shortest time says most.
var _clock_offset := 0.0
var _came_at := 0.0


# Takes a pose that came at a time of this program's clock; what is no pose is ignored.
func take(pose, now: float) -> void:
	if not pose is Dictionary:
		return
	var position = Wire.vector(pose.get("position"))
	var orientation = Wire.rotation(pose.get("orientation"))
	var velocity = Wire.vector(pose.get("linearVelocity"))
	var angular_velocity = Wire.vector(pose.get("angularVelocity"))
	var pose_time = Wire.seconds(pose.get("time"))
	var of_generation = Wire.number(pose.get("generation"))
	if null in [position, orientation, velocity, angular_velocity, pose_time, of_generation]:
		return
	var offset: float = pose_time - now
	var kept := _clock_offset - CLOCK_DRIFT * (now - _came_at)
	# A clock that was far off is another one.
	_clock_offset = max(offset, kept) if is_known and kept - offset < LONGEST_PREDICTION else offset
	_came_at = now
	_position = position
	_orientation = orientation
	_velocity = velocity
	_angular_velocity = angular_velocity
	_pose_time = pose_time
	generation = of_generation
	is_known = true


func forget() -> void:
	is_known = false


# Moves the camera to where the wearer's eyes are when the frame that begins now is on the display.
func move(now: float) -> void:
	silence = now - _came_at
	var ahead := clamp(now + _clock_offset - _pose_time, 0, LONGEST_PREDICTION)
	time = _pose_time + ahead
	var turn := _angular_velocity * ahead
	var orientation := _orientation
	if turn.length() > 0:
		# Angular velocities are in the body, so the rotation goes to the right.
		orientation = orientation * Quat(turn.normalized(), turn.length())
	transform = Transform(Basis(orientation.normalized()), _position + _velocity * ahead)


# For --print.
func as_message() -> Dictionary:
	var turn := Quat(transform.basis)
	return {
		"position": Wire.as_vector(transform.origin),
		"orientation": {"x": turn.x, "y": turn.y, "z": turn.z, "w": turn.w},
		"generation": generation,
		"poseTime": _pose_time,
		"ahead": time - _pose_time,
	}
