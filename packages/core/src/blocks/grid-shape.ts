/** A grid's answer as JSON Schema: a page of rows with the fields of the schema its sources select by. */
import type { BlockNode } from '../policy/index.js';
import { isObject, type JsonObject } from '../records/index.js';

export function gridShape(block: BlockNode): JsonObject {
  const whole = { type: 'integer', minimum: 0 };
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items: rowShape(block) },
      page: whole,
      pageSize: whole,
      totalCount: whole,
      hasPreviousPage: { type: 'boolean' },
      hasNextPage: { type: 'boolean' },
    },
    required: ['data'],
  };
}

function rowShape(block: BlockNode): JsonObject {
  const subjects = subjectsOf(block);
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      owner: { type: 'string' },
      createDate: { type: 'string', format: 'date-time' },
      option: { type: 'object', properties: { status: { type: 'string' } } },
      document: {
        type: 'object',
        ...(subjects === null ? {} : { properties: { credentialSubject: { type: 'array', items: subjects } } }),
      },
    },
    required: ['id'],
  };
}

/** `null` if the sources do not share one schema, or if an addon may omit fields. */
function subjectsOf({ children }: BlockNode): JsonObject | null {
  const sources = children.filter(({ definition }) => definition === null || definition.kind === 'source');
  const schemas = new Set(sources.map(schemaOfSource));
  if (schemas.size === 0 || schemas.has('')) return null;
  const [first, ...others] = [...schemas].map((iri) => ({ $ref: iri }));
  return first === undefined || others.length === 0 ? (first ?? null) : { anyOf: [first, ...others] };
}

/** Empty if it selects by no schema, or selects documents other than credentials. */
function schemaOfSource({ options, children }: BlockNode): string {
  const changesRows = children.some(({ definition }) => definition === null || definition.kind === 'addon');
  if (changesRows || !isObject(options) || options['dataType'] !== 'vc-documents') return '';
  return typeof options['schema'] === 'string' ? options['schema'] : '';
}
