/** Detects secrets hard-coded in a request, where anyone with a copy of the policy can read them. */
import { isLiteral, isObject, literalSecret, namesSecret, type BlockNode, type Finding } from '@blockwork/core/block';
import type { RequestOptions } from './exchange.js';

export function literalSecrets(node: BlockNode, { url, headers, body }: RequestOptions): Finding[] {
  const found: Finding[] = [];
  headers.forEach(({ name, value }, at) => {
    if (!namesSecret(name) || !isLiteral(value)) return;
    found.push(literalSecret(node, `the header "${name}"`, ['headers', at, 'value']));
  });
  for (const name of secretParameters(url)) found.push(literalSecret(node, `the parameter "${name}"`, ['url']));
  for (const name of secretMembers(body)) found.push(literalSecret(node, `the member "${name}"`, ['body']));
  return found;
}

/** In an address, where nothing else says so, these short names are those of secrets too. */
const namesSecretParameter = (name: string): boolean =>
  namesSecret(name) || /^(key|token|sig|signature|pass|pwd)$/i.test(name);

/** Names of query parameters; `user:password` of the address is one too. */
function secretParameters(url: string): string[] {
  const userInfo = /^[a-z]+:\/\/[^/?#@]*:([^/?#@]*)@/i.exec(url)?.[1] ?? '';
  const query = url.split('#')[0]?.split('?')[1] ?? '';
  const parameters = query.split('&').map((pair) => [pair.split('=')[0] ?? '', pair.split('=').slice(1).join('=')]);
  const named = parameters.filter(([name = '', value = '']) => namesSecretParameter(name) && isLiteral(value));
  return [...(isLiteral(userInfo) ? ['password'] : []), ...named.map(([name = '']) => name)];
}

/** Names of members, at any depth; a body that is not JSON before it is filled in says nothing. */
function secretMembers(body: string): string[] {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return [];
  }
}

function membersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && namesSecret(name) && isLiteral(member) ? [name] : membersOf(member),
  );
}
