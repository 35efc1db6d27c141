/** `blockwork completion`: a shell completion script for commands and options. */
import type { CommandRun, CommandSpec } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';

/** Completions by the preceding words; `''` for the program itself. */
function wordsOf(commands: readonly CommandSpec[]): Map<string, string[]> {
  const words = new Map<string, string[]>([['', ['--help', '--version', ...commands.map(({ name }) => name)]]]);
  const visit = (
    { name, options = [], commands: below = [], arguments: args = [] }: CommandSpec,
    before: string,
  ): void => {
    const path = `${before} ${name}`.trimStart();
    const flags = options.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? '');
    const choices = args.flatMap((argument) => argument.choices ?? []);
    words.set(path, [...below.map((each) => each.name), ...choices, ...flags, '--json', '--help']);
    for (const each of below) visit(each, path);
  };
  for (const command of commands) visit(command, '');
  return words;
}

type Words = ReadonlyMap<string, readonly string[]>;

const scripts: Readonly<Record<string, (words: Words) => string>> = {
  bash: (words) => {
    const cases = [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`);
    return `# eval "$(blockwork completion bash)"
_blockwork() {
  local word words path=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*|*/*|*.*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
    *) words='' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}") $(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _blockwork blockwork
`;
  },
  zsh: (words) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${scripts['bash']?.(words) ?? ''}`,
  fish: (words) =>
    [...words]
      .flatMap(([path, next]) =>
        next.map((word) => {
          const condition =
            path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1) ?? ''}`;
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
          return `complete -c blockwork -n '${condition}' ${what}\n`;
        }),
      )
      .join(''),
};

export const completion =
  (commands: readonly CommandSpec[]): CommandRun =>
  async (input, io) => {
    const [shell = ''] = input.args;
    const script = scripts[shell]?.(wordsOf(commands)) ?? '';
    await io.write(input.json ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script);
    return exitCodes.ok;
  };
