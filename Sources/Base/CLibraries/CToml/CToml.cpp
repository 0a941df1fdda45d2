#include "CToml.h"

#include <cstring>
#include <deque>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

// toml++ asserts that a key begins with a character of a key, and then reports any other as an error. A file may contain
// anything, so that the assertions may not end the program.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

struct ctoml_document {
    std::vector<ctoml_entry> entries;
    // Strings that the entries point into. They are in a deque, because its elements never move.
    std::deque<std::string> strings;
    std::string error;
    uint32_t error_line = 0;
    uint32_t error_column = 0;
};

namespace {

// Maximum number of dots between two characters that end a key or a value. toml++ destroys nested tables by recursion
// and does not limit dotted keys, so a line of a few hundred thousand dots would exhaust the stack.
constexpr int most_dots = 24;

/// Number of the first line that exceeds the limit of dots; 0 if there is none.
uint32_t too_deep_line(std::string_view text) {
    uint32_t line = 1;
    int dots = 0;
    bool blank_so_far = true;
    bool comment = false;
    for (char c : text) {
        if (c == '\n') {
            ++line;
            dots = 0;
            blank_so_far = true;
            comment = false;
            continue;
        }
        if (comment) continue;
        // Only a # at the start certainly begins a comment, because elsewhere it may be part of a quoted key.
        if (blank_so_far && c == '#') comment = true;
        if (c != ' ' && c != '\t') blank_so_far = false;
        if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
        if (c == '.' && ++dots > most_dots) return line;
    }
    return 0;
}

bool is_bare(std::string_view key) {
    if (key.empty()) return false;
    for (char c : key) {
        const bool allowed =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!allowed) return false;
    }
    return true;
}

/// A key, which is quoted if necessary, so that a dot in it does not look like a section.
std::string written(std::string_view key) {
    return is_bare(key) ? std::string(key) : "\"" + std::string(key) + "\"";
}

ctoml_bytes keep(ctoml_document &document, std::string &&string) {
    document.strings.push_back(std::move(string));
    const std::string &kept = document.strings.back();
    return {kept.data(), kept.size()};
}

ctoml_entry described(ctoml_document &document, const toml::node &node) {
    ctoml_entry entry{};
    entry.value_line = node.source().begin.line;
    entry.value_column = node.source().begin.column;
    switch (node.type()) {
        case toml::node_type::table: entry.kind = CTOML_TABLE; break;
        case toml::node_type::array: entry.kind = CTOML_ARRAY; break;
        case toml::node_type::string:
            entry.kind = CTOML_TEXT;
            entry.text = keep(document, std::string(node.as_string()->get()));
            break;
        case toml::node_type::integer:
            entry.kind = CTOML_INTEGER;
            entry.integer = node.as_integer()->get();
            entry.real = static_cast<double>(entry.integer);
            break;
        case toml::node_type::floating_point:
            entry.kind = CTOML_REAL;
            entry.real = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            entry.kind = CTOML_BOOLEAN;
            entry.boolean = node.as_boolean()->get();
            break;
        default: entry.kind = CTOML_DATE; break;
    }
    return entry;
}

void add(ctoml_document &document, ctoml_bytes section, const toml::key &key, const toml::node &node) {
    ctoml_entry entry = described(document, node);
    entry.section = section;
    entry.key = keep(document, written(key.str()));
    entry.key_line = key.source().begin.line;
    entry.key_column = key.source().begin.column;
    const toml::array *array = node.as_array();
    if (array != nullptr) entry.elements = array->size();
    document.entries.push_back(entry);
    if (array == nullptr) return;
    for (const toml::node &element : *array) document.entries.push_back(described(document, element));
}

void flatten(ctoml_document &document, const toml::table &root) {
    for (auto &&[key, node] : root) {
        add(document, ctoml_bytes{nullptr, 0}, key, node);
        const ctoml_bytes section = document.entries.back().key;
        const toml::table *table = node.as_table();
        if (table == nullptr) continue;
        for (auto &&[inner, value] : *table) {
            add(document, section, inner, value);
            const toml::table *part = value.as_table();
            if (part == nullptr) continue;
            const std::string name = written(key.str()) + "." + written(inner.str());
            const ctoml_bytes path = keep(document, std::string(name));
            for (auto &&[innermost, content] : *part) add(document, path, innermost, content);
        }
    }
}

}  // namespace

extern "C" ctoml_document *ctoml_parse(const char *text, size_t count) {
    auto *document = new (std::nothrow) ctoml_document;
    if (document == nullptr) return nullptr;
    try {
        const std::string_view view(text, count);
        document->error_line = too_deep_line(view);
        if (document->error_line != 0) {
            document->error = "more dots than a key or a value can need";
            return document;
        }
        flatten(*document, toml::parse(view));
    } catch (const toml::parse_error &error) {
        document->error = std::string(error.description());
        document->error_line = error.source().begin.line;
        document->error_column = error.source().begin.column;
    } catch (const std::bad_alloc &) {
        delete document;
        return nullptr;
    } catch (const std::exception &error) {
        document->error = error.what();
    } catch (...) {
        document->error = "the TOML parser failed";
    }
    return document;
}

extern "C" void ctoml_free(ctoml_document *document) { delete document; }

extern "C" ctoml_bytes ctoml_error(const ctoml_document *document) {
    return {document->error.data(), document->error.size()};
}

extern "C" uint32_t ctoml_error_line(const ctoml_document *document) { return document->error_line; }
extern "C" uint32_t ctoml_error_column(const ctoml_document *document) { return document->error_column; }

extern "C" const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index) {
    return index < document->entries.size() ? &document->entries[index] : nullptr;
}
