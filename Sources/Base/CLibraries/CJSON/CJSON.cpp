#include "CJSON.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include <rapidjson/reader.h>

namespace {

constexpr size_t room = 64 * 1024;

}  // namespace

struct cjson_reader {
    cjson_limits limits;
    cjson_refill refill = nullptr;
    void *context = nullptr;

    // The part of the input that is in memory: [start, end), of which the parser sees [start, visible).
    std::vector<char> buffer;
    const char *start = nullptr;
    const char *end = nullptr;
    const char *visible = nullptr;
    const char *place = nullptr;
    uint64_t base = 0;
    uint64_t refills = 0;
    bool at_end = false;
    int delimiter = -1;
    // Approximate end of the last token. An unterminated string is cut off before it fills the memory.
    uint64_t last_token = 0;
    bool token_too_long = false;

    std::vector<cjson_value> values;
    std::vector<char> text;
    uint32_t open[CJSON_DEEPEST];
    uint32_t depth = 0;
    const char *stop_key = nullptr;
    bool stopped = false;

    cjson_problem problem = CJSON_FINE;
    const char *message = "";
    uint64_t problem_offset = 0;

    rapidjson::Reader parser;

    uint64_t offset(const char *at) const { return base + static_cast<uint64_t>(at - start); }

    void look_for_delimiter(const char *from) {
        visible = end;
        if (delimiter < 0 || from == end) return;
        const void *found = std::memchr(from, delimiter, static_cast<size_t>(end - from));
        if (found != nullptr) visible = static_cast<const char *>(found);
    }

    /// Called when all visible bytes have been consumed. Returns whether there are more, which then begin at `place`.
    bool more() {
        if (visible != end || at_end || refill == nullptr) return false;
        if (offset(end) - last_token > limits.text + room) {
            token_too_long = true;
            return false;
        }
        base += static_cast<uint64_t>(end - start);
        ++refills;
        const size_t count = refill(context, buffer.data(), buffer.size());
        start = place = buffer.data();
        end = start + std::min(count, buffer.size());
        at_end = start == end;
        look_for_delimiter(start);
        return start != visible;
    }
};

namespace {

/// Input stream for RapidJSON: small, because the parser copies it.
struct Input {
    typedef char Ch;
    const char *place;
    const char *visible;
    cjson_reader *reader;

    explicit Input(cjson_reader *reader) : place(reader->place), visible(reader->visible), reader(reader) {}

    Ch Peek() {
        if (RAPIDJSON_UNLIKELY(place == visible) && !fill()) return '\0';
        return *place;
    }
    Ch Take() {
        if (RAPIDJSON_UNLIKELY(place == visible) && !fill()) return '\0';
        return *place++;
    }
    size_t Tell() const { return static_cast<size_t>(reader->offset(place)); }

    bool fill() {
        const uint64_t before = reader->refills;
        const bool more = reader->more();
        if (reader->refills != before) place = reader->place;
        visible = reader->visible;
        return more;
    }

    // Only for parsing in place, which is not used.
    Ch *PutBegin() { return nullptr; }
    void Put(Ch) {}
    void Flush() {}
    size_t PutEnd(Ch *) { return 0; }
};

}  // namespace

template <>
struct rapidjson::StreamTraits<Input> {
    enum { copyOptimization = 1 };
};

namespace {

/// Handler of the parser's events, which fills the reader's lists.
///
/// It does not know the parser's position, because the parser works on a copy of the stream while it calls the handler.
struct Handler {
    cjson_reader &reader;

    /// Records a problem. The value is discarded, but parsed to its end, so that the next one can be read.
    void refuse(cjson_problem problem, const char *message) {
        if (reader.problem != CJSON_FINE) return;
        reader.problem = problem;
        reader.message = message;
    }

    bool keeps() const { return reader.problem == CJSON_FINE; }

    cjson_value *add(cjson_kind kind) {
        reader.last_token = reader.base;
        if (!keeps()) return nullptr;
        if (reader.values.size() >= reader.limits.values) {
            refuse(CJSON_TOO_MANY_VALUES, "more values than are taken");
            return nullptr;
        }
        cjson_value value{};
        value.kind = kind;
        value.next = static_cast<uint32_t>(reader.values.size() + 1);
        reader.values.push_back(value);
        return &reader.values.back();
    }

    bool add_text(cjson_kind kind, const char *bytes, size_t count) {
        cjson_value *value = add(kind);
        if (value == nullptr) return true;
        if (count > reader.limits.text - reader.text.size()) {
            refuse(CJSON_TOO_MUCH_TEXT, "more text than is taken");
            return true;
        }
        // RapidJSON accepts an unpaired low surrogate such as "\udc00".
        for (const char *end = bytes + count, *at = bytes;
             (at = static_cast<const char *>(std::memchr(at, 0xED, static_cast<size_t>(end - at)))) != nullptr; ++at)
            if (at + 1 < end && static_cast<unsigned char>(at[1]) >= 0xA0)
                refuse(CJSON_LONE_SURROGATE, "half of a surrogate pair");
        value->text = {static_cast<uint32_t>(reader.text.size()), static_cast<uint32_t>(count)};
        reader.text.insert(reader.text.end(), bytes, bytes + count);
        return true;
    }

    bool begin(cjson_kind kind) {
        if (reader.depth >= reader.limits.depth) {
            refuse(CJSON_TOO_DEEP, "nested deeper than is taken");
            return false;
        }
        cjson_value *value = add(kind);
        if (value != nullptr) {
            value->next = 0;
            reader.open[reader.depth] = static_cast<uint32_t>(reader.values.size() - 1);
        }
        ++reader.depth;
        return true;
    }

    bool end(size_t count) {
        --reader.depth;
        reader.last_token = reader.base;
        if (!keeps()) return true;
        cjson_value &value = reader.values[reader.open[reader.depth]];
        value.next = static_cast<uint32_t>(reader.values.size());
        value.count = count;
        return true;
    }

    bool Null() { return add(CJSON_NULL), true; }
    bool Bool(bool value) { return add(value ? CJSON_TRUE : CJSON_FALSE), true; }
    bool RawNumber(const char *digits, rapidjson::SizeType count, bool) {
        cjson_value *value = add(CJSON_NUMBER);
        if (value == nullptr) return true;
        // The parser rejects overflow, so a number out of range must be an underflow and becomes zero.
        if (std::from_chars(digits, digits + count, value->number).ec != std::errc()) value->number = 0;
        if (!std::isfinite(value->number)) value->number = 0;
        return true;
    }
    bool String(const char *text, rapidjson::SizeType count, bool) { return add_text(CJSON_TEXT, text, count); }
    bool Key(const char *text, rapidjson::SizeType count, bool) {
        if (reader.stop_key != nullptr && reader.depth == 1 && std::strlen(reader.stop_key) == count &&
            std::memcmp(reader.stop_key, text, count) == 0) {
            reader.stopped = true;
            return false;
        }
        return add_text(CJSON_KEY, text, count);
    }
    bool StartObject() { return begin(CJSON_OBJECT); }
    bool EndObject(rapidjson::SizeType count) { return end(count); }
    bool StartArray() { return begin(CJSON_ARRAY); }
    bool EndArray(rapidjson::SizeType count) { return end(count); }

    // Numbers are passed as text.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(int64_t) { return false; }
    bool Uint64(uint64_t) { return false; }
    bool Double(double) { return false; }
};

const char *words(rapidjson::ParseErrorCode code) {
    switch (code) {
        case rapidjson::kParseErrorDocumentEmpty: return "the end where a value is expected";
        case rapidjson::kParseErrorValueInvalid: return "no value of JSON";
        case rapidjson::kParseErrorObjectMissName: return "a name in quotes is missing";
        case rapidjson::kParseErrorObjectMissColon: return "a colon is missing after a name";
        case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket: return "a comma or } is missing";
        case rapidjson::kParseErrorArrayMissCommaOrSquareBracket: return "a comma or ] is missing";
        case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex: return "\\u without four hexadecimal digits";
        case rapidjson::kParseErrorStringUnicodeSurrogateInvalid: return "half of a surrogate pair";
        case rapidjson::kParseErrorStringEscapeInvalid: return "an unknown escape or a control character in a string";
        case rapidjson::kParseErrorStringMissQuotationMark: return "a string without an end";
        case rapidjson::kParseErrorStringInvalidEncoding: return "bytes that are no UTF-8";
        case rapidjson::kParseErrorNumberTooBig: return "a number out of range";
        case rapidjson::kParseErrorNumberMissFraction: return "a number without digits after its point";
        case rapidjson::kParseErrorNumberMissExponent: return "a number without digits of its exponent";
        default: return "no JSON";
    }
}

void read(cjson_reader &reader) {
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag |
                               rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
    Input input(&reader);
    Handler handler{reader};
    const rapidjson::ParseResult result = reader.parser.Parse<flags>(input, handler);
    reader.place = input.place;
    if (!result.IsError() || reader.stopped) return;
    if (result.Code() == rapidjson::kParseErrorTermination && reader.problem != CJSON_FINE) return;
    reader.problem =
        result.Code() == rapidjson::kParseErrorNumberTooBig ? CJSON_NUMBER_TOO_LARGE : CJSON_SYNTAX;
    reader.message = reader.token_too_long ? "a string or a number longer than is taken" : words(result.Code());
    reader.problem_offset = result.Offset();
}

}  // namespace

extern "C" cjson_reader *cjson_new(cjson_limits limits) {
    auto *reader = new (std::nothrow) cjson_reader;
    if (reader == nullptr) return nullptr;
    limits.depth = std::min<uint32_t>(limits.depth, CJSON_DEEPEST);
    reader->limits = limits;
    return reader;
}

extern "C" void cjson_free(cjson_reader *reader) { delete reader; }

extern "C" void cjson_use(cjson_reader *reader, const char *bytes, size_t count) {
    reader->start = reader->place = bytes;
    reader->end = bytes + count;
    reader->base = reader->last_token = 0;
    reader->at_end = true;
    reader->look_for_delimiter(bytes);
}

extern "C" bool cjson_pull(cjson_reader *reader, cjson_refill refill, void *context) {
    try {
        reader->buffer.resize(room);
    } catch (const std::bad_alloc &) {
        return false;
    }
    reader->refill = refill;
    reader->context = context;
    return true;
}

extern "C" uint64_t cjson_offset(const cjson_reader *reader) { return reader->offset(reader->place); }

extern "C" int cjson_peek(cjson_reader *reader) {
    for (;;) {
        if (reader->place == reader->visible && !reader->more()) return -1;
        const char byte = *reader->place;
        if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return static_cast<unsigned char>(byte);
        ++reader->place;
        reader->last_token = reader->offset(reader->place);
    }
}

extern "C" void cjson_take(cjson_reader *reader) {
    if (reader->place == reader->visible && !reader->more()) return;
    ++reader->place;
    reader->last_token = reader->offset(reader->place);
}

extern "C" size_t cjson_ahead(cjson_reader *reader, const char **bytes) {
    if (reader->place == reader->visible) reader->more();
    *bytes = reader->place;
    return static_cast<size_t>(reader->visible - reader->place);
}

extern "C" void cjson_delimit(cjson_reader *reader, int delimiter) {
    reader->delimiter = delimiter;
    reader->look_for_delimiter(reader->place);
}

extern "C" bool cjson_skip_past(cjson_reader *reader, int byte) {
    const int before = reader->delimiter;
    reader->delimiter = byte;
    reader->look_for_delimiter(reader->place);
    while (reader->visible == reader->end) {
        reader->place = reader->end;
        reader->last_token = reader->offset(reader->place);
        if (reader->more() || reader->visible != reader->end) continue;
        reader->delimiter = before;
        return false;
    }
    reader->place = reader->visible + 1;
    reader->last_token = reader->offset(reader->place);
    reader->delimiter = before;
    reader->look_for_delimiter(reader->place);
    return true;
}

extern "C" cjson_problem cjson_read(cjson_reader *reader, const char *stop_key) {
    reader->values.clear();
    reader->text.clear();
    reader->depth = 0;
    reader->stop_key = stop_key;
    reader->stopped = false;
    reader->token_too_long = false;
    reader->problem = CJSON_FINE;
    reader->message = "";
    reader->last_token = reader->problem_offset = reader->offset(reader->place);
    try {
        read(*reader);
    } catch (const std::exception &) {
        reader->problem = CJSON_NO_MEMORY;
        reader->message = "there is no memory left for it";
    }
    return reader->problem;
}

extern "C" bool cjson_stopped(const cjson_reader *reader) { return reader->stopped; }

extern "C" const cjson_value *cjson_values(const cjson_reader *reader, size_t *count) {
    *count = reader->values.size();
    return reader->values.data();
}

extern "C" const char *cjson_text(const cjson_reader *reader) { return reader->text.data(); }
extern "C" size_t cjson_text_count(const cjson_reader *reader) { return reader->text.size(); }
extern "C" const char *cjson_message(const cjson_reader *reader) { return reader->message; }
extern "C" uint64_t cjson_problem_offset(const cjson_reader *reader) { return reader->problem_offset; }
