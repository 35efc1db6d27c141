/** Routes that describe the interface itself. */
import { z } from 'zod';
import { component } from '../component.js';
import { route } from '../route.js';

export const openApi = component('OpenApiDocument', z.looseObject({ openapi: z.string() }));

export const documentRoutes = {
  getOpenApi: route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'Describes the interface as an OpenAPI document.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'OpenAPI 3.1.', schema: openApi } },
  }),
} as const;
