/** Transformations of rows, by a script here or by front ends. */
import type { BlockType } from '@blockwork/core/block';
import { dataTransformationAddon, type TransformationOptions } from './data-transformation-addon.js';
import { transformationButtonBlock } from './transformation-button.js';
import { httpRequestUIAddon, ipfsTransformationUIAddon, transformationUIAddon } from './ui-addons.js';

export {
  dataTransformationAddon,
  httpRequestUIAddon,
  ipfsTransformationUIAddon,
  transformationButtonBlock,
  type TransformationOptions,
  transformationUIAddon,
};

export const transformationBlocks = (options: TransformationOptions = {}): readonly BlockType[] => [
  dataTransformationAddon(options),
  transformationButtonBlock,
  transformationUIAddon,
  httpRequestUIAddon,
  ipfsTransformationUIAddon,
];
