"""Asks bash, zsh and fish what they would complete, with the completions of this project loaded into the real shell."""

import os
import pty
import re
import subprocess

from .paths import ROOT
from .waiting import wait_until

COMPLETIONS = ROOT / "completions"


def environment(home):
    return {**{name: os.environ[name] for name in ("PATH", "LANG", "WAYMARK_SOCKET") if name in os.environ}, "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"), "XDG_DATA_HOME": str(home / ".local"), "TERM": "dumb"}


def bash(lines, home):
    """The function that bash would call, with the words as bash takes the line apart."""
    return [bash_line(line, home) for line in lines]


def bash_line(line, home):
    words = re.findall(r"[=:]|[^\s=:]+", line) + ([""] if line.endswith(" ") else [])
    script = f"""
        source '{COMPLETIONS}/waymark.bash' || exit
        function=$(complete -p "$1") && function=${{function#*-F }} || exit
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "${{function%% *}}" || exit
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *words], cwd=home, env=environment(home), capture_output=True,
        text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return {word.rstrip("=") for word in done.stdout.split("\n") if word}


def fish(lines, home):
    script = f"source '{COMPLETIONS}/waymark.fish'; for line in $argv; complete -C \"$line\"; echo done.; end"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script, *lines], cwd=home, env=environment(home), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    answers = done.stdout.split("done.\n")[:-1]
    # What stands before an equals sign is repeated, folders end in a slash, and behind a tab it is explained.
    return [{found.split("\t")[0].split("=")[-1].rstrip("/") for found in answer.splitlines()} for answer in answers]


ZSH = r"""
    PROMPT= RPROMPT= LISTMAX=10000
    unsetopt auto_list
    fpath=('{completions}' $fpath)
    autoload -Uz compinit && compinit -u -D
    # What is offered goes to the file instead of the screen.
    compadd() {{
        local -a offered
        builtin compadd -O offered "$@"
        (( $#offered )) && print -rl -- $offered >>'{answer}'
        builtin compadd "$@"
    }}
    ask() {{
        zle complete-word
        print -r -- done. >>'{answer}'
    }}
    zle -N ask
    zstyle ':completion:*' insert-tab false
    bindkey -e
    bindkey '^I' ask
    print -r -- loaded. >'{answer}'
"""


def zsh(lines, home):
    """zsh completes only what is typed: so it is typed, on a terminal of its own."""
    answer, script = home / ".answer", home / ".ask"
    answer.unlink(missing_ok=True)
    script.write_text(ZSH.format(completions=COMPLETIONS, answer=answer))
    outer, inner = pty.openpty()
    os.set_blocking(outer, False)
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"], cwd=home, env=environment(home), stdin=inner, stdout=inner, stderr=inner,
        start_new_session=True)
    os.close(inner)
    drawn = []

    def answers():
        # Whatever is drawn has to be read, or the shell would wait.
        try:
            drawn.append(os.read(outer, 65536))
        except BlockingIOError:
            pass
        return answer.read_text().split("\n") if answer.exists() else []

    def ask(line, word, count):
        os.write(outer, line.encode())
        wait_until(lambda: answers().count(word) == count, 60, what=lambda: f"zsh on {line!r}: {drawn[-20:]}")

    try:
        ask(f"source '{script}'\n", "loaded.", 1)
        for number, line in enumerate(lines, start=1):
            # Ctrl-U deletes the line before.
            ask(f"\x15{line}\t", "done.", number)
        found = answer.read_text().split("loaded.\n")[1].split("done.\n")[:-1]
        return [{word.rstrip("=").split("=")[-1] for word in each.splitlines()} for each in found]
    finally:
        shell.kill()
        shell.wait()
        os.close(outer)
