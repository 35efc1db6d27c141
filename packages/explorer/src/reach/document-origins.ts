/** Origins of the documents that a source queries. */
import { isObject, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import { asText, optionsOf, schemaMembers, STATUS } from '../guidance/document-flow.js';

/** Block types that show or check documents but create none. */
const showing: ReadonlySet<string> = new Set(['source', 'filter', 'paging', 'history', 'container']);
const judging: ReadonlySet<string> = new Set([
  'switchBlock',
  'documentValidatorBlock',
  'reportItemBlock',
  'reportBlock',
]);

/** Members of a block in which its author writes the type or the status of a document that it makes, or a script. */
const valueMembers: ReadonlySet<string> = new Set(['entityType', 'value', 'status', 'expression']);

interface Maker {
  readonly node: BlockNode;
  readonly schemas: ReadonlySet<string>;
  /** Texts that may name a type or a status. */
  readonly values: readonly string[];
}

export class DocumentOrigins {
  readonly #makers: readonly Maker[];

  constructor({ blocks }: PolicyTree) {
    this.#makers = blocks
      .filter(({ definition, blockType }) => !showing.has(definition?.kind ?? '') && !judging.has(blockType))
      .map((node) => ({ node, schemas: schemasIn(node), values: valuesIn({ ...node.source, children: [] }) }));
  }

  /**
   * The reason why no reachable block creates documents that match this source's query; `null` if some may exist. A value
   * that no block names at all may be set by the engine itself.
   */
  missing(source: BlockNode, alive: ReadonlySet<BlockNode>): string | null {
    const { schema, filters } = optionsOf(source);
    if (schema !== '') {
      const reason = noneOf(
        schema,
        this.#makers.filter(({ schemas }) => schemas.has(schema)),
        alive,
      );
      if (reason !== null) return reason;
    }
    for (const { type, field, value } of filters) {
      const name = asText(value);
      if (type !== 'equal' || (field !== 'type' && field !== STATUS) || name === '') continue;
      const reason = noneOf(
        name,
        this.#makers.filter(({ values }) => values.some((text) => names(text, name))),
        alive,
      );
      if (reason !== null) return reason;
    }
    return null;
  }
}

function noneOf(value: string, makers: readonly Maker[], alive: ReadonlySet<BlockNode>): string | null {
  if (makers.length === 0 || makers.some(({ node }) => alive.has(node))) return null;
  const tags = makers.slice(0, 5).map(({ node: { tag } }) => `"${tag}"`);
  return `only ${tags.join(', ')} would make one "${value}", which nothing can reach`;
}

/** Scripts name values in quotation marks. */
const names = (text: string, value: string): boolean =>
  text === value || [`"${value}"`, `'${value}'`, `\`${value}\``].some((quoted) => text.includes(quoted));

function schemasIn({ options }: BlockNode): Set<string> {
  if (!isObject(options)) return new Set();
  return new Set(schemaMembers.map((member) => options[member]).filter((iri) => typeof iri === 'string'));
}

function valuesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? (valueMembers.has(name) ? [member] : []) : valuesIn(member),
  );
}
