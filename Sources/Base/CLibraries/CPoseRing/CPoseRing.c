#include "waymark-pose-ring-writer.h"

/* The layout is a promise to programs that were built earlier. */
_Static_assert(sizeof(struct waymark_ring_offer) == 16, "offer");
_Static_assert(sizeof(struct waymark_ring_doorbell) == 8, "doorbell");
_Static_assert(sizeof(struct waymark_ring_header) == 256, "header");
_Static_assert(offsetof(struct waymark_ring_header, newest) == 64, "a cache line of its own");
_Static_assert(offsetof(struct waymark_ring_header, reserved_last) == 128, "a cache line of its own");
_Static_assert(sizeof(struct waymark_ring_slot) == 512, "slot");

size_t waymark_ring_size(void)
{
	return WAYMARK_RING_SIZE;
}

/* Value of a digit of a UUID; -1 for its dashes. */
static int digit(uint8_t letter)
{
	if (letter >= '0' && letter <= '9')
		return letter - '0';
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

void waymark_ring_boot_id(const uint8_t text[36], uint8_t boot_id[16])
{
	int digits = 0;
	memset(boot_id, 0, 16);
	for (int i = 0; i < 36 && digits < 32; i++)
		if (digit(text[i]) >= 0) {
			boot_id[digits / 2] = (uint8_t)(boot_id[digits / 2] << 4 | digit(text[i]));
			digits++;
		}
}

void waymark_ring_begin(struct waymark_ring_header *header, const uint8_t boot_id[16], uint64_t generation)
{
	memcpy(header->magic, WAYMARK_RING_MAGIC, sizeof header->magic);
	header->layout_version = WAYMARK_RING_LAYOUT;
	header->header_size = sizeof *header;
	header->slot_count = WAYMARK_RING_SLOTS;
	header->slot_size = sizeof(struct waymark_ring_slot);
	header->clock = CLOCK_BOOTTIME;
	memcpy(header->boot_id, boot_id, sizeof header->boot_id);
	header->daemon_generation = generation;
}

struct waymark_ring_offer waymark_ring_make_offer(enum waymark_ring_answer answer)
{
	struct waymark_ring_offer offer = {.layout_version = WAYMARK_RING_LAYOUT, .answer = answer};
	memcpy(offer.magic, WAYMARK_RING_MAGIC, sizeof offer.magic);
	return offer;
}
