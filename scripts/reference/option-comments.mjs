/** What authors of block types wrote about their options: the comments in the sources, where the schemas stand. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { root } from '../run.mjs';

const folders = ['packages/core/src/blocks', 'packages/blocks/src'];

/** Resolves to a map from block type to a map from option to its description. */
export async function optionComments() {
  const files = (await Promise.all(folders.map(sourcesIn))).flat();
  const texts = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')])));
  const comments = new Map();
  for (const [file, text] of texts) {
    for (const [, type] of text.matchAll(/^ {2,4}type: '(\w+)',$/gm)) comments.set(type, commentsFor(file, texts));
  }
  return comments;
}

async function sourcesIn(folder) {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(root, folder, name))
    .sort();
}

/** The block's own file counts before those that it imports. */
function commentsFor(file, texts) {
  const imported = [...texts.get(file).matchAll(/from '(\.[^']+)\.js'/g)]
    .map(([, path]) => resolve(dirname(file), `${path}.ts`))
    .filter((path) => texts.has(path));
  const comments = new Map();
  for (const path of [...imported.reverse(), file]) collect(path, texts.get(path), comments);
  return comments;
}

/** Members of object literals with a comment above them. */
function collect(path, text, comments) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && node.name !== undefined) {
      const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
      const written = comment && ts.getTextOfJSDocComment(comment.comment);
      if (written) comments.set(node.name.getText(source).replaceAll("'", ''), written.replaceAll(/\s+/g, ' '));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
