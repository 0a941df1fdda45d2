#include "scenarios.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {
        {"replace", replace}, {"outage", outage}, {"correct", correct}, {"geospatial", geospatial},
        {"results", results}, {"hostile", hostile}, {"side-by-side", side_by_side}, {"cost", cost}};
    size_t index;
    for (index = 0; index < sizeof scenarios / sizeof *scenarios; index++)
        if (count == 2 && strcmp(arguments[1], scenarios[index].name) == 0) {
            scenarios[index].run();
            return 0;
        }
    fprintf(stderr, "%s: no such scenario\n", count > 1 ? arguments[1] : "");
    return 2;
}
