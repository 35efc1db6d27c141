import type { JsonObject } from '@blockwork/core/block';
import { blockBench, gridWith, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { integrationButtonBlock } from './integration-button.js';
import type { IntegrationCall, IntegrationOptions } from './integrations.js';

const rows = [credential('a', ANN.did, { country: 'CH' }), credential('b', BOB.did)];
const own = { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents', onlyOwnDocuments: true };
const worldBank = {
  buttonName: 'Ask',
  integrationType: 'WORLD_BANK',
  requestName: 'WORLD_BANK_population',
  requestParams: { path_country: 'document.credentialSubject.0.country', year: '2020' },
};

function button(
  settings: Partial<IntegrationOptions> = {},
  options: JsonObject = {},
): { readonly bench: BlockBench; readonly calls: IntegrationCall[] } {
  const calls: IntegrationCall[] = [];
  const population = (call: IntegrationCall) => {
    calls.push(call);
    return { data: { people: 8_670_000 } };
  };
  const bench = blockBench(integrationButtonBlock({ requests: { WORLD_BANK_population: population }, ...settings }), {
    options: { ...worldBank, ...options },
    documents: rows,
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [{ ...gridWith([], { uiMetaData: { fields: [{ bindBlock: 'block' }] } }), children: [own] }],
    },
  });
  return { bench, calls };
}
const press = ({ bench }: { bench: BlockBench }, id = 'a') => bench.as(ANN).send({ document: { id, forged: true } });
const failing = (requests: IntegrationOptions['requests'], more: Partial<IntegrationOptions> = {}) =>
  press(button({ ...(requests && { requests }), ...more }));

describe('integrationButtonBlock', () => {
  it('asks with what the policy and the row say, and makes a credential of the answer', async () => {
    const at = button();
    expect(await press(at)).toEqual({ data: { people: 8_670_000 }, type: 'JSON' });
    expect(at.calls).toMatchObject([
      { requestName: 'WORLD_BANK_population', params: { country: 'CH', year: '2020' }, did: ANN.did },
    ]);
    expect(at.bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent', 'RefreshEvent']);
    expect(sent(at.bench)).toMatchObject([
      {
        ...{ owner: ANN.did, type: 'INTEGRATION', relationships: ['1.a'], signature: 1 },
        option: { requestName: 'WORLD_BANK_population', requestParams: { country: 'CH', year: '2020' } },
        document: {
          issuer: 'did:bench:owner',
          credentialSubject: [{ dataType: 'JSON', data: '{"people":8670000}', parsedData: { people: 8_670_000 } }],
          proof: {},
        },
      },
    ]);
  });

  it('shows what it asks, and nothing of what it asks with', async () => {
    const shown = await button().bench.as(ANN).read();
    const { requestParams: _params, ...visible } = worldBank;
    expect(shown).toMatchObject({ ...visible, hideWhenDiscontinued: false });
    expect(shown).not.toHaveProperty('requestParams');
  });

  it('calls nothing that the program did not allow, and says so before', async () => {
    for (const settings of [{ requests: {} }, { requests: { other: () => ({ data: null }) } }]) {
      const at = button(settings);
      await expect(press(at)).rejects.toMatchObject({ code: 'INTEGRATION_NOT_ALLOWED' });
      expect(await at.bench.findings()).toContainEqual(
        expect.objectContaining({ severity: 'warning', message: expect.stringContaining('no such request') as string }),
      );
      expect(at.bench.emitted).toEqual([]);
    }
    const nameless = await button({}, { requestName: '' }).bench.findings();
    expect(nameless.filter(({ severity }) => severity === 'error')).toMatchObject([
      { severity: 'error', path: expect.stringMatching(/requestName$/) as string },
    ]);
    await expect(press(button({}, { requestName: 'toString' }))).rejects.toMatchObject({
      code: 'INTEGRATION_NOT_ALLOWED',
    });
  });

  it('asks nobody about a row that the user does not see, or that lacks what is asked with', async () => {
    const at = button();
    await expect(press(at, 'b')).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    const lacking = button({}, { requestParams: { path_area: 'document.credentialSubject.0.area' } });
    await expect(press(lacking)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('credentialSubject.0.area') as string,
    });
    expect([...at.calls, ...lacking.calls]).toEqual([]);
  });

  it('uses a stored answer to the same request again, if the policy wants it to', async () => {
    const at = button({}, { getFromCache: true });
    await press(at);
    expect(at.calls).toHaveLength(1);
    await press(at);
    expect(at.calls).toHaveLength(2);
    const { engine, policyId } = await at.bench.open();
    const [document] = sent(at.bench);
    await engine.program.documents.add(policyId, [{ ...document, id: 'answer' } as never]);
    expect(await press(at)).toEqual({ data: { people: 8_670_000 }, type: 'JSON' });
    expect(at.calls).toHaveLength(2);
    expect(sent(at.bench).at(-1)).toMatchObject({ id: 'answer' });
  });

  it('refuses answers that are late, too large, none, or a failure of the service', async () => {
    const name = worldBank.requestName;
    const refusal = (reason: string) => ({
      code: 'REMOTE_CALL_FAILED',
      message: expect.stringContaining(reason) as string,
    });
    const never = { [name]: () => new Promise<never>(() => undefined) };
    await expect(failing(never, { timeoutMs: 1 })).rejects.toMatchObject(refusal('within 1 ms'));
    await expect(failing(undefined, { maxBytes: 17 })).rejects.toMatchObject(refusal('18 bytes'));
    await expect(failing({ [name]: () => ({}) as never })).rejects.toMatchObject(refusal('{ data, type }'));
    const broken = () => {
      throw new Error('the quota is used up');
    };
    await expect(failing({ [name]: broken })).rejects.toMatchObject(refusal('the quota is used up'));
  });

  it('keeps data that is no JSON as text', async () => {
    const image = () => ({ data: 'R0lGODlh', type: 'GEOTIFF' });
    const at = button({ requests: { [worldBank.requestName]: image } });
    expect(await press(at)).toEqual({ data: 'R0lGODlh', type: 'GEOTIFF' });
    expect(sent(at.bench)).toMatchObject([
      { document: { credentialSubject: [{ data: 'R0lGODlh', dataType: 'GEOTIFF' }] } },
    ]);
  });

  it('takes functions only', () => {
    expect(() => integrationButtonBlock({ requests: { a: 'https://example.org' } as never })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });
});
