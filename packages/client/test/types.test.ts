/** What the types of the client promise. Nothing here runs: a wrong call does not compile. */
import { describe, expectTypeOf, it } from 'vitest';
import type { BlockworkApiError, CallArgs, CallResult, Client } from '../src/index.js';

type Listed = Awaited<ReturnType<Client['routes']['listTokens']>>;

describe('the types of a call', () => {
  it('know parameters, query and body of the route', () => {
    expectTypeOf<CallArgs<'listTokens'>>().toExtend<{ readonly policyId: string }>();
    expectTypeOf<CallArgs<'listPolicies'>['query']>().toEqualTypeOf<
      { pageIndex?: number | undefined; pageSize?: number | undefined } | undefined
    >();
    expectTypeOf<CallArgs<'publishPolicy'>['body']>().toExtend<{ policyVersion: string }>();
    expectTypeOf<CallArgs<'importPolicyFile'>['body']>().toEqualTypeOf<Uint8Array>();
    expectTypeOf<CallArgs<'rejectRequest'>['body']>().toEqualTypeOf<{ reason?: string | undefined } | undefined>();
  });

  it('know the statuses and the answer of each', () => {
    expectTypeOf<Listed['data']>().toEqualTypeOf<string[]>();
    expectTypeOf<CallResult<'sendToBlock'>['status']>().toEqualTypeOf<200 | 202>();
    expectTypeOf<CallResult<'importPolicyFile'>['status']>().toEqualTypeOf<201>();
    expectTypeOf<CallResult<'importPolicyFile'>['data']['policy']['userRole']>().toEqualTypeOf<string>();
    type Cancelled = Extract<CallResult<'cancelRequest'>, { status: 202 }>;
    expectTypeOf<Cancelled['data']['messageId']>().toEqualTypeOf<string>();
  });

  it('refuse what is wrong', () => {
    const never = async ({ routes }: Client): Promise<void> => {
      // @ts-expect-error the parameter is missing
      await routes.listTokens();
      // @ts-expect-error the parameter has another name
      await routes.listTokens({ policy: 'p' });
      // @ts-expect-error a parameter is text
      await routes.listTokens({ policyId: 7 });
      // @ts-expect-error there is no such query parameter
      await routes.listPolicies({ query: { page: 1 } });
      // @ts-expect-error a page index is a number
      await routes.listPolicies({ query: { pageIndex: '1' } });
      // @ts-expect-error the body is missing
      await routes.publishPolicy({ policyId: 'p' });
      // @ts-expect-error the body has another member
      await routes.publishPolicy({ policyId: 'p', body: { version: '1.0.0' } });
      // @ts-expect-error this route takes no body
      await routes.dryRunPolicy({ policyId: 'p', body: {} });
      // @ts-expect-error a file is bytes
      await routes.importPolicyFile({ body: 'PK' });
    };
    expectTypeOf(never).toBeFunction();
    expectTypeOf<CallResult<'getPolicy'>['status']>().toEqualTypeOf<200>();
    expectTypeOf<Client['routes']>().not.toHaveProperty('deleteEverything');
  });

  it('know the members of an error', () => {
    expectTypeOf<BlockworkApiError['details'][number]['path']>().toEqualTypeOf<string>();
    expectTypeOf<BlockworkApiError['status']>().toEqualTypeOf<number>();
  });
});
