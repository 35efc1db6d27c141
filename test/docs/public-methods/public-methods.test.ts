/** Public functions and methods: their arguments, errors and examples. One file, as all read the same types. */
import './examples.js';
import './method-errors.js';
import './object-arguments.js';
