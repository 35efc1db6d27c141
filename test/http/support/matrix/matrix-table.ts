/** Who may do what: asks every operation as every kind of caller, and tells what is answered as a page. */
import { contract, type Route } from '@blockwork/contract';
import type { GoodRequest } from '../good-requests.js';
import { pathOf, routes } from '../routes.js';
import { callers, openMatrixWorld, type MatrixWorld } from './matrix-world.js';

export type CallerName = keyof typeof callers;

/** What was answered, for the registry's published policy, its draft and the other registry's policy, where there are such. */
export interface Row {
  readonly name: string;
  readonly route: Route;
  readonly answers: Readonly<Record<CallerName, readonly string[]>>;
}

const names = Object.keys(callers) as CallerName[];

export async function matrixRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const asker = new Asker();
  for (const [name, route] of routes) {
    const answers: Partial<Record<CallerName, string[]>> = {};
    for (const caller of names) {
      const problems: string[] = [];
      for (const pick of targetsOf(await asker.world(), name)) problems.push(await asker.answer(route, pick, caller));
      answers[caller] = problems;
    }
    rows.push({ name, route, answers: answers as Row['answers'] });
  }
  await asker.close();
  return rows;
}

type Pick = (world: MatrixWorld) => GoodRequest | null;

/** One, if nothing is named by id. */
function targetsOf({ own }: MatrixWorld, name: (typeof routes)[number][0]): Pick[] {
  const good: Pick = (world) => world.own.requests[name];
  const { params } = own.requests[name];
  if (Object.keys(params).length === 0) return [good];
  const draft: Pick = (world) => {
    const request = world.own.requests[name];
    if (request.params['policyId'] !== world.own.published) return null;
    return { ...request, params: { ...request.params, policyId: world.own.draft } };
  };
  return [good, draft, (world) => world.foreign.requests[name]];
}

/** Keeps a world as long as nothing is changed in it. */
class Asker {
  #world: MatrixWorld | null = null;

  async world(): Promise<MatrixWorld> {
    this.#world ??= await openMatrixWorld();
    return this.#world;
  }

  async answer(route: Route, pick: Pick, caller: CallerName): Promise<string> {
    const world = await this.world();
    const request = pick(world);
    if (request === null) return '–';
    const response = await world.ask(requestOf(route, request, callers[caller]));
    await response.arrayBuffer();
    if (response.ok && route.method !== 'GET') await this.close();
    const count = response.headers.get('x-total-count');
    const isScoped = Object.keys(route.params).length === 0 && route.permission !== 'INSTANCE_OPERATE';
    return String(response.status) + (isScoped && count !== null ? ` (${count})` : '');
  }

  async close(): Promise<void> {
    await this.#world?.close();
    this.#world = null;
  }
}

function requestOf(route: Route, { params, query = '', type, body }: GoodRequest, authorization?: string): Request {
  const headers = Object.entries({ authorization, 'content-type': type });
  return new Request(`http://localhost/api/v1${pathOf(route, params)}${query}`, {
    method: route.method,
    headers: headers.filter((entry): entry is [string, string] => entry[1] !== undefined),
    ...(body !== undefined && { body }),
  });
}

const INTRODUCTION = `# Who may do what

A test asks every operation of the interface as every kind of caller, and \`npm run matrix\` writes the answers here. So a review sees what a
change lets somebody do.

- **no token**, and a **forged token** of another secret
- **no role**: a valid token without role and permissions
- **USER**: without a role in any policy; **member**: a USER with a role in the published policy of the registry
- **registry** and **other registry**: STANDARD_REGISTRY, each the owner of policies
- **AUDITOR**, and **OPERATOR** ([operators](scaling.md#operators))

Where the path names something, there are up to three answers: for the published policy (or another thing) of the registry · for its draft ·
for the published policy (or another thing) of the other registry. A number in parentheses says how many items the caller sees. Lifecycle
operations ask about policies in the status that they need. A draft is unknown to all but its registry and its members; only its blocks decide
by themselves who may use them, since that is how one becomes a member.
`;

export function matrixPage(rows: readonly Row[]): string {
  const head = ['operation', 'permission', ...names];
  const lines = rows.map(({ name, route: { method, path, permission, orPermission }, answers }) => [
    `\`${name}\`<br>\`${method} ${path}\``,
    [permission, orPermission].filter((each) => each != null).join(' or<br>'),
    ...names.map((caller) => answers[caller].join(' · ')),
  ]);
  const open = Object.entries(contract as Record<string, Route>)
    .filter(([, { permission }]) => permission === null)
    .map(([, { method, path }]) => `\`${method} ${path}\``);
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${INTRODUCTION}\nOpen to everybody, without a token: ${open.join(', ')}.\n\n${table}\n`;
}
