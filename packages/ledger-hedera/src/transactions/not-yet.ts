/** Nothing is wrong with the effect: it is to be settled again later. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}
