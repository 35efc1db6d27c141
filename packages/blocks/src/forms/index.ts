/** Forms: where data comes into a policy, from its users and from outside, and what is checked of it. */
import type { AnyBlockType } from '@blockwork/core/block';
import { DocumentValidator } from './document-validator.js';
import { ExternalData } from './external-data.js';
import { RequestVcDocument } from './request-vc-document.js';

export { DocumentValidator, ExternalData, RequestVcDocument };

export const formBlocks: readonly AnyBlockType[] = [RequestVcDocument, ExternalData, DocumentValidator];
