/** Checking and editing a draft of 1,000 blocks and 200 schemas, against parsing its JSON and against a tenth of it. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { block } from './support/block.mjs';
import { inTurn, note, number, median, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const link = (source, output, target, input) => ({ source, output, target, input, actor: '', disabled: false });

const schema = (at) => ({
  iri: `#schema-${at}`,
  name: `Schema ${at}`,
  document: {
    $id: `#schema-${at}`,
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 12 }, (_, field) => [`field${field}`, { type: 'string', title: `Field ${field}` }]),
    ),
  },
});

/** Five blocks: a form, what it saves, and a grid of that. */
const section = (at) =>
  block('interfaceContainerBlock', `section ${at}`, {
    children: [
      block('requestVcDocumentBlock', `form ${at}`, {
        schema: `#schema-${at}`,
        idType: 'UUID',
        events: [link(`form ${at}`, 'RunEvent', `save ${at}`, 'RunEvent')],
      }),
      block('sendToGuardianBlock', `save ${at}`, {
        dataSource: 'database',
        documentType: 'vc',
        entityType: `report ${at}`,
        events: [link(`save ${at}`, 'RefreshEvent', `grid ${at}`, 'RefreshEvent')],
      }),
      block('interfaceDocumentsSourceBlock', `grid ${at}`, {
        uiMetaData: { fields: [{ name: 'document.credentialSubject.0.field1', title: 'Field', type: 'text' }] },
        children: [block('documentsSourceAddon', `source ${at}`, { dataType: 'vc-documents', filters: [] })],
      }),
    ],
  });

const engine = createEngine({ blocks: standardBlocks() });
const draft = async (sections) => {
  const counted = Array.from({ length: sections }, (_, at) => at);
  const { policy } = await engine.importPolicy(registry, {
    name: `${sections} sections`,
    schemas: counted.map(schema),
    config: block('interfaceContainerBlock', 'root', { children: counted.map(section) }),
  });
  return policy.id;
};
const large = await draft(200);
const small = await draft(20);
const json = JSON.stringify((await engine.editing.read(registry, large)).definition);

let values = 0;
const change = () => [{ op: 'setOption', block: 'form 7', path: '/uiMetaData/title', value: String((values += 1)) }];
const CALLS = 5;
/** Milliseconds of the processor, which other load on the machine changes less than the time. */
const measured = (work) => async () => {
  const began = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / CALLS;
};
const subjects = {
  parse: measured(() => JSON.stringify(JSON.parse(json))),
  check: measured(() => engine.editing.check(registry, large, change())),
  checkSmall: measured(() => engine.editing.check(registry, small, change())),
  edit: measured(() => engine.editing.edit(registry, large, change())),
};
await inTurn(3, subjects);
const result = await inTurn(rounds, subjects);
await engine.close();
note(
  `${Math.round(json.length / 1000)} kB, in ms of the processor: check / edit`,
  `${number(median(result.check))} / ${number(median(result.edit))}`,
);
report('check / parsing and writing its JSON', ratio(result.check, result.parse), '<= 20', (value) => value <= 20);
report(
  'check of ten times as many blocks and schemas',
  ratio(result.check, result.checkSmall),
  '<= 13',
  (value) => value <= 13,
);
report('edit / parsing and writing its JSON', ratio(result.edit, result.parse), '<= 5', (value) => value <= 5);
