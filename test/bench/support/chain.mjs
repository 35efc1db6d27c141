/** Policies for measurements: a chain of blocks of any length, and a policy with any number of schemas. */
import { defineBlock } from '@blockwork/core/block';
import { block } from './block.mjs';

/** How often `benchPass` has passed something on. */
export const passed = { count: 0 };

/** Where a run begins, what passes it on, and what stores it in the end. */
export const chainBlocks = [
  defineBlock({
    type: 'benchEntry',
    title: 'Entry',
    description: '',
    kind: 'interface',
    receive: async (ctx, input) => {
      if (ctx.block.source.stores === true) await ctx.documents.add(input);
      ctx.emit('RunEvent', input);
    },
  }),
  defineBlock({
    type: 'benchPass',
    title: 'Pass',
    description: '',
    kind: 'server',
    on: {
      RunEvent: async (ctx, { data }) => {
        passed.count += 1;
        ctx.emit('RunEvent', data);
      },
    },
  }),
  defineBlock({
    type: 'benchKeep',
    title: 'Keep',
    description: '',
    kind: 'server',
    on: { RunEvent: async (ctx, { data }) => void (await ctx.documents.add(data)) },
  }),
];

/** `length` blocks in a row; the last one `stores` what comes to it. */
export const chainPolicy = (length, stores) => ({
  name: `Chain of ${length}`,
  config: block('interfaceContainerBlock', 'root', {
    children: Array.from({ length }, (_, at) => {
      const isLast = at === length - 1;
      if (at === 0) return block('benchEntry', 'block-0', { stores: stores && isLast });
      return block(isLast && stores ? 'benchKeep' : 'benchPass', `block-${at}`);
    }),
  }),
});

/** A form for each of `schemas` schemas, which come to `megabytes` of JSON, with fewer values than a policy file may have. */
export function largePolicy(schemas, megabytes) {
  const fields = Math.round((megabytes * 1e6) / schemas / 420);
  const schema = (at) => ({
    iri: `#schema-${at}`,
    name: `Schema ${at}`,
    document: {
      $id: `#schema-${at}`,
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: fields }, (_, field) => [
          `field${field}`,
          {
            title: `Field ${field}`,
            description: `What is to be told about the field number ${field} of the schema number ${at}. `.repeat(4),
            type: field % 3 === 0 ? 'number' : 'string',
            readOnly: false,
            $comment: `{"term": "field${field}", "@id": "#field${field}"}`,
          },
        ]),
      ),
    },
  });
  return {
    name: 'Large',
    schemas: Array.from({ length: schemas }, (_, at) => schema(at)),
    config: block('interfaceContainerBlock', 'root', {
      children: Array.from({ length: 100 }, (_, at) =>
        block('requestVcDocumentBlock', `form-${at}`, {
          schema: `#schema-${at}`,
          idType: 'UUID',
          stopPropagation: true,
        }),
      ),
    }),
  };
}
