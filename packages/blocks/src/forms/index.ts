/** Forms: where data comes into a policy, from its users and from outside, and what is checked of it. */
import type { BlockType } from '@blockwork/core/block';
import { documentValidatorBlock } from './document-validator.js';
import { externalDataBlock } from './external-data.js';
import { requestVcDocumentBlock } from './request-vc-document.js';

export { documentValidatorBlock, externalDataBlock, requestVcDocumentBlock };

export const formBlocks: readonly BlockType[] = [requestVcDocumentBlock, externalDataBlock, documentValidatorBlock];
