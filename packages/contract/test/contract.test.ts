import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract, fits, permissions, routeGroups } from '../src/index.js';
import type { Route } from '../src/index.js';

const routes: [string, Route][] = Object.entries(contract);

describe.each(routes)('route %s', (name, route) => {
  it('requires an existing permission, unless it is public', () => {
    if (route.permission === null) expect(Object.keys(routeGroups.Service)).toContain(name);
    else expect(permissions).toContain(route.permission);
  });

  it('declares exactly the parameters of its path', () => {
    const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.params)).toEqual(named);
  });

  it('declares a success, and the errors that its parts can cause', () => {
    const statuses = Object.keys(route.answers).map(Number);
    expect(statuses.some((status) => status < 300)).toBe(true);
    if (route.permission !== null) expect(statuses).toEqual(expect.arrayContaining([401, 403, 500, 503]));
    if (Object.keys(route.params).length > 0) expect(statuses).toEqual(expect.arrayContaining([400, 404]));
    if (route.body.kind !== 'none') expect(statuses).toEqual(expect.arrayContaining([400, 413, 415, 422]));
  });

  it('reads no body of a GET', () => {
    if (route.method === 'GET') expect(route.body.kind).toBe('none');
  });

  it('can be described as JSON Schema', () => {
    const schemas = [...Object.values(route.answers)].map((answer) => answer.schema);
    if (route.query.kind !== 'none') schemas.push(route.query.schema);
    if (route.body.kind === 'json') schemas.push(route.body.schema);
    for (const schema of schemas) expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow();
  });
});

it('no two routes share a method and path', () => {
  const places = routes.map(([, route]) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(places).size).toBe(places.length);
});

it.each(
  routes.flatMap(([name, route]) => Object.entries(route.params).map(([key, value]) => [name, key, value] as const)),
)('route %s checks %s exactly as its schema does', (_, __, parameter) => {
  const samples = ['', 'a', 'A b(ü)/%', '1.2', '1.2.3', 'a\nb', '__proto__', '9'.repeat(65), 'x'.repeat(501)];
  const uuids = ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-42661417400G', '00000000-0000'];
  for (const sample of [...samples, ...uuids]) {
    expect(fits(parameter, sample), JSON.stringify(sample)).toBe(parameter.schema.safeParse(sample).success);
  }
});
