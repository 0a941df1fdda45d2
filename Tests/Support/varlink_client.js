// Replies of a method of a Varlink service, COUNT of them, one a line; by Node's own modules alone.
// Usage: varlink_client.js SOCKET COUNT CALL, where the call is an object of JSON
const net = require("node:net");

const [path, count, call] = process.argv.slice(2);
let left = Number(count), rest = "";
const connection = net.connect(path, () => connection.write(call + "\0"));
connection.setEncoding("utf8");
connection.on("data", (data) => {
    const messages = (rest + data).split("\0");
    rest = messages.pop();
    for (const message of messages.slice(0, left)) console.log(JSON.stringify(JSON.parse(message)));
    left -= messages.length;
    if (left <= 0) connection.destroy();
});
