/** A small policy around the block: a user reports readings until a certificate is due, and is then notified. */

export const policy = {
  name: 'Energy counter',
  description: 'One certificate for each megawatt hour.',
  config: {
    blockType: 'interfaceStepBlock',
    tag: 'way',
    permissions: ['ANY_ROLE'],
    children: [
      {
        blockType: 'energyCounterBlock',
        tag: 'counter',
        permissions: ['ANY_ROLE'],
        defaultActive: true,
        fullAt: 1000,
        // By default, blocks are linked to the next one by `RunEvent`; this block emits its own event instead.
        events: [{ source: 'counter', output: 'FullEvent', target: 'done', input: 'RunEvent', actor: '' }],
      },
      {
        blockType: 'informationBlock',
        tag: 'done',
        permissions: ['ANY_ROLE'],
        defaultActive: true,
        uiMetaData: { title: 'A certificate is due' },
      },
    ],
  },
};
