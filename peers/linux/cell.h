// The parts of `cell`: ends.c is the two hosts, path.c the two directions between them, cell.c the rest.
#include <stdint.h>

typedef int64_t i64; // times and durations in nanoseconds

enum { DOWN, UP, MAX_FLOWS = 8, MAX_STEPS = 64 };

// One connection. A download asks for each step in turn on the same connection; an upload has one step.
struct flow {
    i64 start;               // after the first flow may begin
    int upload;
    i64 size[MAX_STEPS], think[MAX_STEPS];
    int steps;
    // Results.
    volatile i64 begun, opened, done[MAX_STEPS];
    volatile int steps_done, reported, retransmissions, syn_data;
};

// The plan, which all processes read, and the results, which the two hosts write.
struct shared {
    struct flow flow[MAX_FLOWS];
    int flows;
    volatile i64 origin;     // time 0 of the path and of the flows
    volatile int listening, path;
};
extern struct shared *shared;

// Parameters of the hosts.
struct ends {
    char control[16];
    int receive_buffer, no_delay, request, fast_open;
    i64 write;               // bytes a write() of the server; 0: the whole step
    double read_rate;        // bit/s of the client's reading; 0: unlimited
    const char *info;        // file for samples of the first sender's TCP_INFO
};
extern struct ends ends;

i64 now(void);
void die(const char *what);
void sleep_until(i64 time);
void server(void);
void client(void);

struct packet { i64 arrived, release; int length; unsigned char *data; struct packet *next; };
struct fifo { struct packet *first, *last; i64 bytes; };
struct interval { i64 from, to; };
struct rate { i64 at; double bps; }; // 0 bit/s: no serialisation time

// One direction of the path, from the queue to the far end.
struct line {
    // Parameters.
    i64 delay, limit;        // one way; bytes that may wait, -1: any number
    struct rate rates[256];
    int n_rates;
    int lost[4096], n_lost;  // numbers of packets with payload
    double loss, any_loss;   // probabilities: of packets with payload, of all
    struct interval outages[8];
    int n_outages;           // times in which each packet that arrives is lost
    double late;             // share of packets that take longer,
    i64 late_by;             // and by how much
    uint64_t seed;
    i64 mark_after;          // -1: never
    int codel, codel_marks;
    // State.
    struct fifo waiting, wire;
    i64 busy_until;
    i64 numbers, arrivals, sent; // packets with payload, all, all that were transmitted
    i64 first_above, drop_next;
    int dropping, count, last_count, longest;
    // Results.
    int dropped, lost_packets, marked, max_queue;
};

void capture_to(const char *name);
void arrive(struct line *line, const unsigned char *data, int length, i64 time);
void advance(struct line *line, i64 time);
struct packet *released(struct line *line, i64 time);
i64 next_event(const struct line *line);
