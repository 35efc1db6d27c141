import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listOf, word } from '../../block-kit/option-schemas.js';
import { catalogOf, definition, facts, source } from '../../../test/policy-fixtures.js';
import { tolerant } from '../../block-kit/index.js';
import { compilePolicy } from './compile.js';

const flag = z.union([z.boolean(), z.enum(['true', 'false'])]).optional();
const filters = z
  .array(z.object({ field: z.string(), value: z.string().optional() }))
  .nullish()
  .transform((list) => list ?? []);

const catalog = catalogOf(
  definition('box', { kind: 'container' }),
  definition('rows', {
    options: z.object({
      onlyOwnDocuments: flag,
      orderDirection: z.string().optional(),
      filters: filters.optional(),
      uiMetaData: z.looseObject({ buttons: z.array(z.looseObject({ tag: z.string() })).optional() }).optional(),
    }),
  }),
  definition('open', { options: z.looseObject({ ports: z.array(z.string()).optional() }) }),
  definition('guard', {
    options: z
      .strictObject({
        schema: z.string().optional(),
        conditions: z.array(z.strictObject({ field: z.string() })).nullish(),
        left: tolerant.unused,
      })
      .transform((options) => options),
  }),
  definition('bare', { options: z.preprocess((value) => value, z.object({ size: z.number().optional() })) }),
);

const findingsOf = (...children: Parameters<typeof source>[]) =>
  compilePolicy(source('box', 'root', {}, ...children.map((child) => source(...child))), facts, catalog).findings;

test('a misspelt option is an error that says which one was meant, and where', () => {
  expect(findingsOf(['rows', 'mine', { onlyOwnDocument: true }])).toEqual([
    {
      severity: 'error',
      code: 'OPTION_MISSPELT',
      message:
        '"mine" (rows) has no member onlyOwnDocument, so it is ignored (did you mean "onlyOwnDocuments"?). Correct the name, or remove it.',
      path: '/children/0/onlyOwnDocument',
      block: expect.any(String) as string,
      tag: 'mine',
      suggestions: [{ kind: 'name', at: '/children/0/onlyOwnDocument', name: 'onlyOwnDocuments' }],
    },
  ]);
});

test.each([
  ['in capital letters', { OnlyOwnDocuments: true }, '/children/0/OnlyOwnDocuments', 'onlyOwnDocuments'],
  ['with two letters swapped', { fitlers: [] }, '/children/0/fitlers', 'filters'],
  ['that every block has', { permisions: [] }, '/children/0/permisions', 'permissions'],
  ['inside a list', { filters: [{ field: 'a' }, { feild: 'b', field: 'c' }] }, '/children/0/filters/1/feild', 'field'],
  ['of a button', { uiMetaData: { buttons: [{ tag: 'x', tga: 'y' }] } }, '/children/0/uiMetaData/buttons/0/tga', 'tag'],
])('a member %s is misspelt, too', (_, options, path, meant) => {
  const findings = findingsOf(['rows', 'mine', options]).filter(({ code }) => code === 'OPTION_MISSPELT');
  expect(findings).toMatchObject([{ path, message: expect.stringContaining(`did you mean "${meant}"?`) as string }]);
});

test('a word that means nothing is a warning with those that do', () => {
  const words = catalogOf(
    definition('box', { kind: 'container' }),
    definition('signer', {
      options: z.object({
        actor: word('owner', 'issuer').transform((actor) => actor || 'user'),
        ways: listOf(z.object({ user: word('all', 'one') })),
      }),
    }),
  );
  const signer = { actor: 'ownr', ways: [{ user: 'all' }, { user: 'some' }, { user: '' }] };
  const config = source(
    'box',
    'root',
    {},
    source('signer', 'sign', signer),
    source('signer', 'other', { actor: null }),
  );
  const { findings } = compilePolicy(config, facts, words);
  expect(findings.map(({ severity, path, message }) => [severity, path, message])).toEqual([
    [
      'warning',
      '/children/0/actor',
      '"sign" (signer) has the actor "ownr", which means nothing (did you mean "owner"?). Write one of owner, issuer, or leave it out.',
    ],
    [
      'warning',
      '/children/0/ways/1/user',
      '"sign" (signer) has the ways.1.user "some", which means nothing. Write one of all, one, or leave it out.',
    ],
  ]);
});

test('options that mean nothing are listed once for each block type, as information', () => {
  const findings = findingsOf(
    ['rows', 'a', { createdOrderDirection: 'ASC', memo: 1 }],
    ['rows', 'b', { createdOrderDirection: 'DESC' }],
    ['bare', 'c', { color: 'red', size: 1 }],
  );
  expect(findings).toEqual([
    {
      severity: 'information',
      code: 'OPTION_IGNORED',
      message: 'These options of rows have no effect: createdOrderDirection (2), memo (1).',
      path: '',
    },
    {
      severity: 'information',
      code: 'OPTION_IGNORED',
      message: 'These options of bare have no effect: color (1).',
      path: '',
    },
  ]);
});

test('a list of many ignored options is cut, and says so', () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`unheardOf${'x'.repeat(index * 3)}`, 1]));
  const [listed] = findingsOf(['rows', 'a', many]);
  expect(listed?.message).toMatch(/and 5 more\.$/);
});

test('what editors write on every block, variables of modules, and members of open options are no findings', () => {
  const common = { artifacts: [], followUser: true, tags: [], uiMetaData: { buttons: [], title: 'x' } };
  expect(findingsOf(['rows', 'a', common])).toEqual([]);
  expect(findingsOf(['open', 'b', { variables: [{ name: 'port', type: 'Role' }], port: 'X', color: 1 }])).toEqual([]);
  expect(findingsOf(['open', 'b', { port: 'X' }])).toMatchObject([{ code: 'OPTION_MISSPELT' }]);
});

test.each(['childs', 'blocks', 'kids'])('blocks in a member called %s are an error, since they are dropped', (name) => {
  const findings = findingsOf(['rows', 'mine', { [name]: [{ blockType: 'rows', tag: 'lost' }] }]);
  expect(findings).toMatchObject([
    {
      severity: 'error',
      code: 'OPTION_MISSPELT',
      path: `/children/0/${name}`,
      message: expect.stringContaining('did you mean "children"?') as string,
    },
  ]);
});

describe('options that a strict schema does not know', () => {
  const compiled = (options: object) =>
    compilePolicy(source('box', 'root', {}, source('guard', 'g', options)), facts, catalog);

  test.each([
    ['at the top', { onlySigned: true }, 'onlySigned', '/children/0/onlySigned', 'schema, conditions'],
    [
      'inside a list',
      { conditions: [{ field: 'a' }, { field: 'b', unless: 1 }] },
      'conditions.1.unless',
      '/children/0/conditions/1/unless',
      'field',
    ],
  ])('%s are errors, and keep the block shut', (_, options, name, path, knownNames) => {
    const { findings, byTag } = compiled(options);
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'OPTION_UNKNOWN',
        message: `"g" (guard) has the unknown option ${name}. This engine cannot enforce what it does not know, so the block stays shut. Remove the option, or express it with one of ${knownNames}.`,
        path,
        block: expect.any(String) as string,
        tag: 'g',
      },
    ]);
    expect(byTag.get('g')).toMatchObject({ options: null, optionsError: expect.stringMatching(/./) as string });
  });

  test('that are misspelt are told as such, once', () => {
    expect(compiled({ conditons: [] }).findings).toMatchObject([{ code: 'OPTION_MISSPELT', severity: 'error' }]);
  });

  test('do not include what every block may have', () => {
    const { findings, byTag } = compiled({ artifacts: [], followUser: true, tags: [], onErrorAction: 'no-action' });
    expect(findings).toEqual([]);
    expect(byTag.get('g')?.options).toEqual({});
  });

  test('do not include those that are known to do nothing, which are information', () => {
    const { findings, byTag } = compiled({ left: 1 });
    expect(findings).toMatchObject([
      { severity: 'information', code: 'OPTION_IGNORED', message: 'These options of guard have no effect: left (1).' },
    ]);
    expect(byTag.get('g')?.optionsError).toBe('');
  });
});
