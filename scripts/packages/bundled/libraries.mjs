/** Which libraries stay packages when a package of ours is bundled for publishing; all others become part of its code. */
import { isBuiltin } from 'node:module';
import { isPackage, packageOf } from '../../bundles/write.mjs';

const unbundled = {
  'has files of its own: threads, WebAssembly, native code, pages, templates': [
    'create-blockwork',
    'piscina',
    '@jitl/quickjs-wasmfile-release-sync',
    'quickjs-emscripten-core',
    'pg',
    'swagger-ui-dist',
  ],
  'has parts under a licence of their own': ['@digitalbazaar/credentials-context'],
  'brings no text of its licence': ['@unified-latex/unified-latex-util-parse', 'saxes'],
  'is shared with the program, which hands its objects over': [
    '@koa/router',
    '@nats-io/jetstream',
    '@nats-io/transport-node',
    '@opentelemetry/api',
    '@opentelemetry/sdk-metrics',
    'fast-check',
    'koa',
    'vitest',
    'ws',
  ],
  'verifies signatures: a program must be able to update it without a release of ours': ['jsonwebtoken', 'koa-jwt'],
};

const names = new Set(Object.values(unbundled).flat());

/** The tables of the contract are small: who needs one has it in its own code, and need not install the contract. */
export const isTable = (name) => name.startsWith('@blockwork/contract/');

export const isOutside = (name) =>
  isPackage(name) &&
  !isTable(name) &&
  (name.startsWith('@blockwork/') || isBuiltin(name) || names.has(packageOf(name)));
