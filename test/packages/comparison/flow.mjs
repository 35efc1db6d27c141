/** An approval in plain files, with a fault on request, to see whether a comparison notices. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const open = ({ folder, fault }) => {
  const linesOf = (flow) => readFileSync(join(folder, flow), { flag: 'a+', encoding: 'utf8' }).split('\n').slice(0, -1);
  const pending = [];
  // The lines of a step are written at once, so that a kill leaves all of them or none.
  const write = (flow, ...lines) => {
    pending.push([flow, lines.join('\n')]);
    if (fault === 'lost' && pending.length < 20) return;
    for (const [name, text] of pending.splice(0)) appendFileSync(join(folder, name), `${text}\n`);
  };
  const hasBegun = new Set();
  return {
    async apply(flow) {
      hasBegun.add(flow);
      if (linesOf(flow).length === 0) write(flow, 'step');
    },
    async approve(flow, step) {
      if (fault === 'stuck' && !hasBegun.has(flow)) throw new Error('Only the process that began it goes on.');
      const certificates = step < 10 ? 0 : fault === 'doubled' ? 2 : 1;
      write(flow, 'step', ...Array.from({ length: certificates }, () => 'certificate'));
    },
    async state(flow) {
      const count = (line) => linesOf(flow).filter((each) => each === line).length;
      return { step: count('step'), certificates: count('certificate') };
    },
    async close() {
      await Promise.resolve();
    },
  };
};
