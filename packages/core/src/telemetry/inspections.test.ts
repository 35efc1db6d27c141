import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { Inspections, type Inspection, type PublishedInspection } from './inspections.js';

const lost: Inspection = { type: 'link.lost', reason: 'the test says so' };
const source = { instance: 'south', node: '' };

/** Everything that is published on the channel, of every engine, until it is stopped. */
function listener() {
  const heard: PublishedInspection[] = [];
  const hear = (message: unknown): void => void heard.push(message as PublishedInspection);
  subscribe('blockwork:inspection', hear);
  return { heard, stop: () => unsubscribe('blockwork:inspection', hear) };
}

it('an inspection is published once for the whole process, with the engine that it is of', () => {
  const [inspections, other] = [new Inspections({ source }), new Inspections({})];
  const { heard, stop } = listener();
  inspections.publish(lost);
  other.publish(lost);
  stop();
  inspections.publish(lost);
  expect(heard).toEqual([
    { source, inspection: lost },
    { source: { instance: null, node: '' }, inspection: lost },
  ]);
  expect(heard[0]?.source).toBe(source);
});

it('an inspector hears its own engine alone', () => {
  const inspected: Inspection[] = [];
  const inspections = new Inspections({ inspector: (inspection) => void inspected.push(inspection) });
  new Inspections({ source }).publish(lost);
  expect(inspected).toEqual([]);
  inspections.publish(lost);
  expect(inspected).toEqual([lost]);
});

it('an inspector that throws is reported, and the others hear what it was told', () => {
  const failures: unknown[] = [];
  const thrown = new Error('observer');
  const inspections = new Inspections({
    inspector: () => {
      throw thrown;
    },
    onFailure: (...failure) => void failures.push(failure),
  });
  const { heard, stop } = listener();
  inspections.publish(lost);
  stop();
  expect(failures).toEqual([[thrown, lost]]);
  expect(heard).toHaveLength(1);
});

it('without an inspector or a subscriber nobody hears', () => {
  const inspections = new Inspections({ source });
  expect(inspections.isHeard).toBe(false);
  expect(new Inspections({ inspector: () => undefined }).isHeard).toBe(true);
  const { stop } = listener();
  expect(inspections.isHeard).toBe(true);
  stop();
  expect(inspections.isHeard).toBe(false);
});
