extends Spatial
# The scene, kept by its messages: a whole one first, then changes.

const Mark := preload("res://mark.gd")
const Wire := preload("res://wire.gd")

# Where labels are drawn.
var labels: Node
# Of the scene; null without one.
var generation = null
# Of the newest message. Seconds.
var time := 0.0
# Why there may be nothing to draw.
var problem := ""

# Marks by the ids of their placements.
var _marks := {}
var _label_roll := 0.0
# Of the arrows. Seconds.
var _epoch := 0.0
var _period := 0.0


# Takes a message; what is no scene, and placements that are none, are ignored.
func take(scene) -> void:
	if not scene is Dictionary or Wire.number(scene.get("generation")) == null:
		return
	if Wire.flag(scene.get("snapshot")):
		clear()
		generation = scene["generation"]
	# The first message of another generation is a snapshot.
	if scene["generation"] != generation:
		return
	var scene_time = Wire.seconds(scene.get("time"))
	time = time if scene_time == null else scene_time
	var roll = Wire.number(scene.get("labelRoll"))
	_label_roll = _label_roll if roll == null else roll
	var motion = scene.get("motion")
	if motion is Dictionary and Wire.number(motion.get("period")) != null and Wire.seconds(motion.get("epoch")) != null:
		_epoch = Wire.seconds(motion["epoch"])
		_period = motion["period"]
	for id in _list(scene, "removed"):
		_remove(id)
	for placement in _list(scene, "changed"):
		if Mark.is_placement(placement):
			_change(placement)
	problem = ""
	if Wire.text(scene.get("readiness")) in ["searching", "stuck"]:
		problem = "Not yet localized: %s." % PoolStringArray(_list(scene, "reasons")).join(", ")


func clear() -> void:
	for id in _marks.keys():
		_remove(id)
	generation = null
	problem = ""


# Draws everything around the wearer, whose camera it is; nothing without one.
func show_for(wearer: Camera) -> void:
	visible = wearer != null
	for mark in _marks.values():
		if visible:
			mark.place(wearer, _epoch, _period)
			mark.place_label(wearer, _label_roll)
		else:
			mark.label.visible = false


# For --print: what is on the display, and where.
func on_display(wearer: Camera) -> Array:
	var found := []
	var display := Rect2(Vector2.ZERO, get_viewport().size)
	for mark in _marks.values() if visible else []:
		var drawn: Vector3 = mark.global_transform.origin
		var pixel := wearer.unproject_position(drawn)
		if not wearer.is_position_behind(drawn) and display.has_point(pixel):
			found.append({
				"id": mark.id,
				"position": Wire.as_vector(mark.point),
				"pixel": {"x": pixel.x, "y": pixel.y},
			})
	return found


func _change(placement: Dictionary) -> void:
	var id: String = placement["id"]
	if not _marks.has(id):
		var mark := Mark.new()
		_marks[id] = mark
		add_child(mark)
		labels.add_child(mark.label)
	_marks[id].take(placement)


func _remove(id) -> void:
	if _marks.has(id):
		_marks[id].label.queue_free()
		_marks[id].queue_free()
		_marks.erase(id)


func _list(scene: Dictionary, name: String) -> Array:
	return scene[name] if scene.get(name) is Array else []
