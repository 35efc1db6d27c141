/** The number of repetitions of a test, in `npm test` and in `npm run soak store`. */

const isSoak = process.env['BLOCKWORK_SOAK'] === '1';

export const times = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest);
