/** The tables of revision keys and lanes, read from the syntax tree of their source, with the files that use each row. */
import ts from 'typescript';
import { table } from '../reference/markdown-table.mjs';

/** `files`: names and texts of the sources that may use a row. */
export function locksTables(source, files) {
  const file = ts.createSourceFile('revision-keys.ts', source, ts.ScriptTarget.Latest, true);
  return [
    table(['revision key', 'what it protects', 'used in'], rowsOf(file, 'revisionKeys', files)),
    table(['lane', 'what it orders', 'used in'], rowsOf(file, 'lanes', files)),
  ].join('\n\n');
}

const rowsOf = (file, name, files) =>
  objectNamed(file, name).properties.map(({ name: row, initializer }) => {
    const [pattern, purpose] = initializer.arguments;
    const isBucketed = initializer.expression.getText() === 'bucketedKey';
    const use = new RegExp(`\\b${name}\\.${row.getText()}\\.of\\(`);
    const users = files.filter(({ text }) => use.test(text)).map((user) => `\`${user.name}\``);
    return [`\`${textOf(pattern)}${isBucketed ? '/<bucket>' : ''}\``, textOf(purpose), users.sort().join(', ')];
  });

function objectNamed(file, name) {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((each) => each.name.getText() === name);
  const value = declared?.initializer;
  const object = value !== undefined && ts.isAsExpression(value) ? value.expression : value;
  if (object === undefined || !ts.isObjectLiteralExpression(object)) throw new Error(`There is no table ${name}.`);
  return object;
}

const textOf = (node) => (node !== undefined && ts.isStringLiteralLike(node) ? node.text : '');
