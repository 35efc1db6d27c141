/** The TypeScript compiler over programs that a test has written. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The sources of a compilation, read and parsed once for all of them. */
const parsed = new Map<string, ts.SourceFile | undefined>();

const compilerOptions: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  // The packages from their sources, which need no build.
  paths: { '@blockwork/*': [fileURLToPath(new URL('../../../*/src/index.ts', import.meta.url))] },
};

/** What TypeScript says about each of these programs, which may import packages as a file of this folder may. */
export function problemsOf(programs: readonly string[]): string[][] {
  const files = new Map(
    programs.map((text, at) => [fileURLToPath(new URL(`../generated-client-${at}.ts`, import.meta.url)), text]),
  );
  const host = ts.createCompilerHost(compilerOptions);
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
  const program = ts.createProgram([...files.keys()], compilerOptions, host);
  return [...files.keys()].map((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}
