/** What the compiler says of snippets in strict mode, each as a module of its own. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { moduleOf, snippetFolder } from './snippet-modules.js';
import type { Snippet } from './snippets.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const around = fileURLToPath(new URL('program-around.d.mts', import.meta.url));

/**
 * The complaints about each snippet, in order; none for one that compiles. A part of a program finds `around` itself what
 * `program-around.d.mts` declares; a whole one needs nothing.
 */
export function complaints(snippets: readonly Snippet[], { isPart }: { readonly isPart: boolean }): string[][] {
  const files = new Map(snippets.map((snippet, n) => moduleOf(snippet, n)));
  const program = ts.createProgram([...files.keys(), ...(isPart ? [around] : [])], options(), hostWith(files));
  return [...files.keys()].map((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .filter((message) => !(file.endsWith('.js') && wantsTypes.test(message)));
  });
}

/** JavaScript says no types, so what only they could settle is no mistake in it. */
const wantsTypes = /implicitly has an 'any' type|on type 'unknown'|'string \| undefined' is not assignable/;

function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.lint.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  const { options: given } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // Readers have `strict`, and rarely more.
  return { ...given, checkJs: true, noUncheckedIndexedAccess: false };
}

/** What snippets import, read once for all programs: they compile with the same options. */
const sources = new Map<string, ts.SourceFile | undefined>();

function hostWith(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options());
  return {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    readFile: (name) => files.get(name) ?? host.readFile(name),
    directoryExists: (name) => join(name, '/') === snippetFolder || ts.sys.directoryExists(name),
    getSourceFile: (name, version, ...rest) => {
      const text = files.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, version);
      if (!sources.has(name)) sources.set(name, host.getSourceFile(name, version, ...rest));
      return sources.get(name);
    },
  };
}
