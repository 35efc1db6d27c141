/** The TypeScript compiler over programs that a test has written. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The sources of a compilation, read and parsed once for all of them. */
const parsed = new Map<string, ts.SourceFile | undefined>();

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  // The packages from their sources, which need no build.
  paths: { '@blockwork/*': [fileURLToPath(new URL('../../packages/*/src/index.ts', import.meta.url))] },
};

/**
 * What TypeScript says about each of these programs, which may import packages as a file beside `place` may, such as the
 * `import.meta.url` of a test. `beside` are further files there, by name.
 */
export function problemsOf(
  programs: readonly string[],
  place: string,
  beside: Readonly<Record<string, string>> = {},
): string[][] {
  const path = (name: string): string => fileURLToPath(new URL(name, place));
  const names = programs.map((_, at) => path(`written-program-${at}.ts`));
  const files = new Map([
    ...Object.entries(beside).map(([name, text]) => [path(name), text] as const),
    ...programs.map((text, at) => [names[at] ?? '', text] as const),
  ]);
  const program = ts.createProgram(names, options, hostOf(files));
  return names.map((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}

/** The files of the machine, and these before them. */
function hostOf(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const [readFrom, exists, parse] = [
    host.readFile.bind(host),
    host.fileExists.bind(host),
    host.getSourceFile.bind(host),
  ];
  host.readFile = (name) => files.get(name) ?? readFrom(name);
  host.fileExists = (name) => files.has(name) || exists(name);
  host.getSourceFile = (name, version) => {
    const text = files.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    if (!parsed.has(name)) parsed.set(name, parse(name, version));
    return parsed.get(name);
  };
  return host;
}
