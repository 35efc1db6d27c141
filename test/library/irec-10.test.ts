/** iREC 10: what a registrant asks for in one policy is taken in by another, which issues the certificates. */
import type { Caller, Json, JsonObject } from '@blockwork/core';
import { policyBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { library, libraryFile } from './library.js';
import { sampleSubject } from './sample-subject.js';

/** The recipient and its source on one engine, each with a registrant, Alice, who was approved. */
async function twoPolicies() {
  const bench = policyBench(libraryFile('policies', 'irec-10-recipient.policy'));
  const { engine, policyId: recipient } = await bench.open();
  const owner = bench.owner.caller;
  const { policy } = await engine.importPolicy(owner, libraryFile('policies', 'irec-10-source.policy'));
  const alice = bench.as('alice').caller;
  const at = (policyId: string, caller: Caller) => ({
    send: (tag: string, data: unknown) => engine.sendToBlock(caller, policyId, { tag }, data),
    read: (tag: string) => engine.readBlock<JsonObject>(caller, policyId, { tag }),
    rows: async (tag: string) => (await engine.readBlock<{ data: JsonObject[] }>(caller, policyId, { tag })).data,
  });
  type Session = ReturnType<typeof at>;
  const fill = async (session: Session, form: string, ref: Json = null): Promise<void> => {
    const { schema } = await session.read(form);
    await session.send(form, { document: sampleSubject((schema as { document: JsonObject }).document), ref });
  };
  const approve = async (session: Session, grid: string, button: string): Promise<void> => {
    const [document = null] = await session.rows(grid);
    await session.send(button, { tag: 'Button_0', document });
  };
  for (const policyId of [recipient, policy.id]) {
    await at(policyId, alice).send('choose_role', { role: 'Registrant' });
    await fill(at(policyId, alice), 'create_application');
    await approve(at(policyId, owner), 'registrants_grid', 'approve_registrant_btn');
  }
  const source = { alice: at(policy.id, alice), owner: at(policy.id, owner) };
  await fill(source.alice, 'create_device_form', (await source.alice.rows('registrant_form_grid'))[0]);
  await approve(source.owner, 'approve_devices_grid', 'approve_device_btn');
  await fill(source.alice, 'create_issue_request_form', (await source.alice.rows('devices_grid'))[0]);
  return { recipient: { alice: at(recipient, alice), owner: at(recipient, owner) }, source, bench };
}

describe.skipIf(library === undefined)('iREC 10', () => {
  it.each(['irec-10-recipient', 'irec-10-source'])('%s loads without an error among its findings', async (name) => {
    const bench = policyBench(libraryFile('policies', `${name}.policy`));
    const { engine, policyId } = await bench.open();
    const findings = await engine.getFindings(bench.owner.caller, policyId);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('takes the request of the source policy in, over the topic that the registrant names', async () => {
    const { recipient, source } = await twoPolicies();
    const [request] = await source.alice.rows('issue_requests_grid');
    const { alice } = recipient;
    await alice.send('external_topic', { operation: 'SetTopic', value: request?.topicId });
    await alice.send('external_topic', { operation: 'VerificationSchemas' });
    const { schemas } = (await alice.read('external_topic')) as { schemas: { id: string; status: string }[] };
    const fitting = schemas.filter(({ status }) => status === 'COMPATIBLE');
    expect(fitting).toMatchObject([{ name: 'I-REC Issue Request' }]);
    await alice.send('external_topic', { operation: 'SetSchema', value: fitting[0]?.id });
    await alice.send('external_topic', { operation: 'LoadDocuments' });
    const [taken] = await alice.rows('issue_requests_grid');
    expect(taken?.document).toEqual(request?.document);
    expect(taken?.relationships).toContain(request?.messageId);
    await alice.send('external_topic', { operation: 'LoadDocuments' });
    expect(await alice.rows('issue_requests_grid')).toHaveLength(1);
  });
});
