extends MeshInstance
# A placement: its mark in the scene and its label on the display. The equations are those of docs/placements.md.

const Wire := preload("res://wire.gd")

const COLORS := {
	"place": Color(0.3, 0.8, 1),
	"cluster": Color(0.6, 0.6, 1),
	"route": Color(1, 0.8, 0.2),
	"arrow": Color(0.2, 1, 0.4),
	"node": Color(0.2, 1, 0.4),
	"start": Color(0.2, 1, 0.4),
	"turn": Color(1, 0.8, 0.2),
	"destination": Color(1, 0.3, 0.3),
	"anchor": Color(1, 0.5, 1),
}
# Of what lies behind a hill or a house.
const OCCLUDED_OPACITY := 0.35
# The font's pixels get too coarse beyond this.
const LARGEST_TEXT := 2.0

var id := ""
# Where it is: in the scene, of arrows at this moment; in the body of what is locked to the head.
var point := Vector3()
var label := Label.new()

var _placement := {}
var _at_head := false
# Points of an arrow's path: share of the period, position, course.
var _path := []
var _material := SpatialMaterial.new()


# Whether a message's value has what is needed to draw it.
static func is_placement(value) -> bool:
	return (
		value is Dictionary and value.get("id") is String and value.get("kind") is String
		and Wire.vector(value.get("position")) != null and Wire.numbers(value, ["displayDistance", "distance"]) != null
		and Wire.numbers(value.get("size"), ["angle"]) != null)


func _init() -> void:
	_material.flags_unshaded = true
	_material.flags_transparent = true
	material_override = _material


func take(placement: Dictionary) -> void:
	if placement["kind"] != _placement.get("kind"):
		mesh = _mesh_of(placement["kind"])
	_placement = placement
	id = placement["id"]
	point = Wire.vector(placement["position"])
	_at_head = Wire.text(placement.get("lock")) == "head"
	_path = []
	for step in placement["path"] if placement.get("path") is Array else []:
		var numbers = Wire.numbers(step, ["share", "course"])
		var where = Wire.vector(step.get("position")) if numbers != null else null
		if where != null:
			_path.append({"share": numbers[0], "position": where, "course": numbers[1]})
	var words := PoolStringArray([Wire.text(placement.get("name")), Wire.text(placement.get("distanceText"))])
	label.text = words.join("  ").strip_edges()


# Puts the mark where it is seen by the wearer; period and epoch are those of the arrows' motion.
func place(wearer: Camera, epoch: float, period: float) -> void:
	var eye := wearer.transform
	var course = Wire.number(_placement.get("course"))
	if _path.size() > 1 and period > 0:
		var phase: float = fposmod(wearer.time - epoch, period) / period
		course = _move_along_path(phase)
	var where: Vector3 = eye.xform(point) if _at_head else point
	var offset := where - eye.origin
	var distance: float = max(offset.length(), 0.01)
	var drawn_distance := distance
	if not _at_head and not _placement["kind"] in ["arrow", "node"]:
		# Far things are drawn nearby, in their direction.
		drawn_distance = min(distance, max(_placement["displayDistance"], 0.1))
	var half_size: float = drawn_distance * tan(deg2rad(_placement["size"]["angle"]) / 2)
	if Wire.text(_placement["size"].get("policy")) == "metric":
		# The angle is that at the distance of the message, and the width stays.
		half_size *= _placement["distance"] / distance
	var opacity: float = OCCLUDED_OPACITY if Wire.flag(_placement.get("occluded")) else 1.0
	var pulse = Wire.numbers(_placement.get("pulse"), ["period", "opacity", "scale"])
	if pulse != null and pulse[0] > 0:
		var start = Wire.seconds(_placement["pulse"].get("epoch"))
		var phase: float = fposmod(wearer.time - (0.0 if start == null else start), pulse[0]) / pulse[0]
		var wave := pow(sin(PI * phase), 2)
		opacity *= 1 + wave * (pulse[1] - 1)
		half_size *= 1 + wave * (pulse[2] - 1)
	_material.albedo_color = COLORS.get(_placement["kind"], Color.white)
	_material.albedo_color.a = opacity
	var turned: Basis = Basis(Vector3.UP, deg2rad(0.0 if course == null else course))
	if _placement["kind"] == "arrow":
		# The prism's tip is up, an arrow's to the north.
		turned = turned * Basis(Vector3.RIGHT, -PI / 2)
	transform = Transform(
		turned.scaled(Vector3.ONE * max(half_size, 1e-4)), eye.origin + offset * (drawn_distance / distance))


# Writes the label into its slot, in which nothing else is drawn; without a slot there is no room for one.
func place_label(wearer: Camera, roll: float) -> void:
	var slot = Wire.numbers(_placement.get("slot"), ["elevation", "width", "height"])
	label.visible = slot != null and label.text != ""
	if not label.visible:
		return
	var eye := wearer.global_transform.origin
	var seen := transform.origin
	var azimuth := atan2(seen.x - eye.x, eye.z - seen.z)
	var elevation := deg2rad(slot[0])
	var middle := eye + Vector3(
		cos(elevation) * sin(azimuth), sin(elevation), -cos(elevation) * cos(azimuth))
	label.visible = not wearer.is_position_behind(middle)
	var focal := wearer.get_viewport().size.x / 2 / tan(deg2rad(wearer.fov) / 2)
	var room := Vector2(tan(deg2rad(slot[1]) / 2), tan(deg2rad(slot[2]) / 2)) * 2 * focal
	var size := label.get_minimum_size()
	label.rect_size = size
	label.rect_pivot_offset = size / 2
	label.rect_position = wearer.unproject_position(middle) - size / 2
	# The display's y goes down, so that its angles are clockwise.
	label.rect_rotation = -roll
	label.rect_scale = Vector2.ONE * min(LARGEST_TEXT, min(room.x / size.x, room.y / size.y))


# Moves an arrow to where it is at a share of the period; returns its course there.
func _move_along_path(phase: float) -> float:
	var after := 1
	while after < _path.size() - 1 and _path[after]["share"] < phase:
		after += 1
	var a: Dictionary = _path[after - 1]
	var b: Dictionary = _path[after]
	var share := clamp((phase - a["share"]) / max(b["share"] - a["share"], 1e-9), 0, 1)
	point = a["position"].linear_interpolate(b["position"], share)
	return rad2deg(lerp_angle(deg2rad(a["course"]), deg2rad(b["course"]), share))


# From -1 to 1, to be scaled by half of the size.
func _mesh_of(kind: String) -> Mesh:
	if kind == "arrow":
		var prism := PrismMesh.new()
		prism.size = Vector3(1.4, 2, 0.1)
		return prism
	if kind == "node":
		var disc := CylinderMesh.new()
		disc.height = 0.05
		return disc
	return SphereMesh.new()
