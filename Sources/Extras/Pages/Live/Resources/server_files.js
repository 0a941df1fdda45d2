// Files of this page's server: they need its token, like its WebSockets.

/** The server's token, from the address of the page. */
const TOKEN = new URLSearchParams(location.search).get("token");

/** Path and query of a resource that the token protects. */
export const guarded = (path) => TOKEN === null ? path : `${path}?token=${encodeURIComponent(TOKEN)}`;
