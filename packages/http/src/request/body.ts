/** Reads the body that a route accepts. */
import type { Body } from '@blockwork/contract';
import { readBytes } from './bytes-body.js';
import type { BodyShare } from './body-budget.js';
import type { HttpRequest } from './http-request.js';
import { readJson, readOptionalJson } from './json-body.js';

export interface BodyRules {
  /** Maximum size of a JSON body in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of a policy file in bytes. */
  readonly policyFileLimit: number;
  readonly approveWithoutBody: boolean;
}

export type BodyReader = (request: HttpRequest, share: BodyShare) => Promise<unknown>;

/** `null` for routes without a body. */
export function bodyReader(body: Body, rules: BodyRules): BodyReader | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json': {
      const schema = body.checkedBy === 'engine' ? null : body.schema;
      const isOptional =
        body.optional === 'always' || (body.optional === 'approveWithoutBody' && rules.approveWithoutBody);
      const read = isOptional ? readOptionalJson : readJson;
      return (request, share) => read(request, schema, { limit: rules.bodyLimit, share });
    }
    case 'bytes':
      return (request, share) => readBytes(request, body.types, { limit: rules.policyFileLimit, share });
  }
}
