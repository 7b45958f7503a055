"""`threadmill completion`: write what a shell needs to complete commands and options with the Tab key."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from threadmill.cli import COMMANDS, make_parser

EXAMPLES = """\
  bash:  threadmill completion bash > ~/.local/share/bash-completion/completions/threadmill
  zsh:   threadmill completion zsh > ~/.zsh/_threadmill   (a directory of $fpath)
  fish:  threadmill completion fish > ~/.config/fish/completions/threadmill.fish"""


@dataclass(frozen=True, slots=True)
class CompletedOption:
    """One option of a command. With a value, the choices of it, or none: a file."""

    name: str
    help: str
    takes_value: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """What may follow a command: one of its verbs, then options. Without verbs, files."""

    verbs: dict[str, str]  # with what each does
    options: dict[str, CompletedOption]
    of_verbs: dict[str, CompletedCommand]  # what may follow each verb that has options of its own


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell that you use")


def run(arguments: argparse.Namespace) -> int:
    """Write the script of a shell."""
    commands = {command: _read(make_parser(command)[0]) for command in COMMANDS}
    print({"bash": _for_bash, "zsh": _for_zsh, "fish": _for_fish}[arguments.shell](commands), end="")
    return 0


def _read(parser: argparse.ArgumentParser) -> CompletedCommand:
    """The verbs of a command, its own options, and those of its verbs."""
    known = CompletedCommand(
        {}, {name: CompletedOption(name, words, takes_value=False) for name, words in _ALWAYS}, {}
    )
    for action in parser._actions:  # argparse has no public list of them
        choices = tuple(map(str, action.choices or ()))
        if isinstance(action, argparse._SubParsersAction):
            told = {one.dest: one.help or "" for one in action._choices_actions}
            known.verbs.update({verb: _first_words(told.get(verb, "")) for verb in choices})
            known.of_verbs.update({verb: _read(below) for verb, below in action.choices.items()})
        elif not action.option_strings:
            known.verbs.update(dict.fromkeys(choices, ""))
        for name in action.option_strings:
            if name.startswith("--"):
                words = _first_words(action.help or "")
                known.options[name] = CompletedOption(name, words, action.nargs != 0, choices)
    return known


# What every command takes.
_ALWAYS = (
    ("--verbose", "every request, on standard error"),
    ("--debug", "more of it"),
    ("--log-json", "logs as JSON lines"),
)


def _first_words(text: str) -> str:
    return text.partition(";")[0].replace("%%", "%")


def _places(commands: dict[str, CompletedCommand]) -> dict[str, CompletedCommand]:
    """What may follow each command, and each command with a verb: "crawl", "forum", "forum posts"."""
    places = dict(commands)
    for command, known in commands.items():
        places |= {f"{command} {verb}": below for verb, below in known.of_verbs.items()}
    return places


def _for_bash(commands: dict[str, CompletedCommand]) -> str:
    places = _places(commands)
    values = "".join(
        f"    '{place} {option.name}') _threadmill_words '{' '.join(option.choices)}'; return ;;\n"
        for place, known in places.items()
        for option in known.options.values()
        if option.takes_value
    )
    verbs = "".join(
        f"      {command}) _threadmill_words '{' '.join(known.verbs)}' ;;\n"
        for command, known in commands.items()
        if known.verbs
    )
    options = "".join(
        f"      '{place}') _threadmill_words '{' '.join(known.options)}' ;;\n"
        for place, known in places.items()
    )
    return f"""\
# Completes commands, verbs, options and their values; files where any text may stand.
_threadmill_words() {{
  COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
_threadmill() {{
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _threadmill_words '{" ".join(commands)} --help --version'
    return
  fi
  local place="${{COMP_WORDS[1]}}"
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$place ${{COMP_WORDS[2]}}" in
      {_with_verbs(commands, "'{}'")}) place="$place ${{COMP_WORDS[2]}}" ;;
    esac
  fi
  case "$place ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}  esac
  if [[ "${{COMP_WORDS[COMP_CWORD]}}" == -* ]]; then
    case "$place" in
{options}    esac
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "$place" in
{verbs}    esac
  fi
}}
complete -o default -F _threadmill threadmill
"""


def _with_verbs(commands: dict[str, CompletedCommand], written: str) -> str:
    """The places that are a command and a verb, as the pattern of a case."""
    return "|".join(written.format(place) for place in _places(commands) if " " in place)


def _for_zsh(commands: dict[str, CompletedCommand]) -> str:
    def described(words: dict[str, str]) -> str:
        return " ".join(
            _quoted(f"{_escaped(name)}:{text}" if text else _escaped(name)) for name, text in words.items()
        )

    places = _places(commands)
    listed = "\n".join(f"  {_quoted(f'{command}:{COMMANDS[command]}')}" for command in commands)
    values = "\n".join(
        f"  '{place} {option.name}') {_zsh_values(option)}; return ;;"
        for place, known in places.items()
        for option in known.options.values()
        if option.takes_value
    )
    verbs = "\n".join(
        f"    {command}) options=({described(known.verbs)}) ;;"
        for command, known in commands.items()
        if known.verbs
    )
    options = "\n".join(
        f"    '{place}') options=({described({o.name: o.help for o in known.options.values()})}) ;;"
        for place, known in places.items()
    )
    return f"""\
#compdef threadmill
local -a commands options
local place="${{words[2]}}"
commands=(
{listed}
)
if (( CURRENT == 2 )); then
  _describe command commands
  return
fi
if (( CURRENT > 3 )); then
  case "$place ${{words[3]}}" in
    {_with_verbs(commands, "'{}'")}) place="$place ${{words[3]}}" ;;
  esac
fi
case "$place ${{words[CURRENT-1]}}" in
{values}
esac
if [[ "${{words[CURRENT]}}" == -* ]]; then
  case "$place" in
{options}
  esac
  _describe option options
  return
fi
if (( CURRENT == 3 )); then
  case "$place" in
{verbs}
  esac
fi
(( $#options )) && _describe verb options || _files
"""


def _zsh_values(option: CompletedOption) -> str:
    return f"compadd -- {' '.join(option.choices)}" if option.choices else "_files"


# True if the line begins with these words. A word further on, as in `crawl forum`, is no command.
_FISH_BEGINS = """\
function __threadmill_begins
    set -l words (commandline -opc)
    set -l last (math 1 + (count $argv))
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __threadmill_is
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end"""


def _for_fish(commands: dict[str, CompletedCommand]) -> str:
    lines = ["# Completes commands, verbs, options and their values; files where any text may stand."]
    lines.append(_FISH_BEGINS)
    lines += [
        f"complete -c threadmill -n __fish_use_subcommand -f -a {command} -d {_quoted(COMMANDS[command])}"
        for command in commands
    ]
    for place, known in _places(commands).items():
        next_word = f"complete -c threadmill -n '__threadmill_is {place}' -f"
        lines += [f"{next_word} -a {verb} -d {_quoted(words)}" for verb, words in known.verbs.items()]
        seen = f"complete -c threadmill -n '__threadmill_{'is' if known.of_verbs else 'begins'} {place}'"
        for option in known.options.values():
            values = (
                f" -x -a {_quoted(' '.join(option.choices))}"
                if option.choices
                else " -r" * option.takes_value
            )
            lines.append(f"{seen} -l {option.name[2:]}{values} -d {_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _escaped(name: str) -> str:
    """A name before the colon of a description."""
    return name.replace(":", "\\:")


def _quoted(text: str) -> str:
    """A text in single quotes. An apostrophe ends them, and stands for itself."""
    return "'" + text.replace("'", "'\\''") + "'"
