/** A bench over a policy that is written as code: tags and documents have types, which are checked with those of all tests. */
import { definePolicy, defineSchema, type DocumentOf } from '@blockwork/blocks';
import { policyBench } from '@blockwork/testing';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const place = defineSchema({
  iri: '#6c2d0000-0000-4000-8000-000000000002',
  name: 'Place',
  document: {
    $id: '#6c2d0000-0000-4000-8000-000000000002',
    type: 'object',
    properties: { country: { type: 'string', enum: ['DE', 'FR'] } },
    required: ['country'],
  },
});

const plant = defineSchema({
  iri: '#6c2d0000-0000-4000-8000-000000000001',
  name: 'Plant',
  document: {
    type: 'object',
    properties: {
      policyId: { type: 'string' },
      capacityKW: { type: 'number' },
      place: { $ref: '#6c2d0000-0000-4000-8000-000000000002' },
      notes: { type: 'array', items: { type: 'string' } },
    },
    required: ['capacityKW'],
    $defs: { [place.iri]: place.document },
  },
});

const report = defineSchema({
  iri: '#6c2d0000-0000-4000-8000-000000000003',
  name: 'Report',
  document: z.object({ hours: z.number().min(0).describe('Hours of operation'), remark: z.string().optional() }),
});

const policy = definePolicy({
  name: 'Plants',
  policyRoles: ['Producer'],
  schemas: [place, plant, report],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    uiMetaData: { type: 'blank' },
    children: [
      {
        blockType: 'policyRolesBlock',
        tag: 'join',
        permissions: ['NO_ROLE'],
        defaultActive: true,
        roles: ['Producer'],
      },
      {
        blockType: 'requestVcDocumentBlock',
        tag: 'apply',
        permissions: ['Producer'],
        defaultActive: true,
        schema: plant.iri,
        idType: 'UUID',
        stopPropagation: true,
      },
      {
        blockType: 'requestVcDocumentBlock',
        tag: 'report',
        permissions: ['Producer'],
        defaultActive: true,
        schema: report.iri,
        idType: 'UUID',
      },
    ],
  },
});

test('forms take the documents of their schemas', async () => {
  const bench = policyBench(policy);
  const alice = bench.as('alice');
  await alice.choose({ role: 'Producer' });
  await alice.submit('apply', { capacityKW: 95, place: { country: 'DE' }, notes: ['first'] });
  await alice.send('report', { document: { hours: 3 }, ref: null });
  await expect(alice.submit('report', { hours: -1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  await bench.close();
});

test('the compiler refuses other tags, fields and values', () => {
  type Plant = DocumentOf<typeof policy, 'apply'>;
  expectTypeOf<Plant['capacityKW']>().toEqualTypeOf<number>();
  expectTypeOf<Plant['notes']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<keyof Plant>().toEqualTypeOf<'capacityKW' | 'place' | 'notes'>();
  expectTypeOf<NonNullable<Plant['place']>['country']>().toEqualTypeOf<'DE' | 'FR'>();
  expectTypeOf<DocumentOf<typeof policy, 'report'>>().toEqualTypeOf<{ hours: number; remark?: string | undefined }>();

  const refused = async () => {
    const alice = policyBench(policy).as('alice');
    // @ts-expect-error a tag that no block has
    await alice.send('aply', {});
    // @ts-expect-error a block that is no form
    await alice.submit('join', {});
    // @ts-expect-error text for a number
    await alice.submit('apply', { capacityKW: '95' });
    // @ts-expect-error a field that is missing
    await alice.submit('apply', {});
    // @ts-expect-error a field that there is not
    await alice.submit('apply', { capacityKW: 95, capacity: 1 });
    // @ts-expect-error a value that is not in the list
    await alice.submit('apply', { capacityKW: 95, place: { country: 'XX' } });
    // @ts-expect-error the same in what is sent as a whole
    await alice.send('apply', { document: { capacityKW: '95' } });
    // @ts-expect-error a schema that was written with zod
    await alice.submit('report', { hours: 'three' });
  };
  expectTypeOf(refused).returns.resolves.toBeVoid();
});

test('of other policies nothing is known', () => {
  const alice = policyBench(new Uint8Array()).as('alice');
  const send = (tag: string, data: unknown) => alice.send(tag, data);
  expectTypeOf(send).parameters.toEqualTypeOf<[string, unknown]>();
});
