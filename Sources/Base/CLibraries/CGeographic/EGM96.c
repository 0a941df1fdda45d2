#include "CGeographic.h"

#include <stdint.h>

// The grid of EGM96 as scripts/geoid writes it. It is part of the program's constant data, so that only the pages
// around the nodes that are read take memory. As an array in C it would take long to compile. The path is relative to
// the folder `include`.
__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        "geographic_egm96:\n"
        ".incbin \"../../../../Core/Geometry/Earth/Resources/EGM96.int16\"\n"
        ".popsection\n");
extern const unsigned char nodes[GEOGRAPHIC_EGM96_ROWS * GEOGRAPHIC_EGM96_COLUMNS * 2] __asm__("geographic_egm96")
    __attribute__((visibility("hidden")));

double geographic_egm96_node(int row, int column) {
    const unsigned char *node = nodes + (row * GEOGRAPHIC_EGM96_COLUMNS + column) * 2;
    return (int16_t)(node[0] | node[1] << 8) / 100.0;
}
