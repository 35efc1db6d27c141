/** The operations of a policy's OpenAPI document, and the command lines that call them. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlLine, operationsIn, sampleOf } from '../app/interface/operations.js';

const document = {
  paths: {
    '/api/v1/policies/p/tag/report/blocks': {
      post: {
        operationId: 'sendReport',
        summary: 'Form',
        description: 'A form.',
        'x-roles': ['Producer'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { document: { $ref: '#/components/schemas/a~1b' }, ref: { type: ['string', 'null'] } },
              },
            },
          },
        },
        responses: {},
      },
      get: {
        operationId: 'readReport',
        summary: 'Form',
        'x-roles': ['Producer', 'OWNER'],
        responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
  components: {
    schemas: {
      'a/b': {
        type: 'object',
        properties: { name: { default: "it's $HOME `id`" }, again: { $ref: '#/components/schemas/a~1b' } },
      },
    },
  },
};

describe('the operations of a policy', () => {
  const operations = operationsIn(document);
  const argumentsOf = (line: string): string[] =>
    execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], {
      env: { BLOCKWORK_TOKEN: 'secret' },
      encoding: 'utf8',
    })
      .split('\0')
      .slice(0, -1);

  it('are reads and sends, each with the roles that may call it', () => {
    expect(operations.map(({ id, method, roles }) => [id, method, roles])).toEqual([
      ['readReport', 'GET', ['Producer', 'OWNER']],
      ['sendReport', 'POST', ['Producer']],
    ]);
  });

  it('are called by a line without a token in it, which a shell takes as it stands', () => {
    const [, send] = operations;
    if (send === undefined) throw new Error('There is none.');
    const line = curlLine({ ...send, path: `${send.path}?a='b'` }, 'https://host', document);
    expect(line).toContain('$BLOCKWORK_TOKEN');
    const words = argumentsOf(line);
    expect(words).toContain('Authorization: Bearer secret');
    expect(words.at(-1)).toBe(`https://host/api/v1/policies/p/tag/report/blocks?a='b'`);
    const body = JSON.parse(words.at(words.indexOf('-d') + 1) ?? '') as { document: { name: string } };
    expect(body.document.name).toBe("it's $HOME `id`");
  });

  it('have a sample for each shape, also where schemas go round in circles', () => {
    expect(sampleOf({ enum: ['a', 'b'] }, document)).toBe('a');
    expect(sampleOf({ type: 'array', items: { type: 'number' } }, document)).toEqual([0]);
    expect(sampleOf({ oneOf: [{ type: 'boolean' }, {}] }, document)).toBe(false);
    expect(sampleOf({ $ref: '#/components/schemas/constructor' }, document)).toEqual({});
    expect(JSON.stringify(sampleOf({ $ref: '#/components/schemas/a~1b' }, document)).length).toBeLessThan(2000);
  });

  it('are none of something that is no document', () => {
    expect(operationsIn(null)).toEqual([]);
    expect(operationsIn({ paths: { x: null } })).toEqual([]);
  });
});
