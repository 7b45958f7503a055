"""`threadmill completion`: write what a shell needs to complete commands and options with the Tab key."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from threadmill.cli import COMMANDS, make_parser

EXAMPLES = """\
  bash:  threadmill completion bash > ~/.local/share/bash-completion/completions/threadmill
  zsh:   threadmill completion zsh > ~/.zsh/_threadmill   (a directory of $fpath)
  fish:  threadmill completion fish > ~/.config/fish/completions/threadmill.fish"""


@dataclass(frozen=True, slots=True)
class CompletedOption:
    """One option of a command."""

    name: str
    help: str
    choices: tuple[str, ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(arguments: argparse.Namespace) -> int:
    """Write the script of a shell."""
    commands = {command: tuple(_options_of(command)) for command in COMMANDS}
    print({"bash": _for_bash, "zsh": _for_zsh, "fish": _for_fish}[arguments.shell](commands), end="")
    return 0


def _options_of(command: str) -> Iterator[CompletedOption]:
    """The options and verbs of a command, and those of its verbs."""
    parser, _ = make_parser(command)
    yield from _options_in(parser)


def _options_in(parser: argparse.ArgumentParser) -> Iterator[CompletedOption]:
    for action in parser._actions:  # argparse has no public list of them
        if isinstance(action, argparse._SubParsersAction):
            for verb, below in action.choices.items():
                yield CompletedOption(verb, "")
                yield from _options_in(below)
        choices = tuple(str(choice) for choice in action.choices or ()) if action.option_strings else ()
        for name in action.option_strings:
            if name.startswith("--"):
                yield CompletedOption(name, (action.help or "").partition(";")[0].replace("%%", "%"), choices)


def _for_bash(commands: dict[str, tuple[CompletedOption, ...]]) -> str:
    cases = "".join(
        f"    {command}) words='{' '.join(dict.fromkeys(option.name for option in options))}' ;;\n"
        for command, options in commands.items()
    )
    return (
        "# Completes commands and options of threadmill; files where no option is meant.\n"
        "_threadmill() {\n"
        '  local word="${COMP_WORDS[COMP_CWORD]}" words=""\n'
        '  if [ "$COMP_CWORD" -eq 1 ]; then\n'
        f"    words='{' '.join(commands)} --help --version'\n"
        "  else\n"
        '    case "${COMP_WORDS[1]}" in\n'
        f"{cases}"
        "    esac\n"
        "  fi\n"
        '  COMPREPLY=($(compgen -W "$words" -- "$word"))\n'
        "}\n"
        "complete -o default -F _threadmill threadmill\n"
    )


def _for_zsh(commands: dict[str, tuple[CompletedOption, ...]]) -> str:
    listed = "\n".join(f"    {_quoted(f'{command}:{COMMANDS[command]}')}" for command in commands)
    cases = "\n".join(
        f"    {command}) options=({' '.join(dict.fromkeys(option.name for option in options))}) ;;"
        for command, options in commands.items()
    )
    return (
        "#compdef threadmill\n"
        "local -a commands options\n"
        f"commands=(\n{listed}\n)\n"
        "if (( CURRENT == 2 )); then\n"
        "  _describe command commands\n"
        "else\n"
        f'  case "${{words[2]}}" in\n{cases}\n  esac\n'
        "  compadd -a options || _files\n"
        "fi\n"
    )


def _for_fish(commands: dict[str, tuple[CompletedOption, ...]]) -> str:
    lines = ["# Completes commands and options of threadmill."]
    lines += [
        f"complete -c threadmill -n __fish_use_subcommand -f -a {command} -d {_quoted(COMMANDS[command])}"
        for command in commands
    ]
    for command, options in commands.items():
        seen = f"complete -c threadmill -n '__fish_seen_subcommand_from {command}'"
        for option in {option.name: option for option in options}.values():
            if not option.name.startswith("--"):
                lines.append(f"{seen} -a {option.name}")
                continue
            wanted = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else ""
            lines.append(f"{seen} -l {option.name[2:]}{wanted} -d {_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in single quotes. An apostrophe ends them, and stands for itself."""
    return "'" + text.replace("'", "'\\''") + "'"
