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

static void watch_beside(int socket, struct flow *flow) {
    static struct sender senders[MAX_FLOWS];
    struct sender *sender = &senders[flow - shared->flow];
    *sender = (struct sender){socket, flow};
    pthread_t thread;
    pthread_create(&thread, 0, watch, sender);
}

static void send_bytes(int socket, i64 size, i64 at_once) {
    if (!at_once || at_once > size) at_once = size;
    char *bytes = calloc(1, at_once);
    while (size > 0) {
        i64 sent = write(socket, bytes, size < at_once ? size : at_once);
        if (sent <= 0) exit(3);
        size -= sent;
    }
    free(bytes);
}

// Reads a segment at a time, each in the time that its bytes take at `ends.read_rate`.
static void read_bytes(int socket, i64 size) {
    char *bytes = malloc(1 << 18);
    i64 due = 0;
    while (size > 0) {
        if (ends.read_rate > 0) {
            struct pollfd ready = {socket, POLLIN, 0};
            poll(&ready, 1, -1);
            i64 from = now();
            i64 most = size < SEGMENT ? size : SEGMENT;
            due = (due > from ? due : from) + (i64)(most * 8e9 / ends.read_rate);
            sleep_until(due);
        }
        i64 got = read(socket, bytes, ends.read_rate > 0 ? SEGMENT : 1 << 18);
        if (got <= 0) die("read");
        size -= got;
    }
    free(bytes);
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
    __sync_fetch_and_add(&shared->listening, 1);
    int connection = accept(listener, 0, 0);
    if (connection < 0) die("accept");
    if (ends.no_delay) on(connection, IPPROTO_TCP, TCP_NODELAY, 1);
    if (flow->upload) {
        read_bytes(connection, flow->size[0]);
        complete_step(flow);
    } else {
        watch_beside(connection, flow);
        char *request = malloc(ends.request);
        for (int step = 0; step < flow->steps; step++) {
            if (recv(connection, request, ends.request, MSG_WAITALL) != ends.request) break;
            send_bytes(connection, flow->size[step], ends.write);
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
    sleep_until(shared->origin + flow->start);
    flow->begun = now();
    if (connect(connection, (void *)&address, sizeof address)) die("connect");
    flow->opened = now();
    if (flow->upload) {
        watch_beside(connection, flow);
        send_bytes(connection, flow->size[0], ends.write);
    }
    char *request = calloc(1, ends.request);
    for (int step = 0; step < flow->steps && !flow->upload; step++) {
        sleep_until(now() + flow->think[step]);
        if (write(connection, request, ends.request) != ends.request) die("request");
        read_bytes(connection, flow->size[step]);
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
    pthread_t thread;
    for (int i = 0; i < shared->flows; i++) pthread_create(&thread, 0, body, &shared->flow[i]);
    for (;;) pause();
}

void server(void) { for_each_flow(serve); }

void client(void) {
    while (shared->listening < shared->flows || !shared->path) usleep(1000);
    shared->origin = now() + 2000000;
    for_each_flow(ask);
}
