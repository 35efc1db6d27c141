/** Policies that announce documents on a stream, and the block that makes the documents. */
import { defineBlock, RUN, type JsonObject } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';
import { schemas } from './farm-schemas.js';

export const STREAM = '0.0.7001';

/** Signs subjects, publishes and stores them, and sends them on. `forged` changes a signed one, `revoke` takes it back. */
export const documentMaker = defineBlock({
  type: 'benchMaker',
  title: 'Maker',
  description: 'Makes published documents.',
  kind: 'interface',
  input: z.array(z.record(z.string(), z.json())),
  async receive(ctx, subjects) {
    const owner = ctx.user.did;
    for (const { forged = {}, revoke = false, ...subject } of subjects) {
      const signed = await ctx.credentials.issue({ issuer: owner, subject });
      const hash = ctx.credentials.hash(signed);
      const message = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner, hash });
      const { id: messageId, topicId } = message;
      const document = { ...signed, credentialSubject: [{ ...subject, ...(forged as JsonObject) }] };
      const stored = await ctx.documents.add({ owner, hash, messageId, topicId, document });
      if (revoke === true)
        await ctx.ledger.publish({ topic: 'root', type: 'revoke', owner, body: { revoke: messageId } });
      ctx.emit(RUN, [stored]);
    }
  },
});

/** Whoever sends subjects to `maker` has them announced. */
export const writingPolicy = (writer: JsonObject = {}) => ({
  name: 'Writers',
  policyRoles: [],
  policyGroups: [],
  schemas,
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('benchMaker', 'maker', {
        events: [{ source: 'maker', output: 'RunEvent', target: 'writer', input: 'RunEvent', actor: '' }],
      }),
      block('globalEventsWriterBlock', 'writer', { topicIds: [{ topicId: STREAM }], ...writer }),
    ],
  }),
});
