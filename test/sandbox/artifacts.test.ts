/** Files that a registry uploads to its drafts, for blocks to use. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
let policyId: string;
beforeEach(async () => {
  world = await openRegistryWorld();
  policyId = String(await world.result(world.call('POST', 'policies/push', { name: 'Registry' })));
});
afterEach(() => world.close());

interface Artifact {
  id: string;
  name: string;
}
const upload = (
  files: Readonly<Record<string, string>>,
  to = policyId,
  who: 'registry' | 'other' | 'ann' = 'registry',
) => world.as(who, 'POST', `artifacts/${to}`, { files });
const listed = async (): Promise<Artifact[]> =>
  (await world.call('GET', `artifacts?policyId=${policyId}`)).body as Artifact[];

it('files come to a draft, go with its archive, and are removed', async () => {
  const uploaded = await upload({ 'factors.json': '{"EU": 0.25}', 'script.js': 'done(1);\r\n--not the end' });
  expect(uploaded).toMatchObject({
    status: 201,
    body: [
      { name: 'factors', extention: 'json', type: 'JSON', policyId, owner: 'did:example:registry' },
      { name: 'script', extention: 'js', type: 'Executable Code' },
    ],
  });
  expect((await listed()).map(({ name }) => name).sort()).toEqual(['factors', 'script']);
  const copy = String(await world.result(world.call('POST', `policies/push/${policyId}`, { name: 'Copy' })));
  expect((await world.call('GET', `artifacts?policyId=${copy}`)).body).toHaveLength(2);
  for (const { id } of await listed()) {
    expect((await world.as('other', 'DELETE', `artifacts/${id}`)).status).toBe(404);
    expect((await world.as('registry', 'DELETE', `artifacts/${id}`)).status).toBe(204);
    expect((await world.as('registry', 'DELETE', `artifacts/${id}`)).status).toBe(404);
  }
  expect(await listed()).toEqual([]);
  expect((await world.call('GET', `artifacts?policyId=${copy}`)).body).toHaveLength(2);
});

it("nothing but a draft of one's own takes files", async () => {
  const files = { 'x.json': '{}' };
  expect(await upload(files, '-----')).toMatchObject({ status: 422, body: { error: 'NO_DRAFT' } });
  expect(await upload(files, policyId, 'other')).toMatchObject({ status: 422, body: { error: 'NO_DRAFT' } });
  expect((await upload(files, policyId, 'ann')).status).toBe(403);
  await upload(files);
  const [file] = await listed();
  expect((await world.call('PUT', `policies/${policyId}/dry-run`, {})).body).toMatchObject({ isValid: true });
  expect(await upload(files)).toMatchObject({ status: 422, body: { error: 'NO_DRAFT' } });
  expect((await world.as('registry', 'DELETE', `artifacts/${String(file?.id)}`)).status).toBe(409);
});

it('a body that is no form with files is refused', async () => {
  const post = (body: string, type: string) =>
    world.as('registry', 'POST', `artifacts/${policyId}`, {
      bytes: Buffer.from(body),
      headers: { 'content-type': type },
    });
  const form = 'multipart/form-data; boundary=x';
  const part = 'Content-Disposition: form-data; name="a"; filename="a.json"\r\n\r\n{}\r\n';
  const field = 'Content-Disposition: form-data; name="a"\r\n\r\nfield\r\n';
  for (const [body, type] of [
    ['', form],
    ['{}', 'application/json'],
    [`--x\r\n${part}--x--`, 'multipart/form-data'],
    [`--x\r\n${part}`, form],
    [`--x\r\n${field}--x--`, form],
    [`--x\r\nno headers\r\n--x--`, form],
    [`${`--x\r\n${part}`.repeat(101)}--x--`, form],
  ] as const)
    expect((await post(body, type)).status, `${type} ${body.slice(0, 40)}`).toBe(400);
  expect((await post(`--x\r\n${part}--x\r\n${field}--x--`, form)).body).toMatchObject([{ name: 'a' }]);
  expect(await listed()).toHaveLength(1);
});
