extends Spatial
# Draws what Waymark places around the wearer, as the wearer sees it.
#
# The axes of the scene (X east, Y up, Z south) and of the body (x right, y up, z towards the wearer) are those of
# Godot's world and of its camera, so that poses and positions are used as they come.

const Stream := preload("res://stream.gd")

# Poses are worth little without the next ones. Seconds.
const LONGEST_SILENCE := 1.0

var _poses: Stream
var _scenes: Stream
# Lines that --print has still to print; -1 without that option.
var _lines := -1

onready var _wearer := $Wearer
onready var _placements := $Placements
onready var _message := $Notes/Message


func _ready() -> void:
	randomize()
	var address := _option("--address")
	var display := get_viewport().size
	var eye := {"horizontalFieldOfView": _wearer.fov, "aspect": display.x / display.y}
	# Far more poses than frames: the newest one is then hardly older than the frame.
	_poses = Stream.new(
		address, "org.waymark.Pose.Subscribe", {"rate": 200, "predictAhead": _wearer.LATENCY})
	# Hints and events are not drawn here.
	_scenes = Stream.new(
		address, "org.waymark.Scene.Subscribe", {"rate": 30, "camera": eye, "hints": 0, "events": false})
	_placements.labels = $Labels
	if _option("--print") != "":
		_lines = int(_option("--print"))
		# Without a display nothing else paces the frames.
		Engine.target_fps = 60
		var timer := Timer.new()
		add_child(timer)
		timer.connect("timeout", self, "_print_line")
		timer.start(1)


func _process(_delta: float) -> void:
	var now := OS.get_ticks_usec() * 1e-6
	for reply in _poses.poll():
		_wearer.take(reply.get("pose"), now)
	for reply in _scenes.poll():
		_placements.take(reply.get("scene"))
	# The daemon that comes back may be another one, with another scene.
	if not _poses.is_open:
		_wearer.forget()
	if not _scenes.is_open:
		_placements.clear()
	_wearer.move(now)
	# Positions in one generation of the scene say nothing about another. Poses and scenes come separately, so that one
	# may be ahead of the other.
	var fits: bool = _wearer.is_known and _wearer.generation == _placements.generation
	_placements.show_for(_wearer if fits and _wearer.silence < LONGEST_SILENCE else null)
	_message.text = _problem()


# What keeps content from being drawn; empty when all is well.
func _problem() -> String:
	for stream in [_poses, _scenes]:
		if not stream.is_open:
			return stream.problem
	if not _wearer.is_known or _placements.generation == null:
		return "Waiting for the daemon's first pose and scene."
	if _wearer.silence >= LONGEST_SILENCE:
		return "The daemon sends no poses."
	return _placements.problem


func _print_line() -> void:
	var line := {
		"message": _message.text, "sceneTime": _placements.time, "placements": _placements.on_display(_wearer)}
	if _wearer.is_known:
		line["camera"] = _wearer.as_message()
	print(to_json(line))
	_lines -= 1
	if _lines <= 0:
		get_tree().quit()


# The value of an option of the command line; empty without it.
func _option(name: String) -> String:
	var words := OS.get_cmdline_args()
	# Godot 3.6 keeps what stands behind `--` apart.
	if OS.has_method("get_cmdline_user_args"):
		words.append_array(OS.call("get_cmdline_user_args"))
	for index in words.size() - 1:
		if words[index] == name:
			return words[index + 1]
	return ""
