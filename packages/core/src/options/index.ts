/** Types of values, and the check of options performed by every factory. */
export {
  checkOptions,
  invalidOption,
  parseOptions,
  withDefaults,
  type OptionShape,
  type OptionsOf,
  type OptionTable,
  type ResolvedOptions,
} from './check-options.js';
export { demandCount, demandObject, demandOptions, demandText } from './demand-object.js';
export { closestTo, didYouMean, hintAt, meantBy } from './closest-name.js';
export { type OptionType, valueTypes } from './value-types.js';
