/** Option types, and the check performed by every factory. */
export { checkOptions, invalidOption, type OptionShape, withDefaults } from './check-options.js';
export { demandObject, demandOptions } from './demand-object.js';
export { closestTo, didYouMean } from './closest-name.js';
export { optionTypes, type OptionType } from './option-types.js';
