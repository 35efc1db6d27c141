import { createEngine } from '../engine/create-engine.js';
import type { Finding } from '../policy/model/policy-model.js';
import {
  defineBlock,
  documentsSourceAddon,
  policyRolesBlock,
  type BlockType,
  type Reference,
} from '@blockwork/core/block';
import { blockBench, type BenchSetup } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { archive, policyJson, written } from '../../test/policy-fixtures.js';

const named = { type: 'tested', title: '', description: '', kind: 'server' } as const;

const findingsOf = async (block: BlockType, setup: BenchSetup = {}): Promise<readonly Finding[]> => {
  const { engine, policyId, owner } = await blockBench(block, setup).open();
  return engine.getFindings(owner, policyId);
};

const all = [
  { to: 'schema', name: '#one', path: '/form' },
  { to: 'token', name: '0.0.1', path: '/coin' },
  { to: 'tokenTemplate', name: 'made', path: '/recipe' },
  { to: 'topic', name: 'news', path: '/channel' },
  { to: 'group', name: 'team', path: '/who/0' },
  { to: 'role', name: 'Judge', path: '/who/1' },
] as const satisfies Reference[];

const referring = (references: readonly Reference[]): BlockType =>
  defineBlock({ ...named, references: () => references });

it('what a block refers to and the policy does not have is a finding at the option that names it', async () => {
  const findings = await findingsOf(referring(all), { options: { tag: 'mine' } });
  expect(findings.filter(({ code }) => code === 'REFERENCE_UNKNOWN')).toEqual(
    [
      ['schema "#one"', '/form'],
      ['token "0.0.1"', '/coin'],
      ['token template "made"', '/recipe'],
      ['topic "news"', '/channel'],
      ['group "team"', '/who/0'],
      ['role "Judge"', '/who/1'],
    ].map(([what, path]) => ({
      severity: 'error',
      code: 'REFERENCE_UNKNOWN',
      message: `"mine" names the ${String(what)}, which the policy does not have.`,
      path: `/children/0${String(path)}`,
      block: expect.any(String) as string,
      tag: 'mine',
    })),
  );
});

it('what the policy has is none', async () => {
  const setup: BenchSetup = {
    roles: ['Judge'],
    groups: [{ name: 'team', creator: 'Judge', members: ['Judge'] }],
    policy: {
      schemas: [{ iri: '#one', name: 'One', document: {} }],
      tokens: [{ tokenId: '0.0.1', tokenName: 'One', tokenSymbol: 'ONE' }],
      policyTopics: [{ name: 'news' }],
      policyTokens: [{ templateTokenTag: 'made' }],
    },
  };
  expect(await findingsOf(referring(all), setup)).toEqual([]);
});

it('a block may do without, and an empty name refers to nothing', async () => {
  const findings = await findingsOf(
    referring([
      { to: 'schema', name: '#one', path: '/form', severity: 'warning' },
      { to: 'token', name: '', path: '/coin' },
    ]),
  );
  expect(findings).toMatchObject([{ severity: 'warning', path: '/children/0/form' }]);
});

it('an archive may lack schemas and tokens, as published ones do: it is tried, and the block that needs one fails', async () => {
  const needy = defineBlock({
    ...named,
    references: () => all,
    async receive(ctx) {
      const schema = await ctx.definitions.schema('#one');
      if (schema === undefined) ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: 'it has no schema' } });
    },
  });
  const engine = createEngine({ blocks: [needy] });
  const owner = { did: 'did:test:owner', role: 'STANDARD_REGISTRY' };
  const topics = { policyTopics: [{ name: 'news' }], policyTokens: [{ templateTokenTag: 'made' }] };
  const facts = { ...topics, policyRoles: ['Judge'], policyGroups: [{ name: 'team', creator: 'Judge', members: [] }] };
  const config = written('interfaceContainerBlock', '', {}, written('tested', 'mine'));
  const { policy } = await engine.importPolicy(owner, archive({ 'policy.json': policyJson(config, facts) }));
  const { isValid, findings } = await engine.lifecycle.dryRun(owner, policy.id);
  expect(isValid).toBe(true);
  expect(findings).toMatchObject([
    { severity: 'warning', path: '/children/0/form', message: expect.stringContaining('its archive came') as string },
    { severity: 'warning', path: '/children/0/coin' },
  ]);
  await expect(engine.sendToBlock(owner, policy.id, { tag: 'mine' }, {})).rejects.toMatchObject({
    code: 'BLOCK_MISCONFIGURED',
  });

  const misspelt = archive({ 'policy.json': policyJson(config, { ...facts, policyTopics: [{ name: 'nwes' }] }) });
  const { policy: other } = await engine.importPolicy(owner, misspelt);
  const refused = await engine.lifecycle.dryRun(owner, other.id);
  expect(refused).toMatchObject({ isValid: false });
  await engine.close();
});

it("options of somebody's block mean nothing by their names", async () => {
  const name = z.string();
  const options = z.object({ schema: name, inputSchema: name, outputSchema: name, presetSchema: name, tokenId: name });
  const stranger = defineBlock({ ...named, options });
  const setup: BenchSetup = {
    options: { schema: 'public', inputSchema: 'a', outputSchema: 'b', presetSchema: 'c', tokenId: 'd' },
  };
  const { engine, policyId, owner } = await blockBench(stranger, setup).open();
  expect(await engine.getFindings(owner, policyId)).toEqual([]);
  expect(await engine.lifecycle.dryRun(owner, policyId)).toMatchObject({ isValid: true });
});

it('a name that is close to one of the policy is a hint', async () => {
  const findings = await findingsOf(referring([{ to: 'role', name: 'Jugde', path: '/who' }]), { roles: ['Judge'] });
  expect(findings[0]?.message).toContain('(did you mean "Judge"?)');
});

describe('fields that formulas name', () => {
  const field = referring([{ to: 'field', name: 'amonut', path: '/rule', severity: 'warning' }]);
  const document = { type: 'object', $defs: { '#inner': { properties: { amount: { type: 'number' } } } } };

  it('are those of any schema of the policy, at any depth', async () => {
    const schemas = [{ iri: '#one', name: 'One', document }];
    const findings = await findingsOf(field, { policy: { schemas } });
    expect(findings).toMatchObject([{ severity: 'warning', path: '/children/0/rule' }]);
    expect(findings[0]?.message).toContain(
      'the field "amonut", which no schema of the policy has (did you mean "amount"?).',
    );
    expect(
      await findingsOf(referring([{ to: 'field', name: 'amount', path: '/rule' }]), { policy: { schemas } }),
    ).toEqual([]);
  });

  it('cannot be known where the policy has no schemas, or lacks one', async () => {
    expect(await findingsOf(field)).toEqual([]);
    const both = referring([
      { to: 'schema', name: '#two', path: '/schema' },
      { to: 'field', name: 'x', path: '/rule' },
    ]);
    const findings = await findingsOf(both, { policy: { schemas: [{ iri: '#one', name: 'One', document }] } });
    expect(findings.map(({ path }) => path)).toEqual(['/children/0/schema']);
  });
});

it('a type that JSON Schema does not know is an error at each block that uses the schema', async () => {
  const document = {
    type: 'object',
    properties: { name: { type: 'strng' }, type: { type: ['number', 'null'] }, list: { items: { type: 7 } } },
  };
  const findings = await findingsOf(referring([{ to: 'schema', name: '#one', path: '/form' }]), {
    policy: { schemas: [{ iri: '#one', name: 'One', document }] },
  });
  expect(findings.map(({ severity, code, path }) => [severity, code, path])).toEqual([
    ['error', 'SCHEMA_INVALID', '/children/0/form'],
    ['error', 'SCHEMA_INVALID', '/children/0/form'],
    // Its field "type" has a name that the engine uses itself.
    ['warning', 'SCHEMA_DOUBTFUL', '/children/0/form'],
  ]);
  const messages = findings.map(({ message }) => message).join(' ');
  expect(messages).toContain('/properties/name/type is "strng"');
  expect(messages).toContain('(did you mean "string"?)');
  expect(messages).toContain('/properties/list/items/type is 7');
});

it.each(['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion'])(
  'a field for users named %s is a warning, unless it is read-only or nested',
  async (name) => {
    const codes = async (field: object, wrapped = false): Promise<string[]> => {
      const fields = { properties: { [name]: field } };
      const document = { type: 'object', ...(wrapped ? { properties: { inner: fields } } : fields) };
      const block = referring([{ to: 'schema', name: '#one', path: '/form' }]);
      const findings = await findingsOf(block, { policy: { schemas: [{ iri: '#one', name: 'One', document }] } });
      return findings.map((finding) => finding.code);
    };
    expect(await codes({ type: 'string' })).toEqual(['SCHEMA_DOUBTFUL']);
    expect(await codes({ type: 'string', readOnly: true })).toEqual([]);
    expect(await codes({ type: 'string' }, true)).toEqual([]);
  },
);

it('a schema that works, but not as it seems, is a warning', async () => {
  const document = { properties: { h: { type: 'null' } }, required: ['h'] };
  const findings = await findingsOf(referring([{ to: 'schema', name: '#one', path: '/form' }]), {
    policy: { schemas: [{ iri: '#one', name: 'One', document }] },
  });
  expect(findings).toMatchObject([{ severity: 'warning', code: 'SCHEMA_DOUBTFUL', path: '/children/0/form' }]);
});

it('a block whose options are not valid refers to nothing', async () => {
  const block = defineBlock({ ...named, options: z.object({ schema: z.string() }), references: () => all });
  expect((await findingsOf(block)).map(({ code }) => code)).toEqual(['OPTIONS_INVALID']);
});

it('a target that does not exist is an error that names the block type', async () => {
  const block = referring([{ to: 'scheme' as 'schema', name: '#one', path: '/schema' }]);
  await expect(findingsOf(block)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message:
      'The option references of the block type "tested" in blocks cannot be used: it refers to a "scheme", which is none ' +
      'of schema, token, tokenTemplate, topic, group, role, field, text (did you mean "schema"?).',
  });
});

it('references that throw are an internal error, with what they threw as its cause', async () => {
  const cause = new TypeError('no options here');
  const block = defineBlock({
    ...named,
    references: () => {
      throw cause;
    },
  });
  await expect(findingsOf(block)).rejects.toMatchObject({ code: 'INTERNAL', cause });
});

it('the interface blocks refer to a schema, to roles and to groups; without them they only show less', async () => {
  const source = await findingsOf(documentsSourceAddon, {
    options: { dataType: 'vc-documents', schema: '#gone' },
    parent: { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid' },
  });
  expect(source).toMatchObject([{ severity: 'warning', message: expect.stringContaining('schema "#gone"') as string }]);
  const roles = await findingsOf(policyRolesBlock, {
    roles: ['Judge'],
    options: { roles: ['Judge', 'Juror'], groups: ['team'] },
  });
  expect(roles).toMatchObject([
    { severity: 'warning', path: '/children/0/roles/1' },
    { severity: 'warning', path: '/children/0/groups/0' },
  ]);
});
