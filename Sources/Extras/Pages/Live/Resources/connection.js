// Connections to the daemon: each is a WebSocket that carries Varlink, one call or reply per message.

/** The server's token, as the address of the page has it. */
const TOKEN = new URLSearchParams(location.search).get("token");

/** Path and query of something that the token protects: WebSockets, tiles and pictures. */
export const guarded = (path) => TOKEN === null ? path : `${path}?token=${encodeURIComponent(TOKEN)}`;

/** Close status of the server while the daemon does not answer (RFC 6455: try again later). */
const DAEMON_AWAY = 1013;
/** Status of a connection that was closed, or refused, without a status (RFC 6455). */
const ABNORMAL = 1006;
/** This page's own status: the server refuses the connection without a token. */
const UNAUTHORIZED = 4403;
/** Path and query at which the server carries the daemon's protocol. */
const SERVICE = guarded("/varlink");

/** Time until the next attempt after a connection has ended. Unit: milliseconds. */
const RETRY = 1000;

/** A WebSocket that is reopened, once a second, as long as it is wanted. */
class Connection {
    #socket = null;
    #timer = 0;
    #isWanted = false;

    start() {
        if (this.#isWanted) return;
        this.#isWanted = true;
        this.#open();
    }

    stop() {
        this.#isWanted = false;
        clearTimeout(this.#timer);
        this.#drop();
    }

    /** Closes the connection and reopens it at once, or after the given delay. */
    restart(delay = 0) {
        if (!this.#isWanted) return;
        this.#drop();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), delay);
    }

    send(call) {
        if (this.#socket?.readyState !== WebSocket.OPEN) return false;
        this.#socket.send(JSON.stringify(call));
        return true;
    }

    #drop() {
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
        if (socket) this.closed(1000);
    }

    #open() {
        const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${SERVICE}`;
        const socket = new WebSocket(address, "varlink");
        this.#socket = socket;
        socket.onopen = () => socket === this.#socket && this.opened();
        socket.onmessage = (event) => socket === this.#socket && this.received(JSON.parse(event.data));
        socket.onclose = (event) => {
            if (socket !== this.#socket) return;
            this.#socket = null;
            this.closed(event.code);
            this.#timer = setTimeout(() => this.#open(), RETRY);
        };
    }

    opened() {}
    received() {}
    closed() {}
}

/** Replies of one method called with `more`. */
export class Stream extends Connection {
    /**
     * @param method Name with its interface.
     * @param parameters Function that returns the parameters of the next call.
     * @param handlers `reply(parameters)`, and optionally `begun()` and `failed(error, parameters)`.
     */
    constructor(method, parameters, handlers) {
        super();
        Object.assign(this, {method, parameters, handlers});
    }

    opened() {
        this.handlers.begun?.();
        this.send({method: this.method, parameters: this.parameters(), more: true});
    }

    received(message) {
        if (!message.error) return this.handlers.reply(message.parameters ?? {});
        this.handlers.failed?.(message.error, message.parameters ?? {});
        this.restart(RETRY);
    }
}

/** Calls with one reply each, one after the other on their own connection. */
export class Caller extends Connection {
    #waiting = [];
    #refusal = ABNORMAL;

    /** @param link Receives null while the daemon answers, else the status with which the connection was closed. */
    constructor(link) {
        super();
        this.link = link;
    }

    /** Parameters of the reply; undefined for an error, and if the connection has ended. */
    async call(method, parameters = {}) {
        const answer = await this.ask(method, parameters);
        return answer?.error ? undefined : answer?.parameters;
    }

    /** The reply, or an error with its name as `error`; undefined if the connection has ended. */
    ask(method, parameters = {}) {
        return new Promise((done) => {
            if (this.send({method, parameters})) this.#waiting.push(done);
            else done(undefined);
        });
    }

    /** Number of unanswered calls. */
    get pending() { return this.#waiting.length; }

    opened() { this.whenOpened?.(); }

    received(message) {
        this.link(null);
        this.#waiting.shift()?.({parameters: {}, ...message});
    }

    closed(code) {
        for (const done of this.#waiting.splice(0)) done(undefined);
        if (code === 1000) return;
        this.link(code === ABNORMAL ? this.#refusal : code);
        // The answer applies to the next attempt to connect, because this attempt may have ended before it arrives.
        if (code === ABNORMAL) isUnauthorized().then((is) => { this.#refusal = is ? UNAUTHORIZED : ABNORMAL; });
    }
}

/** Checks by an ordinary request if the token is missing: browsers do not report why a WebSocket was refused. */
const isUnauthorized = async () => (await fetch(SERVICE).catch(() => null))?.status === 403;

/** Problem of a closed connection, and its fix. */
export const remedy = (code) => {
    switch (code) {
    case DAEMON_AWAY:
        return "waymarkd is not running: start it with “sudo systemctl start waymarkd”, or as “waymarkd --demo”";
    case UNAUTHORIZED:
        return "the address of this page lacks the server's token: open the one that “waymark serve” printed, or for the "
            + "service that of “cat /run/waymark-serve/address”";
    default:
        return "the server of this page does not respond: start it again with “waymark serve”";
    }
};
