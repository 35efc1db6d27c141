/** The native TypeScript compiler over files that exist in memory only; what they import is read from the disk. */
import { dirname, join } from 'node:path';
import { API, type Diagnostic } from 'typescript-native/unstable/sync';

/** What a `tsconfig.json` says. */
interface Config {
  readonly extends?: string;
  readonly compilerOptions: object;
}

/**
 * What the compiler says about each of `files`, texts by absolute path, in order; `around` are further files of the program. Only
 * `files` are checked, not what they import.
 */
export function diagnosticsOf(
  files: ReadonlyMap<string, string>,
  config: Config,
  around: readonly string[] = [],
): string[][] {
  const names = [...files.keys()];
  const [first] = names;
  if (first === undefined) return [];
  const folder = dirname(first);
  const project = join(folder, 'tsconfig.in-memory.json');
  const texts = new Map([...files, [project, JSON.stringify({ ...config, files: [...names, ...around] })]]);
  const api = new API({
    fs: {
      readFile: (path) => texts.get(path),
      fileExists: (path) => (texts.has(path) ? true : undefined),
      directoryExists: (path) => (path === folder ? true : undefined),
    },
  });
  try {
    const program = api.updateSnapshot({ openProjects: [project] }).getProject(project)?.program;
    if (program === undefined) throw new Error(`The compiler did not open ${project}.`);
    return names.map((name) =>
      [...program.getSyntacticDiagnostics(name), ...program.getSemanticDiagnostics(name)].map(textOf),
    );
  } finally {
    api.close();
  }
}

const textOf = ({ text, messageChain = [] }: Diagnostic): string => [text, ...messageChain.map(textOf)].join('\n');
