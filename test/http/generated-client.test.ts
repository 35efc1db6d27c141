/** A typed client that another maker generates from the OpenAPI document: compiled, held against mistakes, and run on a server. */
import { openApiDocument } from '@blockwork/contract';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemsOf } from '../support/compiled-programs.js';
import { bearer, openWorld, owner } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld({ prefix: '/api/v1' });
});
afterAll(() => world.close());

/** What a program does with the client; `call` is its client, `policyId` a policy of the server. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './generated-types.js';

export async function use(baseUrl: string, authorization: string, policyId: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization } });
  const policy = await client.GET('/api/v1/policies/{policyId}', { params: { path: { policyId } } });
  const name: string | undefined = policy.data?.name;
  const list = await client.GET('/api/v1/policies', { params: { query: { pageIndex: '0', pageSize: '1' } } });
  const ids: string[] | undefined = list.data?.map(({ id }) => id);
  const sent = await client.POST('/api/v1/policies/{policyId}/tag/{tag}/blocks', {
    params: { path: { policyId, tag: 'echo' } },
    body: { n: 1 },
  });
  const unknown = await client.GET('/api/v1/policies/{policyId}', { params: { path: { policyId: 'none' } } });
  const code: number | undefined = unknown.error?.code;
  return { name, ids, sent: sent.data, code };
}
`;

const mistakes = {
  'a path that is not there': "client.GET('/api/v1/polices')",
  'a missing parameter': "client.GET('/api/v1/policies/{policyId}', {})",
  'a wrong type in the query': "client.GET('/api/v1/policies', { params: { query: { pageIndex: true } } })",
  'a method that the path does not have': "client.PATCH('/api/v1/policies')",
  'a missing body': "client.PUT('/api/v1/policies/{policyId}/publish', { params: { path: { policyId: 'p' } } })",
};

const mistaken = Object.values(mistakes).map(
  (call) => `import createClient from 'openapi-fetch';
import type { paths } from './generated-types.js';
const client = createClient<paths>({ baseUrl: '' });
void ${call};
`,
);

it('compiles as the document says, and not where a program departs from it', async () => {
  const types = astToString(await openapiTS(openApiDocument() as unknown as Parameters<typeof openapiTS>[0]));
  const [right, ...wrong] = problemsOf([program, ...mistaken], import.meta.url, { 'generated-types.ts': types });
  expect(right).toEqual([]);
  for (const [at, name] of Object.keys(mistakes).entries()) expect(wrong[at], name).not.toEqual([]);
});

it('works against a server', async () => {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const bare = import.meta.resolve('openapi-fetch');
  const source = outputText.replace("'openapi-fetch'", JSON.stringify(bare));
  const { use } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as {
    use: (url: string, authorization: string, policyId: string) => Promise<unknown>;
  };
  expect(await use(world.url, bearer(owner), world.policyId)).toMatchObject({
    name: expect.any(String) as string,
    ids: [world.policyId],
    sent: { n: 1 },
    code: 404,
  });
});
