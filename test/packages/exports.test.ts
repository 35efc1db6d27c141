/** No entry exports an unused name: each is imported somewhere, shown by a page, or part of the type of one that is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { isWhole } from '../support/repetitions.js';
import { entryPoints, publicPackages } from '../../scripts/packages/workspace.mjs';

interface Entry {
  readonly specifier: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const entries: Entry[] = (await publicPackages()).flatMap(({ folder, manifest }) => {
  const { name, exports } = manifest as Manifest;
  return entryPoints({ name, exports }).map((specifier) => ({
    specifier,
    file: join(folder, 'src', `${specifier.slice(name.length + 1) || 'index'}.ts`),
  }));
});

let program: ts.Program;
let checker: ts.TypeChecker;
let imported: ReadonlyMap<string, ReadonlySet<string>>;
let shown: ReadonlySet<string>;
beforeAll(() => {
  if (!isWhole) return;
  program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, skipLibCheck: true, strict: true },
  );
  checker = program.getTypeChecker();
  imported = importedNames();
  shown = shownNames();
});

const exportsOf = ({ file }: Entry): Map<string, ts.Symbol> => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, original(symbol)]));
};

const original = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Names by the entry that they are imported from, or handed on, in programs, tests and pages; a package's own sources use no entry. */
function importedNames(): Map<string, Set<string>> {
  const names = new Map(entries.map(({ specifier }) => [specifier, new Set<string>()]));
  for (const file of filesOf('.ts', '.tsx', '.mjs', '.md')) {
    for (const [, list = '', specifier = ''] of textOf(file).matchAll(imports)) {
      for (const name of list.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)) names.get(specifier)?.add(name[1] ?? '');
    }
  }
  return names;
}

const imports = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;

/** Words that pages show as code. */
const shownNames = (): Set<string> =>
  new Set(
    filesOf('.md').flatMap((file) =>
      [...textOf(file).matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []),
    ),
  );

const textOf = (file: string): string => readFileSync(file, 'utf8');
const filesOf = (...extensions: string[]): string[] =>
  ts.sys.readDirectory(
    root,
    extensions,
    ['**/node_modules', '**/dist', '**/.*'],
    ['README.md', 'docs', 'examples', 'packages', 'test'],
  );

/** Adds to `reached` every symbol that the declarations of `symbol` name, and what those name. */
function reach(symbol: ts.Symbol, reached: Set<ts.Symbol>): void {
  if (reached.has(symbol)) return;
  reached.add(symbol);
  for (const each of namedBy(symbol)) reach(each, reached);
}

/** Looked for once: entries share most of what they reach. */
const named = new Map<ts.Symbol, ReadonlySet<ts.Symbol>>();

/** The symbols of ours that the declarations of `symbol` name, bodies and private members left out. */
function namedBy(symbol: ts.Symbol): ReadonlySet<ts.Symbol> {
  const names = named.get(symbol);
  if (names !== undefined) return names;
  const symbols = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isJsxText(node) || isPrivate(node)) return;
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined && isOurs(original(symbol))) symbols.add(original(symbol));
    }
    // What a name behind a dot stands for takes the types of all before it; what it is taken from stands before the dot.
    if (ts.isPropertyAccessExpression(node)) visit(node.expression);
    else ts.forEachChild(node, visit);
  };
  symbol.declarations?.forEach(visit);
  named.set(symbol, symbols);
  return symbols;
}

const isOurs = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((node) => /\/packages\/[^/]+\/src\//.test(node.getSourceFile().fileName)) ?? false;

const isPrivate = (node: ts.Node): boolean =>
  (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ?? false));

/** It compiles all packages, for what changes with their entries only. */
it.skipIf(!isWhole).each(entries)('$specifier exports no name that is unused', (entry) => {
  const exported = exportsOf(entry);
  expect(exported.size).toBeGreaterThan(0);
  const isUsed = (name: string): boolean => shown.has(name) || imported.get(entry.specifier)?.has(name) === true;
  const reached = new Set<ts.Symbol>();
  for (const [name, symbol] of exported) if (isUsed(name)) reach(symbol, reached);
  const isPartOfType = (symbol: ts.Symbol): boolean =>
    (symbol.flags & ts.SymbolFlags.Type) !== 0 && reached.has(symbol);
  const unused = [...exported].filter(([name, symbol]) => !isUsed(name) && !isPartOfType(symbol));
  expect(unused.map(([name]) => name)).toEqual([]);
});
