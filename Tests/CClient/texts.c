/* What the library makes of replies, each up to a zero byte of the input; and calls that it writes. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../clients/c/source/internal.h"

static void read_envelopes(void)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getdelim(&text, &room, 0, stdin)) > 0) {
        /* As it lies in the library's buffer, with nothing behind it that may be read. */
        char *copy = malloc((size_t)length);
        struct wmk_envelope envelope;
        if (!copy)
            abort();
        memcpy(copy, text, (size_t)length);
        if (wmk_envelope_read(copy, (size_t)length - 1, &envelope))
            printf("%d %s %s\n", envelope.continues, envelope.error ? envelope.error : "-",
                   envelope.parameters ? envelope.parameters : "-");
        else
            printf("refused\n");
        free(copy);
    }
    free(text);
}

static void show(const struct waymark_arguments *arguments)
{
    const char *text = waymark_arguments_text(arguments);
    printf("%s\n", text ? text : "invalid");
}

static void write_arguments(void)
{
    static char long_text[5000];
    struct waymark_arguments arguments;
    char byte[2] = "x";
    int number;
    waymark_arguments_begin(&arguments);
    show(&arguments);
    waymark_arguments_number(&arguments, "rate", 0.1);
    waymark_arguments_integer(&arguments, "limit", INT64_MIN);
    waymark_arguments_boolean(&arguments, "frame", true);
    waymark_arguments_string(&arguments, "text", "a\"b\\c\n\001\xc3\xa9");
    waymark_arguments_json(&arguments, "camera", " {\"aspect\": [1.5, {}]} ");
    show(&arguments);
    waymark_arguments_number(&arguments, "x", NAN);
    show(&arguments);
    waymark_arguments_begin(&arguments);
    waymark_arguments_string(&arguments, "text", "\xff");
    show(&arguments);
    waymark_arguments_begin(&arguments);
    waymark_arguments_json(&arguments, "text", "1,\"y\":2");
    show(&arguments);
    memset(long_text, 'a', sizeof long_text - 1);
    waymark_arguments_begin(&arguments);
    waymark_arguments_string(&arguments, "text", long_text);
    show(&arguments);
    /* Filled to the brim, byte by byte. */
    for (number = 4000; number < 4100; number++) {
        waymark_arguments_begin(&arguments);
        long_text[number] = '\0';
        waymark_arguments_string(&arguments, byte, long_text);
        if (waymark_arguments_text(&arguments) && strlen(arguments.text) != arguments.length)
            abort();
        long_text[number] = 'a';
    }
}

int main(int count, char **arguments)
{
    (void)arguments;
    (void)setlocale(LC_ALL, "");
    if (count > 1)
        write_arguments();
    else
        read_envelopes();
    return 0;
}
