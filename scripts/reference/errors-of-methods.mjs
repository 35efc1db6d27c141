/** The table of the errors of each method of the engine. */
import { table } from './markdown-table.mjs';

export const errorsOfMethods = (methodErrors) =>
  table(
    ['method', 'errors'],
    Object.entries(methodErrors).map(([method, { codes, blocks }]) => [
      `\`${method}\``,
      [...codes.map((code) => `\`${code}\``), ...(blocks ? ['those of blocks'] : [])].join(', ') || 'none',
    ]),
  );
