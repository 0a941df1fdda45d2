#pragma once
/* What Swift's Glibc module does not show: epoll, eventfd, timerfd, signalfd and their like. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
