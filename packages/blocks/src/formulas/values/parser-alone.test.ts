/** The parser of formulas in the bundle reads every text as the whole library does, and has the same numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { unpackArchive } from '@blockwork/core/files';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { writeFormulaParser } from '../../../../../scripts/bundles/blocks.mjs';
import { temporaryFolders } from '../../../../../test/support/folders.js';
import { loadParts } from './library.js';

type Parts = ReturnType<typeof loadParts>;

const newFolder = temporaryFolders();
const whole = loadParts();
let alone: Parts;

beforeAll(async () => {
  const folder = await newFolder();
  await writeFormulaParser(folder);
  const bundled = createRequire(import.meta.url)(join(folder, 'formula-parser.cjs')) as { loadParts: typeof loadParts };
  alone = bundled.loadParts();
});

/** All that a parser makes of a text: the tree with every member of its nodes, or the fault with its place. */
function read({ parse }: Parts, text: string): unknown {
  try {
    return JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    const { name, message, char } = error as Error & { char?: number };
    return { name, message, char };
  }
}

const tokens = [
  ...[
    '0',
    '1',
    '2.50',
    '.5',
    '3.',
    '1e3',
    '1e',
    '1e999',
    '0x1F',
    '0b101.1',
    '0o17',
    '0xFFi8',
    '12345678901234567890.125',
  ],
  ...[
    'a',
    'b',
    'E1',
    'field0',
    'i',
    'pi',
    'e',
    'µ',
    'ünit',
    'end',
    'true',
    'false',
    'null',
    'undefined',
    'NaN',
    'Infinity',
  ],
  ...[
    'sum',
    'round',
    'import',
    'createUnit',
    'f(x) =',
    'in',
    'to',
    'mod',
    'not',
    'and',
    'or',
    'xor',
    'cm',
    'constructor',
  ],
  ...['+', '-', '*', '/', '^', '%', '!', "'", '.*', './', '.^', '&', '|', '~', '^|', '<<', '>>', '>>>', '??', '?.'],
  ...[
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '=',
    '?',
    ':',
    ',',
    ';',
    '\n',
    '.',
    '"text"',
    "'text'",
    '"',
    '# note',
    '→',
    ' ',
  ],
  ...['(', ')', '[', ']', '{', '}', '()', '[1, 2; 3, 4]', '{a: 1}', '(a)', '(2)', 'a[1]', 'a.b', 'sum(a)'],
];

const text = fc
  .tuple(fc.array(fc.constantFrom(...tokens), { maxLength: 12 }), fc.constantFrom('', ' '))
  .map(([parts, between]) => parts.join(between));

const { formula } = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', '0.1', '0xA', 'a', 'E1', 'x[2]', 'x.y', '"t"', 'true', '8%', '[a, 2]'),
    fc
      .tuple(
        tie('formula'),
        fc.constantFrom('+', '-', '*', '/', '^', ' mod ', '<', '==', ' and ', ':', ' '),
        tie('formula'),
      )
      .map((parts) => parts.join('')),
    tie('formula').map((inner) => `(${inner})`),
    tie('formula').map((inner) => `-${inner}`),
    fc
      .tuple(fc.constantFrom('sum', 'f', 'if'), tie('formula'), tie('formula'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(tie('formula'), tie('formula'), tie('formula')).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `c(y) = ${a}; z = ${b}; c(z)`),
  ),
}));

it('whatever is written is read equally', () => {
  fc.assert(
    fc.property(fc.oneof(text, formula), (written) => {
      expect(read(alone, written)).toEqual(read(whole, written));
    }),
    { numRuns: 2_000 },
  );
});

it('what the tokens make are formulas and faults, both in numbers', () => {
  const all = fc.sample(fc.oneof(text, formula), 2_000).map((written) => read(alone, written));
  const faults = all.filter((each) => (each as { readonly name?: string }).name === 'SyntaxError').length;
  expect(faults).toBeGreaterThan(400);
  expect(faults).toBeLessThan(1_600);
});

it('numbers are equal, exact to as many digits', () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeNat());
  const operations = ['plus', 'minus', 'times', 'div', 'pow', 'mod'] as const;
  fc.assert(
    fc.property(number, fc.integer({ min: -40, max: 40 }), (left, right) => {
      for (const operation of operations) {
        const [ours, theirs] = [alone, whole].map(({ Decimal }) => new Decimal(left)[operation](right).toString());
        expect(ours, operation).toBe(theirs);
      }
      const [ours, theirs] = [alone, whole].map(({ Decimal }) => new Decimal(left).abs().sqrt().exp().toString());
      expect(ours).toBe(theirs);
    }),
  );
});

const folder = process.env['BLOCKWORK_REAL_POLICIES'];

it.skipIf(folder === undefined)('every text of a published policy is read equally', () => {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.length <= 300) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const files = readdirSync(folder ?? '').filter((name) => name.endsWith('.policy'));
  for (const file of files) {
    const policy = unpackArchive(readFileSync(join(folder ?? '', file))).get('policy.json') ?? new Uint8Array();
    collect(JSON.parse(new TextDecoder().decode(policy)));
  }
  expect(texts.size).toBeGreaterThan(1_000);
  for (const each of texts) expect(read(alone, each), each).toEqual(read(whole, each));
});
