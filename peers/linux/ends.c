// The two hosts: a server with one port a flow, and a client with one connection a flow.
#define _GNU_SOURCE
#include "cell.h"
#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEGMENT 1448
#define READ (1 << 18)

struct sender { int socket; struct flow *flow; };

static int is_complete(const struct flow *flow) { return flow->steps_done == flow->steps; }

static void on(int socket, int level, int option, int value) {
    if (setsockopt(socket, level, option, &value, sizeof value)) die("setsockopt");
}

// Follows the sender of a flow until the flow is complete, then reports what it retransmitted.
static void *watch(void *argument) {
    struct sender sender = *(struct sender *)argument;
    int first = sender.flow == shared->flow, complete;
    FILE *file = first && ends.info ? fopen(ends.info, "w") : 0;
    do {
        complete = is_complete(sender.flow);
        struct tcp_info i;
        socklen_t length = sizeof i;
        memset(&i, 0, sizeof i);
        if (getsockopt(sender.socket, IPPROTO_TCP, TCP_INFO, &i, &length)) break;
        sender.flow->retransmissions = i.tcpi_total_retrans;
        if (file)
            fprintf(file, "%.4f cwnd %u ssthresh %u unacked %u rtt %u rttvar %u rto %u retrans %u state %u reordering %u\n",
                    (now() - shared->origin) / 1e9, i.tcpi_snd_cwnd, i.tcpi_snd_ssthresh, i.tcpi_unacked, i.tcpi_rtt,
                    i.tcpi_rttvar, i.tcpi_rto, i.tcpi_total_retrans, i.tcpi_ca_state, i.tcpi_reordering);
        usleep(file ? 2000 : 8000);
    } while (!complete);
    if (file) fclose(file);
    sender.flow->reported = 1;
    return 0;
}

// A thread with a small stack: a large one takes milliseconds to be locked in memory.
static void start(void *(*body)(void *), void *argument) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    if (pthread_create(&thread, &attributes, body, argument)) die("pthread_create");
}

static void watch_beside(int socket, struct flow *flow) {
    static struct sender senders[MAX_FLOWS];
    struct sender *sender = &senders[flow - shared->flow];
    *sender = (struct sender){socket, flow};
    start(watch, sender);
}

// Memory for all that a flow writes or reads at once, allocated before its clock starts.
static char *allocate(const struct flow *flow) {
    i64 most = READ;
    for (int step = 0; step < flow->steps; step++) if (flow->size[step] > most) most = flow->size[step];
    return calloc(1, most + ends.request);
}

static void send_bytes(int socket, char *bytes, i64 size, i64 at_once) {
    if (!at_once || at_once > size) at_once = size;
    while (size > 0) {
        i64 sent = write(socket, bytes, size < at_once ? size : at_once);
        if (sent <= 0) exit(3);
        size -= sent;
    }
}

// Reads a segment at a time, each in the time that its bytes take at `ends.read_rate`.
static void read_bytes(int socket, char *bytes, i64 size) {
    i64 due = 0;
    while (size > 0) {
        if (ends.read_rate > 0) {
            struct pollfd ready = {socket, POLLIN, 0};
            if (!due || !poll(&ready, 1, 0)) {
                poll(&ready, 1, -1);
                due = now();
            }
            due += (size < SEGMENT ? size : SEGMENT) * 8e9 / ends.read_rate;
            sleep_until(due);
        }
        i64 got = read(socket, bytes, ends.read_rate > 0 ? SEGMENT : READ);
        if (got <= 0) die("read");
        size -= got;
    }
}

static void complete_step(struct flow *flow) {
    flow->done[flow->steps_done] = now();
    flow->steps_done++;
}

static void *serve(void *argument) {
    struct flow *flow = argument;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    on(listener, SOL_SOCKET, SO_REUSEADDR, 1);
    if (setsockopt(listener, IPPROTO_TCP, TCP_CONGESTION, ends.control, strlen(ends.control))) die(ends.control);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8000 + (flow - shared->flow))};
    if (bind(listener, (void *)&address, sizeof address)) die("bind");
    if (ends.fast_open) on(listener, IPPROTO_TCP, TCP_FASTOPEN, 16);
    if (listen(listener, 16)) die("listen");
    char *bytes = allocate(flow);
    __sync_fetch_and_add(&shared->listening, 1);
    int connection = accept(listener, 0, 0);
    if (connection < 0) die("accept");
    if (ends.no_delay) on(connection, IPPROTO_TCP, TCP_NODELAY, 1);
    if (flow->upload) {
        read_bytes(connection, bytes, flow->size[0]);
        complete_step(flow);
    } else {
        watch_beside(connection, flow);
        for (int step = 0; step < flow->steps; step++) {
            if (recv(connection, bytes, ends.request, MSG_WAITALL) != ends.request) break;
            send_bytes(connection, bytes, flow->size[step], ends.write);
        }
    }
    pause();
    return 0;
}

static void *ask(void *argument) {
    struct flow *flow = argument;
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (setsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, ends.control, strlen(ends.control))) die(ends.control);
    if (!flow->upload) on(connection, IPPROTO_TCP, TCP_NODELAY, 1);
    if (ends.receive_buffer) on(connection, SOL_SOCKET, SO_RCVBUF, ends.receive_buffer);
    if (ends.fast_open) on(connection, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, 1);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8000 + (flow - shared->flow))};
    inet_pton(AF_INET, "10.9.0.1", &address.sin_addr);
    char *bytes = allocate(flow);
    sleep_until(shared->origin + flow->start);
    flow->begun = now();
    if (connect(connection, (void *)&address, sizeof address)) die("connect");
    flow->opened = now();
    if (flow->upload) {
        watch_beside(connection, flow);
        send_bytes(connection, bytes, flow->size[0], ends.write);
    }
    for (int step = 0; step < flow->steps && !flow->upload; step++) {
        sleep_until(now() + flow->think[step]);
        if (write(connection, bytes, ends.request) != ends.request) die("request");
        read_bytes(connection, bytes, flow->size[step]);
        complete_step(flow);
    }
    struct tcp_info i;
    socklen_t length = sizeof i;
    while (!is_complete(flow)) usleep(1000);
    if (!getsockopt(connection, IPPROTO_TCP, TCP_INFO, &i, &length)) flow->syn_data = !!(i.tcpi_options & TCPI_OPT_SYN_DATA);
    pause();
    return 0;
}

static void for_each_flow(void *(*body)(void *)) {
    for (int i = 0; i < shared->flows; i++) start(body, &shared->flow[i]);
    for (;;) pause();
}

void server(void) { for_each_flow(serve); }

void client(void) {
    while (shared->listening < shared->flows || !shared->path) usleep(1000);
    shared->origin = now() + 20000000;
    for_each_flow(ask);
}
