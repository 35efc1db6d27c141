/** How much the tests do: `npm run soak` has some of them do what takes too long for `npm test`. */

const isSoak = process.env['BLOCKWORK_SOAK'] === '1';

export const times = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest);
