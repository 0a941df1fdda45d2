// Connections to the daemon: each is a WebSocket that carries Varlink, one message a call or reply.

import {guarded} from "./server_files.js";

/** Close status of the server while the daemon is not there (RFC 6455: try again later). */
const DAEMON_AWAY = 1013;
/** Status of a connection that was closed, or refused, without any (RFC 6455). */
const ABNORMAL = 1006;
/** Status of this page's own: the server refuses the connection for want of the token. */
const UNAUTHORIZED = 4403;
/** Path and query at which the server carries the daemon's protocol. */
const SERVICE = guarded("/varlink");

/** Time until the next attempt after a connection has ended. Unit: milliseconds. */
const RETRY = 1000;

/** A WebSocket that is opened again, once a second, for as long as it is wanted. */
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

    /** Ends the connection and opens it again at once, or after the usual time. */
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

/** The replies of one method that is called with `more`. */
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

/** Calls with one reply each, one after the other on a connection of their own. */
export class Caller extends Connection {
    #waiting = [];
    #refusal = ABNORMAL;

    /** @param link Receives null while the daemon answers, else the status with which the connection was closed. */
    constructor(link) {
        super();
        this.link = link;
    }

    /** Parameters of the reply; undefined for an error, and where the connection has ended. */
    async call(method, parameters = {}) {
        const answer = await this.ask(method, parameters);
        return answer?.error ? undefined : answer?.parameters;
    }

    /** The reply, or an error with its name as `error`; undefined where the connection has ended. */
    ask(method, parameters = {}) {
        return new Promise((done) => {
            if (this.send({method, parameters})) this.#waiting.push(done);
            else done(undefined);
        });
    }

    /** Number of calls whose replies are still to come. */
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
        // Its answer counts from the next attempt on: this one may be over by then.
        if (code === ABNORMAL) isUnauthorized().then((is) => { this.#refusal = is ? UNAUTHORIZED : ABNORMAL; });
    }
}

/** A browser does not report why a WebSocket was refused, so this asks for the same by an ordinary request. */
const isUnauthorized = async () => (await fetch(SERVICE).catch(() => null))?.status === 403;

/** What is wrong with a connection that was closed, and how to fix it. */
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
