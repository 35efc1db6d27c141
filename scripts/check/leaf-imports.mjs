/** A rule for ESLint: a test beside its unit imports the files that it needs, not the whole package, so that it starts quickly. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

/** @type {import('eslint').Rule.RuleModule} */
export const leafImports = {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [],
    messages: {
      whole:
        'This loads the whole package. Import the file of what is needed: a test beside its unit starts with that alone.',
    },
  },
  create(context) {
    const [, source] = /^(.*[\\/]packages[\\/][^\\/]+[\\/]src)[\\/]/.exec(context.filename) ?? [];
    if (source === undefined) return {};
    const entry = join(source, 'index.ts');
    const own = JSON.parse(readFileSync(join(source, '..', 'package.json'), 'utf8')).name;
    const folder = dirname(context.filename);
    return {
      ImportDeclaration(node) {
        const from = node.source.value;
        if (from !== own && (!from.startsWith('.') || sourceOf(folder, from) !== entry)) return;
        context.report({ node, messageId: 'whole', fix: (fixer) => leaves(node, entry, folder, fixer) });
      },
    };
  },
};

/** An import from each file that defines some of the names; nothing where a file cannot be told. */
function leaves(node, entry, folder, fixer) {
  const names = new Map();
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier') return null;
    const file = definedIn(entry, specifier.imported.name);
    if (file === undefined) return null;
    const isType = node.importKind === 'type' || specifier.importKind === 'type';
    const { imported, local } = specifier;
    const name = imported.name === local.name ? local.name : `${imported.name} as ${local.name}`;
    names.set(file, [...(names.get(file) ?? []), { name, isType }]);
  }
  const statements = [...names].map(([file, imported]) => {
    const isType = imported.every((each) => each.isType);
    const list = imported.map((each) => (each.isType && !isType ? `type ${each.name}` : each.name)).join(', ');
    return `import ${isType ? 'type ' : ''}{ ${list} } from '${pathTo(folder, file)}';`;
  });
  return fixer.replaceText(node, statements.join('\n'));
}

const sourceOf = (folder, specifier) => join(folder, specifier.replace(/\.js$/, '.ts'));

function pathTo(folder, file) {
  const path = relative(folder, file).split(sep).join(posix.sep).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

const declaration =
  /^export (?:declare )?(?:abstract |async )?(?:const|let|class|function\*?|interface|type|enum) (\w+)/gm;
const passedOn = /^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)';/gm;

/** The file that defines what `file` exports by this name. */
function definedIn(file, name) {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  for (const [, declared] of text.matchAll(declaration)) if (declared === name) return file;
  for (const [, list, from] of text.matchAll(passedOn)) {
    const isAll = list === undefined;
    const isNamed = list?.split(',').some((each) => each.trim().replace(/^type /, '') === name);
    if (!from.startsWith('.') || (!isAll && !isNamed)) continue;
    const definition = definedIn(sourceOf(dirname(file), from), name);
    if (definition !== undefined) return definition;
  }
  return undefined;
}
