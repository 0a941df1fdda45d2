# Writes what a Varlink interface file declares as a part of a manual page, in scdoc's form: methods and errors with
# their comments as text, types as they are declared.

# What scdoc would take for markup is escaped; what stands in backquotes is a name.
function text(line) {
    gsub(/[\\*]/, "\\\\&", line)
    gsub(/`[^`]*`/, "*&*", line)
    gsub(/`/, "", line)
    if (line ~ /^[-.#|\[\]]/) line = "\\" line
    return line
}

function paragraph(indent,   i, out) {
    for (i = 1; i <= comments; i++) out = out (comment[i] == "" ? "" : indent text(comment[i])) "\n"
    return out
}

# A comment within a declaration, gathered over its lines and wrapped anew.
function flush_inner(   count, words, i, line, out) {
    if (inner == "") return
    count = split(inner, words, " ")
    line = inner_indent "#"
    for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 70) {
            out = out line "\n"
            line = inner_indent "#"
        }
        line = line " " words[i]
    }
    body = body out line "\n"
    inner = ""
}

function depth_of(line,   opened, closed) {
    opened = gsub(/\(/, "", line)
    closed = gsub(/\)/, "", line)
    return opened - closed
}

# Of a method or an error: its name, and the declaration in one line.
function heading(   line) {
    line = joined
    sub(/^(method|error) /, "", line)
    gsub(/\( +/, "(", line)
    gsub(/ +\)/, ")", line)
    match(line, /^[A-Za-z0-9]+/)
    return "*" substr(line, 1, RLENGTH) "*" text(substr(line, RLENGTH + 1)) "\n"
}

function finish(   out, declared, i) {
    flush_inner()
    if (kind == "type") {
        declared = body
        body = inner_indent = ""
        for (i = 1; i <= comments; i++) inner = inner " " comment[i]
        flush_inner()
        types = types "```\n" body declared "```\n\n"
    } else {
        out = heading() paragraph("\t")
        # What is said within the declaration must not be lost.
        if (body ~ /\n +#/) {
            gsub(/\n/, "\n\t", body)
            out = out "\n\t```\n\t" body "```\n"
        }
        if (kind == "method") methods = methods out "\n"
        else errors = errors out "\n"
    }
    comments = 0
    body = joined = ""
}

depth == 0 && /^#/ {
    comment[++comments] = substr($0, 3)
    next
}
depth == 0 && /^$/ { next }
/^interface / {
    print "# INTERFACE " $2 "\n"
    print paragraph("")
    comments = 0
    next
}
/^(type|method|error) / { kind = $1 }
{
    if ($1 ~ /^#/) {
        inner_indent = substr($0, 1, index($0, "#") - 1)
        sub(/^ *# ?/, "")
        inner = inner " " $0
        next
    }
    flush_inner()
    body = body $0 "\n"
    line = $0
    sub(/^ +/, "", line)
    joined = joined (joined == "" || joined ~ /\($/ || line ~ /^\)/ ? "" : " ") line
    depth += depth_of($0)
    if (depth == 0) finish()
}
END {
    if (methods != "") printf "## Methods\n\n%s", methods
    if (errors != "") printf "## Errors\n\n%s", errors
    if (types != "") printf "## Types\n\n%s", types
}
