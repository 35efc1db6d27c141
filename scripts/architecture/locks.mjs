/** The tables of revision keys and lanes, read from the syntax tree of their source. */
import ts from 'typescript';
import { table } from '../reference/markdown-table.mjs';

export function locksTables(source) {
  const file = ts.createSourceFile('revision-keys.ts', source, ts.ScriptTarget.Latest, true);
  return [
    table(['revision key', 'what it protects', 'taken by', 'read by'], rowsOf(file, 'revisionKeys')),
    table(['lane', 'what it orders', 'taken by', 'read by'], rowsOf(file, 'lanes')),
  ].join('\n\n');
}

const rowsOf = (file, name) =>
  objectNamed(file, name).properties.map(({ initializer }) => {
    const [pattern, description] = initializer.arguments;
    const members = new Map(description.properties.map((member) => [member.name.getText(), member.initializer]));
    const isBucketed = initializer.expression.getText() === 'bucketedKey';
    return [
      `\`${textOf(pattern)}${isBucketed ? '/<bucket>' : ''}\``,
      textOf(members.get('protects')),
      namesIn(members.get('takenBy')),
      members.has('readBy') ? namesIn(members.get('readBy')) : 'none',
    ];
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
const namesIn = (node) =>
  node !== undefined && ts.isArrayLiteralExpression(node) ? node.elements.map(textOf).join(', ') : '';
