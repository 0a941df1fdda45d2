/* Sessions and the spaces made in them. */
#ifndef SESSION_H
#define SESSION_H

struct session;

/* Forgets a session, and all that was made in it. */
void session_end(struct session *session);

#endif
