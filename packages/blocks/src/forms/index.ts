/** Forms, uploads and external data, turned into credentials, and their validators. */
import type { BlockType } from '@blockwork/core/block';
import { documentValidatorBlock } from './document-validator.js';
import { externalDataBlock } from './external-data.js';
import { requestValidationAddon } from './request-validation.js';
import { requestVcDocumentBlock } from './request-vc-document.js';
import { uploadVcDocumentBlock } from './upload-vc-document.js';

export {
  documentValidatorBlock,
  externalDataBlock,
  requestValidationAddon,
  requestVcDocumentBlock,
  uploadVcDocumentBlock,
};

export const formBlocks: readonly BlockType[] = [
  requestVcDocumentBlock,
  uploadVcDocumentBlock,
  externalDataBlock,
  documentValidatorBlock,
  requestValidationAddon,
];
