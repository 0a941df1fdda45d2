/* A virtio-serial port of the guest: the way to the host. */
#ifndef PORT_H
#define PORT_H

#include <stddef.h>

/* Opens the port of this name, waiting for it; ends the program when it does not come. */
int port_open(const char *name);

/* Writes everything; ends the program when the port is gone. */
void port_write(int port, const void *data, size_t size);

/* One line without its end; ends the program when the port is gone or the line does not fit. */
void port_line(int port, char *line, size_t size);

#endif
