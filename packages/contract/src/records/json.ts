/** JSON whose shape the policy defines. */
import { z } from 'zod';
import { component } from '../component.js';

export const json = component('Json', z.json());
