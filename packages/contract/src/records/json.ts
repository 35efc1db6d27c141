/** JSON values of a shape that the policy decides. */
import { z } from 'zod';
import { component } from '../component.js';

export const json = component('Json', z.json());
