/** Options: types for them, and the check that every factory makes. */
export { checkOptions, invalidOption, type OptionShape, withDefaults } from './check-options.js';
export { demandObject, demandOptions } from './demand-object.js';
export { closestTo, didYouMean } from './closest-name.js';
export { optionTypes, type OptionType } from './option-types.js';
