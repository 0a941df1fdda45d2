extends Reference
# Values of messages, checked: null for what is missing or not as the protocol has it.

# Beyond what any field holds; also refuses what is not finite.
const LARGEST := 1e12


static func parsed(text: String):
	var result := JSON.parse(text)
	return result.result if result.error == OK else null


static func number(value):
	return value if typeof(value) == TYPE_REAL and abs(value) < LARGEST else null


static func flag(value) -> bool:
	return value is bool and value


static func text(value) -> String:
	return value if value is String else ""


# The fields of these names, in this order, where all of them are numbers.
static func numbers(value, names: Array):
	if not value is Dictionary:
		return null
	var found := []
	for name in names:
		var field = number(value.get(name))
		if field == null:
			return null
		found.append(field)
	return found


static func vector(value):
	var fields = numbers(value, ["x", "y", "z"])
	return null if fields == null else Vector3(fields[0], fields[1], fields[2])


static func rotation(value):
	var fields = numbers(value, ["x", "y", "z", "w"])
	if fields == null:
		return null
	var quaternion := Quat(fields[0], fields[1], fields[2], fields[3])
	# A message has nine decimals, Godot wants a length of one.
	return quaternion.normalized() if abs(quaternion.length() - 1) < 0.01 else null


# Seconds of CLOCK_BOOTTIME: as a float of 64 bits they are exact to a microsecond for a century.
static func seconds(value):
	var fields = numbers(value, ["sec", "nsec"])
	return null if fields == null else fields[0] + fields[1] * 1e-9


static func as_vector(vector: Vector3) -> Dictionary:
	return {"x": vector.x, "y": vector.y, "z": vector.z}
