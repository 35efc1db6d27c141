/** Grid addons implemented by front ends: each exposes its settings to users who may see it. */
import { defineBlock, heading, isLiteral, literalSecret, namesSecret, tolerant } from '@blockwork/core/block';
import { z } from 'zod';

const { listOf, text } = tolerant;

const common = { kind: 'addon', children: 'none', pure: true } as const;

export const transformationUIAddon = defineBlock({
  ...common,
  type: 'transformationUIAddon',
  title: 'Transformation by the front end',
  description: 'A script that front ends run over the data that a user enters or sees.',
  options: z.object({
    /** JavaScript, for front ends. */
    expression: text,
  }),
  read: (ctx) => ({ ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData }),
});

export const httpRequestUIAddon = defineBlock({
  ...common,
  type: 'httpRequestUIAddon',
  title: 'HTTP request by the front end',
  description: 'A request that front ends send on behalf of the user. Every user who may see the block sees all of it.',
  options: z.object({
    method: text.transform((method) => method.toLowerCase() || 'get').pipe(z.enum(['get', 'post', 'put'])),
    /** Address of the request. */
    url: text,
    headers: listOf(z.object({ name: text, value: text })),
    /** `bearerToken`: the front end obtains a token from `authenticationURL`. Otherwise there is none. */
    authentication: text.pipe(z.enum(['', 'bearerToken'])),
    /** Token endpoint. */
    authenticationURL: text,
    /** Client id of the front end. */
    authenticationClientId: text,
    /** Scopes of the token. */
    authenticationScopes: text,
  }),
  check: (node, { headers }) =>
    headers.flatMap(({ name, value }, at) =>
      namesSecret(name) && isLiteral(value)
        ? [literalSecret(node, `the header "${name}"`, ['headers', at, 'value'])]
        : [],
    ),
  read: (ctx) => ({ ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData }),
});

export const ipfsTransformationUIAddon = defineBlock({
  ...common,
  type: 'ipfsTransformationUIAddon',
  title: 'IPFS files by the front end',
  description: 'Makes front ends show files on IPFS, either loaded or by a gateway address.',
  options: z.object({
    /** `base64`: the content of the file. `ipfsGateway`: the address of the file. */
    transformationType: text.transform((type) => type || 'base64').pipe(z.enum(['base64', 'ipfsGateway'])),
    /** An address with `{cid}` for the file. */
    ipfsGatewayTemplate: text.transform((template) => template || 'https://{cid}.ipfs.w3s.link'),
  }),
  read: (ctx) => ({ ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData }),
});
