// One direction of the path: losses, a queue, a link whose rate may change, a propagation delay.
//
// The queue is a FIFO with a limit in bytes. The packet under transmission does not count, and a packet that does
// not fit as a whole is dropped. Packets start at the times of the model, not at the times at which this process
// runs, so only the release of a packet can be late.
//
// A lost packet uses the link; a packet that arrives in an outage does not.
#include "cell.h"
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODEL_TARGET 5000000LL
#define CODEL_INTERVAL 100000000LL

static FILE *capture;

static uint64_t mix(uint64_t z) { // splitmix64
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static int chance(uint64_t seed, uint64_t number, double probability) {
    return probability > 0 && (mix(seed * 1000003ULL + number) >> 11) * (1.0 / 9007199254740992.0) < probability;
}

static int payload(const unsigned char *ip, int length) {
    int header = (ip[0] & 15) * 4;
    return ip[9] == IPPROTO_TCP ? length - header - (ip[header + 12] >> 4) * 4 : 0;
}

static void push(struct fifo *fifo, struct packet *packet) {
    packet->next = 0;
    if (fifo->first) fifo->last->next = packet; else fifo->first = packet;
    fifo->last = packet;
    fifo->bytes += packet->length;
}

static struct packet *pop(struct fifo *fifo) {
    struct packet *packet = fifo->first;
    if (packet) {
        fifo->first = packet->next;
        fifo->bytes -= packet->length;
    }
    return packet;
}

static void discard(struct packet *packet) {
    free(packet->data);
    free(packet);
}

// Sets CE if the packet is ECT; RFC 1624 for the checksum of the IP header.
static int set_ce(struct packet *packet) {
    unsigned char *p = packet->data;
    if (!(p[1] & 3) || (p[1] & 3) == 3) return (p[1] & 3) == 3;
    uint16_t old = (p[0] << 8) | p[1];
    p[1] |= 3;
    uint16_t new = (p[0] << 8) | p[1];
    uint32_t sum = (uint16_t)~((p[10] << 8) | p[11]);
    sum += (uint16_t)~old;
    sum += new;
    sum = (sum & 0xffff) + (sum >> 16);
    sum += sum >> 16;
    sum = (uint16_t)~sum;
    p[10] = sum >> 8;
    p[11] = sum;
    return 1;
}

// When a transmission of `length` bytes ends that starts at `start`.
static i64 finish(const struct line *line, i64 start, int length) {
    double bits = length * 8.0, at = start;
    for (int i = 0; i < line->n_rates; i++) {
        double until = i + 1 < line->n_rates ? (double)(shared->origin + line->rates[i + 1].at) : 1e300;
        if (until <= at) continue;
        if (line->rates[i].bps <= 0) return at;
        double takes = bits * 1e9 / line->rates[i].bps;
        if (at + takes <= until) return at + takes;
        bits -= (until - at) * line->rates[i].bps / 1e9;
        at = until;
    }
    return at;
}

static double square_root(double x) {
    double root = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) root = (root + x / root) / 2;
    return root;
}

static i64 control_law(i64 time, int count) { return time + CODEL_INTERVAL / square_root(count); }

// RFC 8289 section 5.6, dodeque.
static struct packet *codel_head(struct line *line, i64 time, int *ok_to_drop) {
    struct packet *packet = pop(&line->waiting);
    *ok_to_drop = 0;
    if (!packet || time - packet->arrived < CODEL_TARGET || line->waiting.bytes <= line->longest) {
        line->first_above = 0;
    } else if (!line->first_above) {
        line->first_above = time + CODEL_INTERVAL;
    } else {
        *ok_to_drop = time >= line->first_above;
    }
    return packet;
}

// Marks the head and returns it, or drops it and returns the next one.
static struct packet *codel_drop(struct line *line, struct packet *packet, i64 time, int *ok_to_drop, int *dropped) {
    *dropped = !(line->codel_marks && set_ce(packet));
    if (!*dropped) {
        line->marked++;
        return packet;
    }
    discard(packet);
    line->dropped++;
    return codel_head(line, time, ok_to_drop);
}

// RFC 8289 section 5.5, deque.
static struct packet *codel_dequeue(struct line *line, i64 time) {
    int ok, dropped = 1;
    struct packet *packet = codel_head(line, time, &ok);
    if (line->dropping) {
        line->dropping = ok;
        while (line->dropping && time >= line->drop_next && dropped) {
            line->count++;
            packet = codel_drop(line, packet, time, &ok, &dropped);
            line->dropping = ok;
            if (ok) line->drop_next = control_law(line->drop_next, line->count);
        }
    } else if (ok) {
        packet = codel_drop(line, packet, time, &ok, &dropped);
        line->dropping = 1;
        int delta = line->count - line->last_count;
        line->count = delta > 1 && time - line->drop_next < 16 * CODEL_INTERVAL ? delta : 1;
        line->drop_next = control_law(time, line->count);
        line->last_count = line->count;
    }
    return packet;
}

// Puts a packet on the wire, in order of release: a late packet is overtaken.
static void transmit(struct line *line, struct packet *packet) {
    struct packet **place = &line->wire.first;
    if (*place && line->wire.last->release <= packet->release) place = &line->wire.last->next;
    while (*place && (*place)->release <= packet->release) place = &(*place)->next;
    packet->next = *place;
    *place = packet;
    if (!packet->next) line->wire.last = packet;
}

static int is_lost(struct line *line, int has_payload) {
    int lost = chance(line->seed + 77, ++line->arrivals, line->any_loss);
    if (has_payload) {
        line->numbers++;
        for (int i = 0; i < line->n_lost; i++) lost |= line->lost[i] == line->numbers;
        lost |= chance(line->seed, line->numbers, line->loss);
    }
    return lost;
}

// Starts all transmissions that are due by `time`.
void advance(struct line *line, i64 time) {
    while (line->waiting.first) {
        i64 start = line->waiting.first->arrived > line->busy_until ? line->waiting.first->arrived : line->busy_until;
        if (start > time) return;
        struct packet *packet = line->codel ? codel_dequeue(line, start) : pop(&line->waiting);
        if (!packet) return;
        if (line->mark_after >= 0 && start - packet->arrived > line->mark_after) line->marked += set_ce(packet);
        line->busy_until = finish(line, start, packet->length);
        if (packet->release < 0) { // lost
            discard(packet);
            continue;
        }
        packet->release = line->busy_until + line->delay;
        if (chance(line->seed + 991, ++line->sent, line->late)) packet->release += line->late_by;
        transmit(line, packet);
    }
}

// Begins a capture (pcap, times in ns since the origin of the run, raw IP) of what arrives at the path.
void capture_to(const char *name) {
    capture = fopen(name, "w");
    uint32_t header[6] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, 65535, 101};
    if (capture) fwrite(header, 4, 6, capture);
}

static void write_capture(const unsigned char *data, int length, i64 time) {
    i64 since = time - shared->origin;
    uint32_t header[4] = {since / 1000000000, since % 1000000000, length, length};
    fwrite(header, 4, 4, capture);
    fwrite(data, 1, length, capture);
    fflush(capture);
}

// Takes a packet that arrives at `time`; `advance` was called for that time.
void arrive(struct line *line, const unsigned char *data, int length, i64 time) {
    if (capture) write_capture(data, length, time);
    int lost = is_lost(line, payload(data, length) > 0);
    for (int i = 0; i < line->n_outages; i++) {
        i64 since = time - shared->origin;
        if (since >= line->outages[i].from && since < line->outages[i].to) {
            line->lost_packets++;
            return;
        }
    }
    int waits = line->waiting.first || line->busy_until > time;
    if (waits && line->limit >= 0 && line->waiting.bytes + length > line->limit) {
        line->dropped++;
        return;
    }
    line->lost_packets += lost;
    if (length > line->longest) line->longest = length;
    struct packet *packet = calloc(1, sizeof *packet);
    *packet = (struct packet){.arrived = time, .length = length, .data = malloc(length), .release = lost ? -1 : 0};
    memcpy(packet->data, data, length);
    push(&line->waiting, packet);
    if (waits && line->waiting.bytes > line->max_queue) line->max_queue = line->waiting.bytes;
    advance(line, time);
}

// The next packet whose release is due, or null.
struct packet *released(struct line *line, i64 time) {
    struct packet *packet = line->wire.first;
    if (!packet || packet->release > time) return 0;
    line->wire.first = packet->next;
    return packet;
}

// When this direction has something to do.
i64 next_event(const struct line *line) {
    i64 next = line->wire.first ? line->wire.first->release : INT64_MAX;
    return line->waiting.first && line->busy_until < next ? line->busy_until : next;
}
