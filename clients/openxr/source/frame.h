/* Frames: what is drawn in the scene goes to the runtime in its own space. */
#ifndef FRAME_H
#define FRAME_H

struct session;

/* Frees what the frames of a session have needed. */
void frame_end(struct session *session);

#endif
