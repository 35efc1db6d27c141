/** Option types, and the check performed by every factory. */
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
export { closestTo, didYouMean } from './closest-name.js';
export { optionTypes, type OptionType } from './option-types.js';
