// The parts of Linux that the Glibc module leaves out.
#ifndef PAWL_CLINUX_H
#define PAWL_CLINUX_H

// _GNU_SOURCE is left alone: with it, Glibc's own types would differ from those that other modules import.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Glibc declares these under _GNU_SOURCE only.
static inline int pawl_accept4(int socket, struct sockaddr *address, socklen_t *length, int flags) {
    extern int accept4(int, struct sockaddr *, socklen_t *, int);
    return accept4(socket, address, length, flags);
}

static inline void pawl_name_this_thread(const char *name) {
    extern unsigned long pthread_self(void);
    extern int pthread_setname_np(unsigned long, const char *);
    pthread_setname_np(pthread_self(), name);
}

// The cores that this process may run on, which may be fewer than the machine has; 1 when nobody knows.
static inline int pawl_available_cores(void) {
    extern int sched_getaffinity(int, size_t, void *);
    unsigned char mask[1024] = {0};
    int count = 0;
    if (sched_getaffinity(0, sizeof mask, mask) == 0) {
        for (size_t index = 0; index < sizeof mask; index++) count += __builtin_popcount(mask[index]);
    }
    return count > 0 ? count : 1;
}

#endif
