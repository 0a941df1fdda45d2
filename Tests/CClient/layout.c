/* Offsets of the ring's layout, by which tests compare the readers that are not in C. */
#include <stdio.h>
#include <waymark.h>

#define SHOW(type, field) printf(#type "." #field " %zu\n", offsetof(struct waymark_ring_##type, field))

int main(void)
{
    printf("header %zu\nslot %zu\n", sizeof(struct waymark_ring_header), sizeof(struct waymark_ring_slot));
    printf("doorbell %zu\nwakes %d\n", sizeof(struct waymark_ring_doorbell), WAYMARK_RING_WAKES);
    SHOW(header, layout_version);
    SHOW(header, clock);
    SHOW(header, boot_id);
    SHOW(header, daemon_generation);
    SHOW(header, newest);
    SHOW(header, ended);
    SHOW(doorbell, waiting);
    SHOW(doorbell, futex);
    SHOW(slot, time);
    SHOW(slot, fields);
    SHOW(slot, state);
    SHOW(slot, motion_probability);
    SHOW(slot, reasons);
    SHOW(slot, position);
    SHOW(slot, turning_rate);
    SHOW(slot, latitude);
    SHOW(slot, heading);
    SHOW(slot, horizontal_accuracy);
    SHOW(slot, map_latitude);
    SHOW(slot, yaw_acceleration_square);
    SHOW(slot, fill_too);
    return 0;
}
