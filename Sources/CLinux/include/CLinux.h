#pragma once
/* What Swift's Glibc module does not show: epoll, eventfd, timerfd, signalfd and their like. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

/* Names the calling thread, as ps -L shows it; at most 15 bytes are kept. */
void waymark_name_thread(const char *name);
