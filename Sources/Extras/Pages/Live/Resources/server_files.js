// Files of the server of this page: they need its token, as its WebSockets do.

/** The server's token, as the address of the page has it. */
const TOKEN = new URLSearchParams(location.search).get("token");

/** Path and query of something that the token protects. */
export const guarded = (path) => TOKEN === null ? path : `${path}?token=${encodeURIComponent(TOKEN)}`;
