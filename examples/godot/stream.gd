extends Reference
# A subscription over a WebSocket of `waymark serve`, which is opened again whenever it ends.

const Wire := preload("res://wire.gd")

# Where the service writes its address, with a token that is new at each start.
const ADDRESS_FILE := "/run/waymark-serve/address"
# Of `waymark serve --no-token`.
const DEFAULT_ADDRESS := "http://127.0.0.1:8765/"
# Pauses between attempts, each twice the one before. Seconds.
const SHORTEST_PAUSE := 0.5
const LONGEST_PAUSE := 8.0
# Without a message for so long, a connection is given up: scenes come once a second at least. Without a daemon the
# server closes it with the status 1013, which Godot 3 takes for an error without saying that it has ended. Seconds.
const PATIENCE := 3.0
# Of the longest message, a whole scene. KiB.
const BUFFER := 4096

# Whether messages come.
var is_open := false
# Why they do not.
var problem := "Connecting to waymark serve."

var _given_address: String
var _call: String
var _has_called := false
var _socket: WebSocketClient
var _pause := SHORTEST_PAUSE
# When to connect, or to give up. Seconds.
var _deadline := 0.0


# With an empty address that of the service is looked up at each attempt.
func _init(address: String, method: String, parameters: Dictionary) -> void:
	_given_address = address
	_call = to_json({"method": method, "parameters": parameters, "more": true})


# What has come since the last call: the parameters of each reply. To be called with each frame.
func poll() -> Array:
	var now := OS.get_ticks_msec() * 1e-3
	if _socket == null:
		if now >= _deadline:
			_connect(now)
		return []
	_socket.poll()
	var replies := []
	var status := _socket.get_connection_status()
	if status == NetworkedMultiplayerPeer.CONNECTION_CONNECTED:
		replies = _receive(now)
	if _socket != null and (status == NetworkedMultiplayerPeer.CONNECTION_DISCONNECTED or now >= _deadline):
		_end(now, _reason())
	return replies


func _connect(now: float) -> void:
	_has_called = false
	_deadline = now + PATIENCE
	_socket = WebSocketClient.new()
	_socket.set_buffers(BUFFER, 1024, 64, 16)
	var parts := _address().split("?")
	var url := parts[0].replace("http://", "ws://").trim_suffix("/") + "/varlink"
	if parts.size() > 1:
		url += "?" + parts[1]
	if _socket.connect_to_url(url, PoolStringArray(["varlink"])) != OK:
		_end(now, _reason())


func _receive(now: float) -> Array:
	var peer := _socket.get_peer(1)
	if not _has_called:
		_has_called = true
		peer.set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
		peer.put_packet(_call.to_utf8())
	var replies := []
	while peer.get_available_packet_count() > 0:
		var reply = Wire.parsed(peer.get_packet().get_string_from_utf8())
		if not reply is Dictionary:
			continue
		if reply.has("error"):
			_end(now, "The daemon refuses: %s" % reply["error"])
			return replies
		if reply.get("parameters") is Dictionary:
			is_open = true
			_pause = SHORTEST_PAUSE
			_deadline = now + PATIENCE
			replies.append(reply["parameters"])
	return replies


func _end(now: float, why: String) -> void:
	problem = why
	is_open = false
	_socket.disconnect_from_host()
	_socket = null
	# At random by a quarter, so that not all programs come back at the same moment.
	_deadline = now + _pause * rand_range(0.75, 1.25)
	_pause = min(2 * _pause, LONGEST_PAUSE)


func _reason() -> String:
	if _has_called:
		return "There is no daemon: waymark serve passes nothing on. Is waymarkd running?"
	# The token is nobody else's business.
	return "No connection to %s: is waymark serve running, and is the token that of its address?" % [
		_address().split("?")[0]]


func _address() -> String:
	if _given_address != "":
		return _given_address
	var file := File.new()
	if file.open(ADDRESS_FILE, File.READ) == OK:
		return file.get_line().strip_edges()
	return DEFAULT_ADDRESS
