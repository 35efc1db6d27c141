/** `externalDataBlock`: accepts credentials signed by devices and other systems (reference engine, section 7.25). */
import {
  allOf,
  defineBlock,
  isObject,
  passOn,
  RELEASE,
  tolerant,
  type DocumentInput,
  type Json,
  type JsonObject,
  type PolicyUser,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { demandValid, schemaOf, typeOf, type UsableSchema } from '../schemas/index.js';
import { askValidators } from './child-validators.js';
import { tiesOf } from './new-document.js';
import { referenceOf, refuseReference, type Reference } from './reference.js';
import { takeOnce } from './take-once.js';

const options = z.strictObject({
  /** Required schema of the credentials; any when empty. */
  schema: tolerant.text,
  entityType: tolerant.text,
  /** Also accept submissions for identities that are not members of the policy. */
  allowNonMembers: tolerant.flag,
});
type Options = z.infer<typeof options>;

const TYPE = 'externalDataBlock';

export const externalDataBlock = defineBlock({
  type: TYPE,
  title: 'External data',
  description: 'Accepts signed credentials from devices and other systems on behalf of a member.',
  kind: 'server',
  children: ['addon'],
  outputs: [RELEASE],
  options,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],

  acceptsNonMembers: ({ allowNonMembers }) => allowNonMembers,

  /**
   * Idempotent: a credential that was accepted before changes nothing. An untrusted one is rejected with
   * `CREDENTIAL_INVALID`, and nothing is stored.
   */
  async external(ctx, { document, ref }) {
    const { verified, reason } = await ctx.credentials.verify(document);
    if (!verified) distrust(ctx, reason);
    const subject = subjectOf(document);
    if (subject === undefined) distrust(ctx, 'it is no credential about a subject');
    if (isForAnother(ctx, subject)) return;
    const taken = await takeOnce(ctx, document);
    if (taken === 'other') distrust(ctx, 'there is another one with the same id and date');
    if (taken === 'new') await takeIn(ctx, document, subject, ref);
  },
});

/** If a policy has several such blocks, each receives every submission and accepts those of its schema. */
function isForAnother(ctx: RunContext<Options>, subject: JsonObject): boolean {
  const { schema } = ctx.options;
  if (schema === '' || isOfSchema(subject, schema)) return false;
  const takers = ctx.policy.blocks.filter(({ blockType }) => blockType === TYPE);
  const isTaken = takers.some(({ options: taker }) => isObject(taker) && takes(taker as Options, subject));
  if (!isTaken) distrust(ctx, `its subject is not of the type ${typeOf(schema)}`);
  return true;
}

async function takeIn(ctx: RunContext<Options>, document: JsonObject, subject: JsonObject, ref: Json): Promise<void> {
  const schema = await schemaFor(ctx, subject);
  const where = `/document/credentialSubject${Array.isArray(document.credentialSubject) ? '/0' : ''}`;
  if (schema !== undefined) demandValid(ctx, schema, subject, where);
  if (typeof subject.policyId === 'string' && subject.policyId !== ctx.policy.id) {
    distrust(ctx, 'it was made for another policy');
  }
  const reference = await referenceOf(ctx, ref);
  if (reference?.open === false) refuseReference(ctx);
  await demandIssuer(ctx, document, reference);
  const credential = await documentOf(ctx, document, subject, schema, reference);
  await askValidators(ctx, { document: credential, related: reference?.document ?? null });
  passOn(ctx, credential);
}

/** Without a schema option, the type named by the subject decides, if the policy has that schema. */
async function schemaFor(ctx: RunContext<Options>, { type }: JsonObject): Promise<UsableSchema | undefined> {
  if (ctx.options.schema !== '') return schemaOf(ctx, ctx.options.schema);
  const iri = typeof type === 'string' ? `#${type}` : '';
  const stored = await ctx.definitions.schema(iri);
  return stored === undefined ? undefined : schemaOf(ctx, iri);
}

async function documentOf(
  ctx: RunContext<Options>,
  credential: JsonObject,
  subject: JsonObject,
  schema: UsableSchema | undefined,
  reference: Reference | null,
): Promise<DocumentInput> {
  const { did: owner, group } = ctx.user;
  const ties = await tiesOf(ctx, schema?.document ?? null, subject, reference?.document);
  const type = ctx.options.entityType || schema?.id;
  return credentialDocument(ctx, credential, {
    owner,
    group,
    ...(type !== undefined && { type }),
    ...(schema !== undefined && { schema: schema.id }),
    ...ties,
  });
}

const isOfSchema = ({ type }: JsonObject, schema: string): boolean =>
  Array.isArray(type) ? type.includes(typeOf(schema)) : type === typeOf(schema);

const takes = ({ schema }: Options, subject: JsonObject): boolean => schema === '' || isOfSchema(subject, schema);

/**
 * The signer must be linked to the owner of the submission: the owner themselves, a device that they registered, an
 * identity created for them in this policy, or the subject of one of their documents that it refers to. Otherwise anyone
 * could submit data in another user's name.
 */
async function demandIssuer(
  ctx: RunContext<Options>,
  { issuer }: JsonObject,
  reference: Reference | null,
): Promise<void> {
  const did = isObject(issuer) ? issuer.id : issuer;
  if (typeof did === 'string') {
    if (did === ctx.user.did || did === ctx.policy.owner) return;
    if (await ctx.users.isDeviceOf(did, ctx.user.did)) return;
    if (reference !== null && belongsTo(ctx.user, reference) && isAbout(reference, did)) return;
    const where = allOf(
      { path: 'document.id', op: 'eq', value: did },
      { path: 'dataType', op: 'eq', value: 'did-documents' },
      { path: 'owner', op: 'eq', value: ctx.user.did },
    );
    if ((await ctx.documents.find(where, { limit: 1 })).length > 0) return;
  }
  distrust(ctx, 'its issuer has nothing to do with the one that it is handed in for');
}

const belongsTo = ({ did, group }: PolicyUser, { document }: Reference): boolean =>
  document.owner === did || (group !== null && document.group === group);

const isAbout = ({ document }: Reference, did: string): boolean => subjectOf(document.document)?.id === did;

function distrust(ctx: RunContext<Options>, reason: string): never {
  return ctx.fail('CREDENTIAL_INVALID', { facts: { reason: reason.replace(/\.$/, '') } });
}
